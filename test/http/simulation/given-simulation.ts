/** The simulation's server over a temporary home, stopped after each test, its runs computed at once or held, and requests to it. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { startDaemon, type Daemon } from '../../../src/app/daemon/daemon.js';
import type { SimulationSettings } from '../../../src/app/simulation/settings.js';
import { failRunsOfEarlierDaemon } from '../../../src/app/simulation/runs/runs.js';
import { one_island } from '../../../src/app/simulation/islands/settings.js';
import type { RunSimulation } from '../../../src/app/simulation/runs/thread.js';
import { baselineOf } from '../../../src/engines/simulation/engine.js';
import { createLogger } from '../../../src/http/log.js';
import { startSimulationServer, type SimulationServer, type SimulationServing } from '../../../src/http/simulation/serve.js';
import type { Loose } from '../../support/http/schema-check.js';
import { temporaryHome, type TemporaryHome } from '../../support/app/temporary-home.js';
import { unverified, until as holds } from '../../support/app/given-daemon.js';
import { computed } from '../../support/app/given-simulations.js';
import { fetched, type Got } from '../plain-http.js';

export const token = 'a-Token.of_tests~123';

export interface Ask {
  /** The token that is sent; null for none. */
  readonly token?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; a text is sent unchanged. */
  readonly body?: unknown;
}

export interface GivenSimulation extends SimulationServer {
  readonly given: TemporaryHome;
  readonly daemon: Daemon;
  readonly url: string;
  readonly log: string[];
  readonly ask: (method: string, path: string, options?: Ask) => Promise<Got>;
  /** The id of a new run. */
  readonly run: (document?: unknown) => Promise<string>;
  /** Waits until a run is in a state; returns its record. */
  readonly until: (id: string, ...states: readonly string[]) => Promise<Loose>;
  /** The id of a run that has succeeded. */
  readonly succeeded: (document?: unknown) => Promise<string>;
  readonly stopAll: () => Promise<void>;
}

export interface GivenOptions extends Partial<Omit<SimulationServing, 'settings'>> {
  readonly settings?: Partial<SimulationSettings>;
  readonly home?: TemporaryHome;
}

const running: (() => Promise<void>)[] = [];
const homes: TemporaryHome[] = [];

/** Stops the servers of a file whose tests share one. */
export async function stopSimulations(): Promise<void> {
  await Promise.all(running.splice(0).map((stop) => stop()));
  for (const home of homes.splice(0)) home.remove();
}
export const stopAfterEach = (): void => void afterEach(stopSimulations);

/** The real engine, in this thread: for requests that are small. A seed of 13 fails. */
export const atOnce: RunSimulation = async (task, watch) => {
  if (task.request.seed === 13) throw new Error('an unlucky seed');
  watch?.onYears?.(baselineOf(task.request).affected);
  for (let i = 1; i <= task.request.generations; i++) watch?.onGeneration?.(i, i / task.request.generations);
  return computed(task);
};

/** Never returns, until it must stop. */
export const held: RunSimulation = async (_task, watch) => {
  watch?.onYears?.([0]);
  watch?.onGeneration?.(1, 0.25);
  while (watch?.mustStop?.() !== true) await sleep(5);
  return { type: 'stopped' };
};

/** Any free port, no rate limit, and responses checked against the shapes that are announced. */
export async function givenSimulation(options: GivenOptions = {}): Promise<GivenSimulation> {
  const { home, settings, ...serving } = options;
  const given = home ?? temporaryHome();
  if (home === undefined) homes.push(given);
  const log: string[] = [];
  const onWarning = (message: string): void => void log.push(message);
  const daemon = await startDaemon(given.world, { ...unverified, onWarning });
  await failRunsOfEarlierDaemon(daemon.home, onWarning);
  let server: SimulationServer;
  try {
    server = await startSimulationServer(daemon, {
      settings: { token, port: 0, rate_limit: 0, origins: '*', islands: one_island, ...settings },
      host: '127.0.0.1',
      logger: createLogger('info', { write: (line) => void log.push(line) }),
      dashboard: given.root,
      checkReplies: true,
      ...serving,
      service: { simulate: atOnce, ...serving.service },
    });
  } catch (error) {
    await daemon.stop();
    throw error;
  }
  const stopAll = async (): Promise<void> => {
    await server.stop();
    await daemon.stop();
  };
  running.push(stopAll);
  const url = `http://127.0.0.1:${server.port}`;
  return { ...server, given, daemon, url, log, stopAll, ...client(url) };
}

function client(url: string): Pick<GivenSimulation, 'ask' | 'run' | 'until' | 'succeeded'> {
  const ask: GivenSimulation['ask'] = (method, path, { token: given = token, ...sent } = {}) =>
    fetched(url + path, method, given, sent);
  const run = async (document: unknown = {}): Promise<string> => {
    const created = await ask('POST', '/simulate', { body: document });
    assert.equal(created.status, 200, created.text);
    return created.body.id;
  };
  const until: GivenSimulation['until'] = async (id, ...states) => {
    let record: Loose;
    const isThere = async (): Promise<boolean> => states.includes((record = (await ask('GET', `/runs/${id}`)).body).state);
    await holds(isThere, `run ${id} becomes ${states.join(' or ')}`);
    return record;
  };
  const succeeded = async (document: unknown = {}): Promise<string> => {
    const id = await run(document);
    await until(id, 'succeeded');
    return id;
  };
  return { ask, run, until, succeeded };
}
