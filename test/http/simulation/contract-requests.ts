/** A request for every documented response of the simulation's interface. */
import type { Ask, GivenSimulation } from './given-simulation.js';

/** Path, and what goes with it. */
export type Request = readonly [path: string, ask?: Ask];
type ByStatus = Readonly<Record<number, (simulation: GivenSimulation) => Promise<Request> | Request>>;

/** Which server's runs behave as the answer needs: at once, held, or no place for another one. */
export type Kind = 'at once' | 'held' | 'full';

const nobody = 'f'.repeat(16);
const unchanged = { headers: { 'If-None-Match': '*' } };
const used = { headers: { 'Idempotency-Key': 'used' } };
let keys = 0;
const sweep = { field: 'x0', values: [0, 0.5], seeds: 2 };

/** A run that failed; the server tells why, three times. */
const failed = async ({ run, until }: GivenSimulation): Promise<string> => {
  const id = await run({ seed: 13 });
  await until(id, 'failed');
  return id;
};

const ofResults = (prefix: string, rest = ''): ByStatus => ({
  200: async (simulation) => [`${prefix}/${await simulation.succeeded({ samples: 20 })}${rest}`],
  304: async (simulation) => [`${prefix}/${await simulation.succeeded({ samples: 20 })}${rest}`, unchanged],
  404: () => [`${prefix}/${nobody}${rest}`],
  409: async (simulation) => [`${prefix}/${await failed(simulation)}${rest}`],
});

/** Requests by operation; a status that is absent here is one of the boundary, which `contract.test.ts` knows. */
export const requests: Readonly<Record<string, ByStatus>> = {
  'GET /': { 200: () => ['/'], 404: () => ['/'] },
  'GET /favicon.ico': { 200: () => ['/favicon.ico'], 404: () => ['/favicon.ico'] },
  'GET /assets/{file}': { 200: () => ['/assets/index.js'], 404: () => ['/assets/none.js'] },
  'GET /healthz': { 200: () => ['/healthz'] },
  'POST /simulate': {
    200: () => ['/simulate', { body: {}, headers: { 'Idempotency-Key': `key ${++keys}` } }],
    409: async ({ ask }) => {
      await ask('POST', '/simulate', { body: {}, ...used });
      return ['/simulate', { body: { horizon: 2 }, ...used }];
    },
    503: () => ['/simulate', { body: {} }],
  },
  'GET /results': {
    200: async ({ succeeded }) => {
      await succeeded();
      return ['/results'];
    },
    404: () => ['/results'],
  },
  'GET /results/{id}': ofResults('/results'),
  'GET /results/{id}.csv': ofResults('/results', '.csv'),
  'GET /results/{id}/sectors.csv': ofResults('/results', '/sectors.csv'),
  'GET /population/{id}': ofResults('/population', '?genome=1'),
  'GET /population/{id}.csv': ofResults('/population', '.csv'),
  'POST /insight': {
    200: async ({ succeeded }) => ['/insight', { body: { ids: [await succeeded()] } }],
    404: () => ['/insight', { body: { ids: [nobody] } }],
  },
  'GET /runs': {
    200: async ({ succeeded }) => {
      await succeeded();
      return ['/runs?limit=2&state=succeeded'];
    },
  },
  'GET /runs/{id}': {
    200: async ({ succeeded }) => [`/runs/${await succeeded()}`],
    404: () => [`/runs/${nobody}`],
  },
  'DELETE /runs/{id}': {
    202: async ({ run }) => [`/runs/${await run()}`],
    404: () => [`/runs/${nobody}`],
    409: async ({ succeeded }) => [`/runs/${await succeeded()}`],
  },
  'PATCH /runs/{id}': {
    200: async ({ run }) => [`/runs/${await run()}`, { body: { name: 'first look' } }],
    404: () => [`/runs/${nobody}`, { body: { name: null } }],
    422: async ({ run }) => [`/runs/${await run()}`, { body: { name: ' ' } }],
  },
  'POST /sweeps': {
    200: () => ['/sweeps', { body: sweep }],
    409: async ({ ask }) => {
      await ask('POST', '/simulate', { body: {}, ...used });
      return ['/sweeps', { body: sweep, ...used }];
    },
    503: () => ['/sweeps', { body: sweep }],
  },
  'GET /sweeps': {
    200: async ({ ask }) => {
      await ask('POST', '/sweeps', { body: sweep });
      return ['/sweeps?limit=1'];
    },
  },
  'GET /sweeps/{id}': {
    200: async ({ ask }) => [`/sweeps/${(await ask('POST', '/sweeps', { body: sweep })).body.id}?wait=30`],
    404: () => [`/sweeps/${nobody}`],
  },
  'DELETE /sweeps/{id}': {
    202: async ({ ask }) => [`/sweeps/${(await ask('POST', '/sweeps', { body: sweep })).body.id}`],
    404: () => [`/sweeps/${nobody}`],
    409: async ({ ask }) => {
      const { id } = (await ask('POST', '/sweeps', { body: sweep })).body;
      await ask('DELETE', `/sweeps/${id}`);
      return [`/sweeps/${id}`];
    },
  },
  'GET /status': { 200: () => ['/status'] },
  'GET /metrics': { 200: () => ['/metrics'] },
  'GET /ws/progress': { 426: () => ['/ws/progress'] },
  'GET /openapi.json': { 200: () => ['/openapi.json'] },
};

/** Answers that need another server than the usual one. */
export const kinds: Readonly<Record<string, Kind>> = {
  'POST /simulate 503': 'full',
  'DELETE /runs/{id} 202': 'held',
  'POST /sweeps 503': 'full',
  'DELETE /sweeps/{id} 202': 'held',
  'DELETE /sweeps/{id} 409': 'held',
  'GET /results 404': 'held',
  'GET / 404': 'held',
  'GET /favicon.ico 404': 'held',
};
