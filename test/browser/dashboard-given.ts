/** The dashboard for a suite: its server, its interface as another client uses it, and pages that are signed in. */
import assert from 'node:assert/strict';
import { browserForSuite, type Visit, type VisitOptions } from '../support/console/browser.js';
import { begun, enter, loaded, type PageOptions, type Signed, signedIn } from './console-given.js';
import { startSimulationServer, type DashboardServer } from './dashboard-server.js';
import { freshFetch } from '../support/http/fetch.js';
import { hang_ms } from '../support/wait.js';
import type { Results } from '../../src/codec/api-simulation.js';

export type { Signed };

export interface Suite<S extends DashboardServer> {
  readonly server: () => S;
  readonly open: (options?: VisitOptions, hash?: string) => Promise<Visit>;
  readonly signIn: (options?: PageOptions, hash?: string) => Promise<Signed>;
  readonly api: (method: string, path: string, body?: unknown) => Promise<Response>;
}

/** Starts the server before the suite and ends it after. */
export function suiteWith<S extends DashboardServer>(start: () => Promise<S>): Suite<S> {
  const browser = browserForSuite();
  let server: S | null = null;
  const running = (): S => {
    if (server === null) throw new Error('the dashboard is not served');
    return server;
  };
  before(async () => {
    server = await start();
  });
  after(() => server?.close());
  const open = async (options: VisitOptions = {}, hash = ''): Promise<Visit> => {
    const visit = await browser.open(running().url + hash, { locale: 'en-GB', ...options });
    await begun(visit.page);
    return visit;
  };
  return {
    server: running,
    open,
    signIn: (options = {}, hash = '#/') =>
      signedIn(browser, options, {
        as: 'admin',
        hash,
        start: async (given) => {
          const visit = await open(given, hash);
          await enter(visit.page, running().token);
          await loaded(visit.page);
          return visit;
        },
      }),
    api: (method, path, body) =>
      freshFetch(running().url + path.slice(1), {
        method,
        headers: {
          Authorization: `Bearer ${running().token}`,
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
  };
}

export const dashboardForSuite = (): Suite<DashboardServer> => suiteWith(startSimulationServer);

/** Starts a run as another client, and returns its id at once. */
export async function started({ api }: Pick<Suite<DashboardServer>, 'api'>, request: unknown): Promise<string> {
  const answer = await api('POST', '/simulate', request);
  assert.equal(answer.status, 200);
  return ((await answer.json()) as { id: string }).id;
}

export const stateOf = async ({ api }: Pick<Suite<DashboardServer>, 'api'>, id: string): Promise<string> =>
  ((await (await api('GET', `/runs/${id}`)).json()) as { state: string }).state;

/** Starts a run as another client and waits for its results. @param genome whether they have the genes of each individual */
export async function succeeded(
  suite: Pick<Suite<DashboardServer>, 'api'>,
  request: unknown,
  genome: 0 | 1 = 1,
): Promise<Results> {
  const id = await started(suite, request);
  for (const end = Date.now() + hang_ms; ; ) {
    const state = await stateOf(suite, id);
    if (state === 'succeeded') return (await (await suite.api('GET', `/results/${id}?genome=${genome}`)).json()) as Results;
    if (Date.now() > end || state === 'failed') throw new Error(`the run is ${state}`);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

/** A sweep over values that differ in what they give. */
export const sweepOfEntropy = {
  request: { horizon: 12, x0: 0.5, pop_size: 20, generations: 10, seed: 3 },
  field: 'entropy',
  from: 1,
  to: 3,
  step: 0.25,
  seeds: 4,
};

/** Starts a sweep as another client and waits for its end; returns its id. */
export async function swept({ api }: Pick<Suite<DashboardServer>, 'api'>, body: unknown): Promise<string> {
  const { id } = (await (await api('POST', '/sweeps', body)).json()) as { id: string };
  for (const end = Date.now() + hang_ms; ; ) {
    const { state } = (await (await api('GET', `/sweeps/${id}?wait=10`)).json()) as { state: string };
    if (state === 'completed') return id;
    if (Date.now() > end || state === 'cancelled') throw new Error(`the sweep is ${state}`);
  }
}

/** Sectors of different kinds, some of which are disrupted. */
export const kinds = [
  { name: 'energy', energy: 1, entropy: 2, growth: 0.01 },
  { name: 'health', energy: 2, entropy: 2.5, growth: 0.02 },
  { name: 'transport', energy: 1.5, entropy: 4, growth: 0 },
  { name: 'farming', energy: 5, entropy: 1, growth: 0.03 },
];

/** The most work that a request may ask for: under way as long as any test looks. */
export const endless = { horizon: 50, num_sectors: 20, pop_size: 1_000, generations: 10_000, entropy: 3 };
