/** The OpenAPI document of the simulation's API: its words, and the responses of the policy before a handler runs. */
import { programVersion } from '../../app/home/home.js';
import { simulationProblem } from '../../codec/api-simulation.js';
import { type Endpoint, problem, type ResponseShape } from '../core/endpoint.js';
import { type DocumentWords, misfit, openApiText, unwanted } from '../core/openapi.js';
import { isPagePath } from '../core/system-endpoints.js';

const info = {
  title: 'agent-cli simulation API',
  version: programVersion,
  description:
    'Forecasts of capability growth and of the sectors that it disrupts. All errors are application/problem+json (RFC 9457). A conditional scenario under its inputs, not a prediction.',
};

export const simulationDocument = (endpoints: readonly Endpoint[]): string =>
  openApiText(endpoints, info, {
    problem: simulationProblem,
    ofBoundary,
    token: 'The text of API_TOKEN; where API_HOME_TOKENS is 1, also a named token of the home, of the role in x-role or above',
    headersOf,
    words,
  });

/** Returns the policy's responses in the order of its checks. */
function ofBoundary({ method, path, auth, params, query, headers, body, ignoresQuery }: Endpoint): Record<number, ResponseShape> {
  const reads = [params, query, headers, body].some((part) => part !== undefined);
  return {
    ...(isPagePath(path)
      ? {}
      : { 429: problem('Too many requests from this address; wait for the number of seconds in Retry-After') }),
    ...(auth === 'public'
      ? {}
      : { 401: problem('No token'), 403: problem('A wrong token, or one whose role is below that of the operation') }),
    400: problem(method === 'GET' ? 'A request with a body' : 'Ambiguous framing, a body that ends too early, or invalid JSON'),
    431: problem('Too many or too large header fields'),
    ...(method === 'GET' ? {} : { 408: problem('The body took too long'), 413: problem('The body is too large') }),
    ...(body === undefined ? {} : { 415: problem('A body with a Content-Encoding') }),
    ...(ignoresQuery === true ? {} : { 422: problem(reads ? misfit : unwanted) }),
  };
}

const run_id = '0123456789abcdef';
const agent = { last_beat: 1_795_152_700.5, restarts: 0 };

