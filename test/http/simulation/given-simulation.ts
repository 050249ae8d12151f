/** The simulation's server over a temporary home, stopped after each test, its runs computed at once or held, and requests to it. */
import assert from 'node:assert/strict';
import { STATUS_CODES } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach } from 'mocha';
import { startDaemon, type Daemon } from '../../../src/app/daemon/daemon.js';
import type { SimulationSettings } from '../../../src/app/simulation/settings.js';
import { failRunsOfEarlierDaemon } from '../../../src/app/simulation/runs/runs.js';
import { one_island } from '../../../src/app/simulation/islands/settings.js';
import type { RunSimulation } from '../../../src/app/simulation/runs/thread.js';
import { canonicalJson } from '../../../src/base/canonical-json.js';
import { sha256Hex } from '../../../src/base/hash.js';
import { simulate } from '../../../src/engines/simulation/engine.js';
import { createLogger } from '../../../src/http/log.js';
import { startSimulationServer, type SimulationServer, type SimulationServing } from '../../../src/http/simulation/serve.js';
import { freshFetch } from '../../support/http/fetch.js';
import type { Loose } from '../../support/http/schema-check.js';
import { temporaryHome, type TemporaryHome } from '../../support/app/temporary-home.js';
import { hang_ms } from '../../support/wait.js';

export const token = 'a-Token.of_tests~123';

export interface Got {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The JSON that the text is. */
  readonly body: Loose;
}

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
export const atOnce: RunSimulation = async ({ request, islands }, watch) => {
  if (request.seed === 13) throw new Error('an unlucky seed');
  const outcome = simulate(request, islands, { checkpoint: () => undefined });
  watch?.onYears?.(outcome.forecast.map(({ affected }) => affected));
  for (let i = 1; i <= request.generations; i++) watch?.onGeneration?.(i, i / request.generations);
  const text = canonicalJson(outcome);
  return { type: 'answered', text, outcome_hash: sha256Hex(text) };
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
  const daemon = await startDaemon(given.world, { onWarning });
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
  const ask: GivenSimulation['ask'] = async (method, path, { token: given = token, headers = {}, body } = {}) => {
    const authorization = given === null ? {} : { Authorization: `Bearer ${given}` };
    const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
    const type = text === undefined ? {} : { 'Content-Type': 'application/json' };
    const init = { method, headers: { ...authorization, ...type, ...headers }, redirect: 'error' as const };
    const response = await freshFetch(url + path, text === undefined ? init : { ...init, body: text });
    return got(response, await response.text());
  };
  const run = async (document: unknown = {}): Promise<string> => {
    const created = await ask('POST', '/simulate', { body: document });
    assert.equal(created.status, 200, created.text);
    return created.body.id;
  };
  const until = async (id: string, ...states: readonly string[]): Promise<Loose> => {
    for (const end = performance.now() + hang_ms; performance.now() < end; await sleep(10)) {
      const { body } = await ask('GET', `/runs/${id}`);
      if (states.includes(body.state)) return body;
    }
    throw new Error(`run ${id} did not become ${states.join(' or ')} within ${hang_ms / 1_000} s`);
  };
  const succeeded = async (document: unknown = {}): Promise<string> => {
    const id = await run(document);
    await until(id, 'succeeded');
    return id;
  };
  return { ask, run, until, succeeded };
}

export const got = ({ status, headers }: Response, text: string): Got => ({
  status,
  headers,
  text,
  get body() {
    return JSON.parse(text);
  },
});

/** The problem document of a refusal, checked against its status line and its fields. */
export function problemIn({ status, headers, body }: Got): Loose {
  assert.equal(headers.get('content-type'), 'application/problem+json');
  assert.equal(body.type, 'about:blank');
  assert.equal(body.status, status);
  assert.equal(body.title, STATUS_CODES[status]);
  assert.equal(typeof body.detail, 'string');
  assertSecured(headers);
  return body;
}

export function assertSecured(headers: Headers): void {
  assert.equal(headers.get('cache-control'), 'no-store');
  assert.equal(headers.get('x-content-type-options'), 'nosniff');
  assert.equal(headers.get('referrer-policy'), 'no-referrer');
  assert.match(headers.get('content-security-policy') ?? '', /^default-src 'self'; script-src 'self'/);
  assert.match(headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/);
}
