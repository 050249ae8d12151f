/** The outputs of runs that succeeded: results, forecast as CSV, population, and the summary of several runs. */
import { insightOf, newestRun } from '../../app/simulation/insight.js';
import type { requireRun } from '../../app/simulation/runs/runs.js';
import { JsonText } from '../../base/json-text.js';
import { RefusalError, unwrap } from '../../base/refusal.js';
import {
  genomeQuery,
  genomeWanted,
  insightBody,
  insightCodec,
  type Population,
  populationCodec,
  type Results,
  resultsCodec,
  runParams,
} from '../../codec/api-simulation.js';
import { decode } from '../../codec/kit.js';
import { forecastRows, populationRows, sectorRows } from '../../codec/simulation-results.js';
import type { Row } from '../../reports/content.js';
import { csvText } from '../../reports/csv.js';
import { bytes, endpoint, type Endpoint, json, problem, untypedJsonEndpoint, versioned } from '../core/endpoint.js';
import { Denied } from '../core/problem.js';
import { findRun, retryAfter } from './runs.js';
import type { Simulation } from './simulation.js';

type Run = ReturnType<typeof requireRun>;

const csv_type = 'text/csv; charset=utf-8; header=present';
const unfinished = {
  ...problem('No such run, or it is queued or running: then with state, progress and Retry-After'),
  headers: ['Retry-After'],
};
const without = problem('The run failed or was cancelled: state, reason and error');
const versionHeaders = ['Cache-Control', 'ETag', 'Vary'] as const;
const results = { description: 'The results object', body: resultsCodec, headers: versionHeaders };
const unchanged = { description: 'The client has this representation', headers: versionHeaders };
const csvSummaries = {
  forecast: "A run's forecast as comma-separated values",
  sectors: 'The sectors of a run as comma-separated values',
  population: "A run's final population as comma-separated values, without genomes",
} as const;

export const resultEndpoints = (simulation: Simulation): readonly Endpoint[] => [
  newestEndpoint(simulation),
  ...runEndpoints(simulation),
  insightEndpoint(simulation),
];

/** The representations of a run that succeeded, which never change. Those with a suffix come before those whose path fits it too. */
const runEndpoints = (simulation: Simulation): readonly Endpoint[] => {
  const { service } = simulation;
  const find = (id: string): Run => succeeded(simulation, id);
  const json200 = <A>(run: Run, text: Uint8Array) => versioned(`${run.outcome_hash}-json`, json(200, new JsonText<A>(text)));
  return [
    csvEndpoint('/results/{id}.csv', 'forecast', find, async (run) => forecastRows((await service.outcome(run)).forecast)),
    csvEndpoint('/results/{id}/sectors.csv', 'sectors', find, async (run) => sectorRows((await service.outcome(run)).sectors)),
    csvEndpoint('/population/{id}.csv', 'population', find, async (run) =>
      populationRows((await service.outcome(run)).population),
    ),
    endpoint({
      route: 'GET /results/{id}',
      auth: 'viewer',
      summary: 'The results of a run that succeeded',
      params: runParams,
      query: genomeQuery,
      responses: { 200: results, 304: unchanged, 404: unfinished, 409: without },
      handle: async ({ params, query }) => {
        const run = find(params.id);
        return json200<Results>(run, (await service.results(run, genomeWanted(query))).results);
      },
    }),
    endpoint({
      route: 'GET /population/{id}',
      auth: 'viewer',
      summary: "A run's final population",
      params: runParams,
      query: genomeQuery,
      responses: {
        200: { description: 'Its individuals', body: populationCodec, headers: versionHeaders },
        304: unchanged,
        404: unfinished,
        409: without,
      },
      handle: async ({ params, query }) => {
        const run = find(params.id);
        return json200<Population>(run, (await service.results(run, genomeWanted(query))).population);
      },
    }),
  ];
};

/** @param what names the lines, in the name of the file too */
const csvEndpoint = (
  path: `/${string}`,
  what: keyof typeof csvSummaries,
  find: (id: string) => Run,
  rowsOf: (run: Run) => Promise<readonly Row[]>,
): Endpoint =>
  endpoint({
    route: `GET ${path}`,
    auth: 'viewer',
    summary: csvSummaries[what],
    params: runParams,
    responses: {
      200: { description: 'Lines', type: 'text/csv', headers: [...versionHeaders, 'Content-Disposition'] },
      304: unchanged,
      404: unfinished,
      409: without,
    },
    handle: async ({ params }) => {
      const run = find(params.id);
      const disposition = { 'Content-Disposition': `attachment; filename="${what}-${run.id}.csv"` };
      const text = csvText(await rowsOf(run));
      return versioned(`${run.outcome_hash}-csv`, bytes(200, csv_type, text, disposition));
    },
  });

const newestEndpoint = ({ daemon: { home }, service }: Simulation): Endpoint =>
  endpoint({
    route: 'GET /results',
    auth: 'viewer',
    summary: 'The results of the run that succeeded last',
    responses: { 200: { description: 'The results object', body: resultsCodec }, 404: problem('No run has succeeded yet') },
    handle: async () => {
      const run = newestRun(home.db);
      if (run === null) throw new RefusalError('not_found', 'no run has succeeded yet');
      return json(200, new JsonText<Results>((await service.results(run, false)).results));
    },
  });

const insightEndpoint = ({ daemon }: Simulation): Endpoint =>
  untypedJsonEndpoint({
    route: 'POST /insight',
    auth: 'viewer',
    summary: 'The mean forecast over the runs named, or over all that succeeded',
    body: insightBody,
    bodyRule: 'optional',
    responses: {
      200: { description: 'For each year the mean, how many runs reach it, and their extremes', body: insightCodec },
      404: problem('None of them has results'),
    },
    handle: async ({ body, signal }) => {
      const { ids, curves } = unwrap(decode(insightBody, body ?? {}));
      return json(200, await insightOf(daemon.home.db, ids, { curves, signal }));
    },
  });

/** @throws Denied with the state of a run without results, RefusalError `not_found` */
function succeeded(simulation: Simulation, id: string): Run {
  const run = findRun(simulation, id);
  const { state, error } = run;
  if (state === 'succeeded') return run;
  if (state === 'queued' || state === 'running') {
    const members = { state, progress: simulation.service.progressOf(id) };
    const headers = { 'Retry-After': String(retryAfter(simulation, id)) };
    throw new Denied({ code: 'not_found', detail: `run ${id} is ${state}; it has no results yet`, headers, members });
  }
  const reason = error === null ? state : `${error.code}: ${error.message}`;
  throw new Denied({
    code: 'wrong_state',
    detail: `run ${id} ${state === 'failed' ? 'failed' : 'was cancelled'}; it has no results`,
    members: { state, reason, error },
  });
}