const words: DocumentWords = {
  tags: {
    runs: 'Start, watch, list and cancel runs',
    results: 'What runs that succeeded computed',
    sweeps: 'Run a field over several values',
    server: 'The server, its agents and this document',
    dashboard: 'The page for people and its files, which hold no data',
  },
  operations: {
    'POST /simulate': {
      id: 'startRun',
      tag: 'runs',
      description:
        'Every field has a default, so `{}` is a request. The response has the id of the run, which is recorded by then and executes in the background. The same Idempotency-Key and body return the same id.',
      request: {
        horizon: 10,
        curve: 'linear',
        entropy: 1.5,
        samples: 500,
        sectors: ['retail', { name: 'mining', growth: 0.02 }],
      },
      response: { id: run_id },
    },
    'GET /runs': {
      id: 'listRuns',
      tag: 'runs',
      description: 'A page has up to `limit` records; `next_cursor` is the `cursor` of the next page, null at the end.',
    },
    'GET /runs/{id}': {
      id: 'getRun',
      tag: 'runs',
      description:
        'State, progress, request and outcome of a run. A loop with `wait` needs few requests and learns of the end at once.',
    },
    'DELETE /runs/{id}': {
      id: 'cancelRun',
      tag: 'runs',
      description: 'A queued run is cancelled at once, a running one at its next generation. The record stays.',
    },
    'PATCH /runs/{id}': {
      id: 'renameRun',
      tag: 'runs',
      description: 'The name is in the record of the run alone, so no hash and no result changes.',
      request: { name: 'first look' },
    },
    'POST /sweeps': {
      id: 'startSweep',
      tag: 'sweeps',
      description:
        'The values are a list, or from, to and step. All runs are recorded before the response; they execute after the single runs that wait. A sweep takes one place in the queue. The same Idempotency-Key and body return the same id.',
      request: {
        name: 'how much entropy',
        request: { horizon: 10, curve: 'linear' },
        field: 'entropy',
        from: 1,
        to: 3,
        step: 0.5,
        seeds: 5,
      },
      response: { id: run_id },
    },
    'GET /sweeps': {
      id: 'listSweeps',
      tag: 'sweeps',
      description: 'A page has up to `limit` sweeps; `next_cursor` is the `cursor` of the next page, null at the end.',
    },
    'GET /sweeps/{id}': {
      id: 'getSweep',
      tag: 'sweeps',
      description:
        "For each value its runs and the mean, least and most of their measures; and the field's influence on each measure, over the runs that have succeeded so far.",
    },
    'DELETE /sweeps/{id}': {
      id: 'cancelSweep',
      tag: 'sweeps',
      description: 'Its queued runs are cancelled at once, running ones at their next generation. Results that are there stay.',
    },
    'GET /ws/progress': {
      id: 'watchProgress',
      tag: 'runs',
      description:
        'A WebSocket that tells each year and generation of the runs in flight. It is closed with 1000 when none is left. Browsers send the token as a subprotocol.',
    },
    'GET /results': {
      id: 'getNewestResults',
      tag: 'results',
      description:
        'The results of the run that succeeded last, whoever started it. They change with every run, so they are not to be stored.',
    },
    'GET /results/{id}': {
      id: 'getResults',
      tag: 'results',
      description:
        'Forecast, sectors and population. They never change: clients may store them, and send their entity tag in If-None-Match.',
    },
    'GET /results/{id}.csv': {
      id: 'getForecastCsv',
      tag: 'results',
      description: 'A header row, then a line for each year, with the quantiles that the run has.',
      response: 'year,capability,affected\r\n1,0.880797077978,0\r\n',
    },
    'GET /results/{id}/sectors.csv': {
      id: 'getSectorsCsv',
      tag: 'results',
      description:
        'A header row, then a line for each year of each sector: its energy, and the probability that it is disrupted by then.',
      response: 'sector,year,energy,probability,disrupted_year\r\nretail,1,1.05,0.25,2\r\n',
    },
    'GET /population/{id}': {
      id: 'getPopulation',
      tag: 'results',
      description: 'The individuals of the last generation, those of rank 0 on the non-dominated front.',
    },
    'GET /population/{id}.csv': {
      id: 'getPopulationCsv',
      tag: 'results',
      description: 'A header row, then a line for each individual in the order of the array.',
      response: 'effectiveness,risk,complexity,rank\r\n0.02,-0.4,3.1,0\r\n',
    },
    'POST /insight': {
      id: 'summarizeRuns',
      tag: 'results',
      description: 'The mean, least and most capability of each year, and how many runs reach it. Unknown ids are skipped.',
      request: { ids: [run_id] },
      response: { forecast: [{ year: 1, capability: 0.5, runs: 2, min: 0.4, max: 0.6 }] },
    },
    'GET /status': {
      id: 'getStatus',
      tag: 'server',
      description:
        'An agent without a heartbeat for five seconds is unresponsive. `restarts` counts those of earlier processes too.',
      response: {
        agents: {
          planning: agent,
          research: agent,
          strategy: agent,
          market: agent,
          codegen: agent,
          safety: agent,
          memory: agent,
        },
      },
    },
    'GET /metrics': { id: 'getMetrics', tag: 'server', description: 'For a Prometheus server, which sends the token too.' },
    'GET /healthz': {
      id: 'getHealth',
      tag: 'server',
      description: 'Needs no token, for load balancers.',
      response: { status: 'ok' },
    },
    'GET /openapi.json': { id: 'getOpenApi', tag: 'server', description: 'Generated from the codecs that check requests.' },
    'GET /': {
      id: 'getDashboard',
      tag: 'dashboard',
      description: 'A page for browsers. It asks for the token and reads this API with it.',
    },
    'GET /favicon.ico': { id: 'getDashboardIcon', tag: 'dashboard', description: 'The icon of the page.' },
    'GET /assets/{file}': { id: 'getDashboardFile', tag: 'dashboard', description: 'A script, style or picture of the page.' },
  },
  parameters: {
    id: 'The id of a run or a sweep, 16 hexadecimal digits',
    file: 'The name of a file',
    format: '`json` for JSON messages instead of lines of text',
    genome: '1 adds the genome of each individual',
    wait: 'Seconds until the response comes at the latest',
    limit: 'The largest number of items',
    cursor: 'The `next_cursor` of the page before',
    state: 'Only runs in this state',
    sweep: 'Only runs of this sweep; `none`: only runs of no sweep',
    search: 'Only runs whose name contains this text, in any case, or whose id begins with it',
    'idempotency-key': 'A key of your choice: a repeated request with it makes no further run or sweep',
    prefer: '`wait=30` makes the response wait for the end of the run, for at most this number of seconds (RFC 7240)',
  },
};

const headersOf = ({ path }: Endpoint, status: number): readonly string[] => [
  'X-Request-Id',
  ...(isPagePath(path) ? [] : ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']),
  ...(status === 401 || status === 403 ? ['WWW-Authenticate'] : []),
  ...(status === 429 ? ['Retry-After'] : []),
];
