/** Sweeps: starting one, the list, a record with what its runs gave, and cancelling one. */
import { firstAbort } from '../../base/first-abort.js';
import { requireSweep, sweepPageOf, sweepRecordOf } from '../../app/simulation/runs/sweeps.js';
import { page_items_max } from '../../base/limits.js';
import { keyHeaders, runListQuery, runParams } from '../../codec/api-simulation.js';
import { integerText, object, optional } from '../../codec/kit.js';
import { sweepBodyShape, sweepCreated, sweepPage, sweepRecord, type SweepRecord } from '../../codec/sweep.js';
import { endpoint, type Endpoint, json, problem, untypedJsonEndpoint } from '../core/endpoint.js';
import type { Simulation } from './simulation.js';
import { full, otherBody, waitQuery } from './runs.js';

const absent = problem('No such sweep');
const record = { description: 'The sweep, and what its runs have given so far', body: sweepRecord };
const { cursor } = runListQuery.fields;
const listQuery = object('SweepListQuery', { cursor, limit: optional(integerText(1, page_items_max)) });

export const sweepEndpoints = (simulation: Simulation): readonly Endpoint[] => [...changes(simulation), ...views(simulation)];

const shown = ({ daemon, service }: Simulation, id: string): Promise<SweepRecord> =>
  sweepRecordOf(daemon.home.db, id, { outcomeOf: service.outcome, progressOf: service.progressOf });

const changes = (simulation: Simulation): readonly Endpoint[] => [
  untypedJsonEndpoint({
    route: 'POST /sweeps',
    auth: 'reviewer',
    summary: 'Queue a run for each value of a field, with the same seeds for each value',
    headers: keyHeaders,
    body: sweepBodyShape,
    responses: {
      200: { description: 'The new sweep, or the one that this key and body made before', body: sweepCreated },
      409: otherBody,
      503: full,
    },
    handle: async ({ body, headers, actor: { name: actor, via } }) => {
      const { id } = await simulation.service.requestSweep(body, { actor, via, key: headers['idempotency-key'] });
      return json(200, { id });
    },
  }),
  endpoint({
    route: 'DELETE /sweeps/{id}',
    auth: 'reviewer',
    summary: 'Cancel a sweep and its unfinished runs; their records stay',
    params: runParams,
    responses: { 202: record, 404: absent, 409: problem('The sweep has ended') },
    handle: async ({ params: { id }, actor }) => {
      await simulation.service.cancelSweep(id, actor.name, actor.via);
      return json(202, await shown(simulation, id));
    },
  }),
];

const views = (simulation: Simulation): readonly Endpoint[] => {
  const { daemon, service } = simulation;
  const { db } = daemon.home;
  return [
    endpoint({
      route: 'GET /sweeps',
      auth: 'viewer',
      summary: 'Sweeps, the most recently requested first',
      query: listQuery,
      responses: { 200: { description: 'A page of sweeps', body: sweepPage } },
      handle: ({ query }) => json(200, sweepPageOf(db, query)),
    }),
    endpoint({
      route: 'GET /sweeps/{id}',
      auth: 'viewer',
      summary: 'A sweep, in any state; with `wait`, when it has ended or this number of seconds has passed',
      params: runParams,
      query: waitQuery,
      responses: { 200: record, 404: absent },
      handle: async ({ params: { id }, query: { wait = 0 }, signal }) => {
        requireSweep(db, id);
        if (wait > 0) await service.untilSweepEnded(id, firstAbort(signal, AbortSignal.timeout(wait * 1_000)));
        return json(200, await shown(simulation, id));
      },
    }),
  ];
};
