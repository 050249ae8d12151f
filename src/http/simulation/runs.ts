/** Runs: creating one, the list, a record, renaming and cancelling one. */
import { runRecord, runRecords, type RunRecord } from '../../app/simulation/runs/stored.js';
import { renameRun, requireRun } from '../../app/simulation/runs/runs.js';
import { homeVia } from '../../app/home/via.js';
import { page_items_max } from '../../base/limits.js';
import { RefusalError, unwrap } from '../../base/refusal.js';
import {
  createdCodec,
  runChange,
  runListQuery,
  runPageCodec,
  runParams,
  runRecordCodec,
  simulateHeaders,
  type Run,
} from '../../codec/api-simulation.js';
import { decode, integerText, object, optional } from '../../codec/kit.js';
import { isRunId, simulationBody } from '../../codec/simulation.js';
import { endpoint, type Endpoint, json, problem, untypedJsonEndpoint } from '../core/endpoint.js';
import type { Simulation } from './simulation.js';
import { firstAbort } from '../../base/first-abort.js';

const absent = problem('No such run');
const record = { description: "The run's record", body: runRecordCodec };
const listQuery = object('RunListQuery', { ...runListQuery.fields, limit: optional(integerText(1, page_items_max)) });

/** @throws RefusalError `not_found`, also for a malformed id, which no run has */
export function findRun({ daemon: { home } }: Simulation, id: string): ReturnType<typeof requireRun> {
  if (isRunId(id)) return requireRun(home.db, id);
  throw new RefusalError('not_found', 'there is no such run; an id is 16 hexadecimal digits in lower case');
}

/** Returns a member, or none for null. */
const present = <K extends string>(name: K, value: number | null): { readonly [P in K]?: number } =>
  value === null ? {} : ({ [name]: value } as { readonly [P in K]: number });

/** Returns a run's record with what this process knows of it. */
const shown = ({ service }: Simulation, run: RunRecord): Run => ({
  ...run,
  progress: run.progress ?? service.progressOf(run.id),
  ...present('queue_position', service.positionOf(run.id)),
  ...present('remaining_s', service.remainingOf(run.id)),
});

export const runEndpoints = (simulation: Simulation): readonly Endpoint[] => {
  const { db } = simulation.daemon.home;
  return [
    simulateEndpoint(simulation),
    endpoint({
      route: 'GET /runs',
      auth: 'viewer',
      summary: 'Runs, the most recently requested first',
      query: listQuery,
      responses: { 200: { description: 'A page of runs', body: runPageCodec } },
      handle: async ({ query }) => {
        const { items, next_cursor } = await runRecords(db, query);
        return json(200, { items: items.map((run) => shown(simulation, run)), next_cursor });
      },
    }),
    endpoint({
      route: 'GET /runs/{id}',
      auth: 'viewer',
      summary: 'A run, in any state; with `wait`, when it has ended or this number of seconds has passed',
      params: runParams,
      query: waitQuery,
      responses: { 200: record, 404: absent },
      handle: async ({ params, query: { wait = 0 }, signal }) => {
        const { id } = findRun(simulation, params.id);
        if (wait > 0) await waitForEnd(simulation, id, wait, signal);
        return json(200, shown(simulation, runRecord(db, findRun(simulation, id))));
      },
    }),
    ...changes(simulation),
  ];
};

const changes = (simulation: Simulation): readonly Endpoint[] => {
  const { daemon, service } = simulation;
  const { db } = daemon.home;
  return [
    endpoint({
      route: 'DELETE /runs/{id}',
      auth: 'reviewer',
      summary: 'Cancel a queued or running run; its record stays',
      params: runParams,
      responses: { 202: record, 404: absent, 409: problem('The run has finished') },
      handle: async ({ params, actor }) => {
        const { id } = findRun(simulation, params.id);
        return json(202, shown(simulation, runRecord(db, await service.cancel(id, actor.name, actor.via))));
      },
    }),
    untypedJsonEndpoint({
      route: 'PATCH /runs/{id}',
      auth: 'reviewer',
      summary: 'Give a run another name, or none',
      params: runParams,
      body: runChange,
      responses: { 200: record, 404: absent },
      handle: async ({ params, body, actor }) => {
        const { name } = unwrap(decode(runChange, body));
        const { id } = findRun(simulation, params.id);
        const run = await renameRun(homeVia(daemon.home, actor.via), id, name, actor.name);
        return json(200, shown(simulation, runRecord(db, run)));
      },
    }),
  ];
};

const simulateEndpoint = (simulation: Simulation): Endpoint =>
  untypedJsonEndpoint({
    route: 'POST /simulate',
    auth: 'reviewer',
    summary:
      'Queue a run; it is recorded before the response, and continues in the background. With `Prefer: wait=30` the response waits for its end',
    headers: simulateHeaders,
    body: simulationBody,
    // The service decodes the body, which it receives as sent, together with the key.
    responses: {
      200: {
        description: 'The new run, or the one that this key and body made before',
        body: createdCodec,
        headers: ['Preference-Applied'],
      },
      409: otherBody,
      503: full,
    },
    handle: async ({ body, headers, actor: { name: actor, via }, signal }) => {
      const { id } = await simulation.service.request(body, { actor, via, key: headers['idempotency-key'] });
      const wait = preferredWait(headers.prefer);
      if (wait === null) return json(200, { id });
      await waitForEnd(simulation, id, wait, signal);
      const { state } = findRun(simulation, id);
      return json(200, { id, state }, { 'Preference-Applied': `wait=${wait}` });
    },
  });

/** A request waits for the end of a run for at most this time, in seconds. */
export const wait_s_max = 30;
const retry_after_s_max = 60;
const minute_s = 60;

export const waitQuery = object('WaitQuery', { wait: optional(integerText(0, wait_s_max)) });

export const otherBody = problem('The key was used with another body');

/** The response while no more requests are accepted. */
export const full = {
  ...problem('Too many runs are queued, or the server stops; wait for the number of seconds in Retry-After'),
  headers: ['Retry-After'],
};

/** Returns when the run has ended, when this time is over, or when the client is gone. */
export const waitForEnd = ({ service }: Simulation, id: string, wait_s: number, gone: AbortSignal): Promise<void> =>
  service.untilEnded(id, firstAbort(gone, AbortSignal.timeout(wait_s * 1_000)));

/**
 * Returns the seconds of the preference `wait` in a Prefer field, at most `wait_s_max`; null without one. Other preferences, and those that
 * are not well-formed, are ignored.
 * @see RFC 7240, sections 2 and 4.3
 */
export function preferredWait(prefer: string | undefined): number | null {
  for (const preference of prefer?.split(',') ?? []) {
    const [, wait_s] = /^[ \t]*wait[ \t]*=[ \t]*"?([0-9]{1,9})"?[ \t]*(?:;|$)/i.exec(preference) ?? [];
    if (wait_s !== undefined) return Math.min(Number(wait_s), wait_s_max);
  }
  return null;
}

/**
 * Returns after how many seconds a client asks again for a run that has not ended: when it is expected to end, but not so often that a client of
 * all the requests in flight uses more than half of the requests of a minute.
 */
export function retryAfter({ service, rate_limit }: Simulation, id: string): number {
  const spacing_s = rate_limit === 0 ? 1 : Math.ceil((2 * service.requests() * minute_s) / rate_limit);
  return Math.min(Math.max(spacing_s, service.remainingOf(id) ?? 1), retry_after_s_max);
}
