/**
 * The operator's API against a bare Node http server in the same run: requests per second as a ratio, the response time of a
 * status while four missions run, and memory over many requests. Servers have processes of their own; autocannon runs in this
 * one.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { configure, pause, resume } from '../src/app/control/control.js';
import { initHome } from '../src/app/home/init.js';
import { openHome } from '../src/app/home/open.js';
import type { World } from '../src/app/home/home.js';
import type { Event } from '../src/codec/event.js';
import { role, type Said } from './http-server.js';

export const name = 'HTTP: the operator API';

type Print = (line: string) => void;

const missions = Number(process.env['BENCH_MISSIONS'] ?? '10000');
const many = Number(process.env['BENCH_REQUESTS'] ?? '200000');
const rounds = Number(process.env['BENCH_ROUNDS'] ?? '11');
const slice_requests = 3_000;
const warming_requests = 20_000;
const connections = 10;
/** Covers what is compiled or kept in bounded caches meanwhile; a leak of 16 bytes per request is more. */
const growth_bytes_max = 3_000_000;

export interface Server {
  readonly url: string;
  readonly heap: () => Promise<number>;
  readonly stop: () => Promise<void>;
}

export async function run(print: Print): Promise<void> {
  const base = mkdtempSync(path.join(tmpdir(), 'agent-bench-http-'));
  const directory = path.join(base, 'home');
  const witness = path.join(base, 'witness');
  const bare = await start([]);
  try {
    await fill({ env: { AGENT_WITNESS: witness }, clock: Date.now, directory });
    const token = readFileSync(path.join(directory, 'api.token'), 'utf8').trim();
    const agent = await start([directory, witness, '4']);
    try {
      await ratios(bare, agent, token, print);
      await whileExecuting(agent, token, print);
      await memory(agent, token, print);
    } finally {
      await agent.stop();
    }
  } finally {
    await bare.stop();
    rmSync(base, { recursive: true, force: true });
  }
}

/** Forks `http-server.ts` with these arguments; the server reports its port. */
export async function start(args: readonly string[]): Promise<Server> {
  const module = fileURLToPath(new URL('./http-server.js', import.meta.url));
  const child = fork(module, [role, ...args], { execArgv: ['--expose-gc'], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  const said = await heard(child);
  if (!('port' in said)) throw new Error('the server told no port');
  return {
    url: `http://127.0.0.1:${said.port}`,
    heap: async () => {
      child.send('heap');
      const answer = await heard(child);
      return 'heap_bytes' in answer ? answer.heap_bytes : 0;
    },
    stop: async () => {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
}

async function heard(child: ChildProcess): Promise<Said> {
  const [said] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error('the server ended'))),
  ])) as [Said];
  return said;
}

const uuid = (n: number): string => `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;

const submitted = (n: number): Event => ({
  type: 'mission.submitted',
  document: {
    kind: 'schedule',
    goal: `mission ${n}`,
    request_hash: 'ab'.repeat(32),
    request: { goal: 'try', work: { kind: 'schedule', jobs: [] } },
  },
});

/** Enough effort for the missions to run during the whole measurement. */
const config = { max_evaluations: 100_000_000 };

async function fill(world: World): Promise<void> {
  initHome(world);
  const home = openHome(world);
  const batch = 1_000;
  for (let i = 0; i < missions; i += batch) {
    home.writer.transact((tx) => {
      for (let n = i; n < Math.min(missions, i + batch); n++) tx.append(uuid(n), submitted(n));
      return null;
    });
  }
  const file = path.join(world.directory, '..', 'config.json');
  writeFileSync(file, JSON.stringify(config));
  await pause(home, 'bench');
  await configure(home, file, 'bench');
  await resume(home, 'bench');
  home.close();
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Returns requests per second over a number of them. Ten connections send at once, each the next request after its response. */
export async function rate(url: string, token: string | null, amount = slice_requests): Promise<number> {
  const headers = token === null ? {} : { Authorization: `Bearer ${token}` };
  const began = performance.now();
  let last = began;
  // autocannon checks only once a second whether it is done.
  const asking = autocannon({ url, connections, amount, headers });
  asking.on('response', () => (last = performance.now()));
  const { non2xx, errors } = await asking;
  if (non2xx + errors > 0) throw new Error(`${url}: ${non2xx} answers that are no 2xx, ${errors} errors`);
  return (amount * 1_000) / (last - began);
}

/** Measures both servers in turn and for a short time each, so that other load on the machine affects both. */
async function ratios(bare: Server, agent: Server, token: string, print: Print): Promise<void> {
  for (const [at, reach] of [
    ['/healthz', 0.2],
    ['/api/status', 0.1],
    ['/api/missions', 0.1],
  ] as const) {
    const sent = at === '/healthz' ? null : token;
    await rate(agent.url + at, sent, warming_requests);
    await rate(bare.url, sent, warming_requests);
    const found: number[] = [];
    const rates: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const limit = await rate(bare.url, sent);
      const ours = await rate(agent.url + at, sent);
      rates.push(ours);
      found.push(ours / limit);
    }
    print(`GET ${at}: ${median(found).toFixed(2)} of a bare server (reach ${reach}), ${Math.round(median(rates))}/s`);
  }
}

/** Returns thirty jobs on fifteen machines, each in its own order, for which no optimum is proved soon. */
function slowMission(n: number): unknown {
  let state = n;
  // MINSTD (Park and Miller, 1988).
  const below = (limit: number): number => (state = (state * 48_271) % 2_147_483_647) % limit;
  const operations = (): unknown[] => {
    const machines = Array.from({ length: 15 }, (_, m) => m).toSorted(() => below(3) - 1);
    return machines.map((m) => ({ machine: `m${m}`, duration: 1 + below(99) }));
  };
  const jobs = Array.from({ length: 30 }, (_, j) => ({ id: `j${j}`, operations: operations() }));
  return { goal: `keep a thread busy ${n}`, seed: n, work: { kind: 'schedule', jobs } };
}

async function post(agent: Server, token: string, at: string, body?: unknown): Promise<{ readonly id: string }> {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const response = await fetch(agent.url + at, {
    method: 'POST',
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${at}: ${await response.text()}`);
  return (await response.json()) as { readonly id: string };
}

async function executing(agent: Server, token: string): Promise<number> {
  const response = await fetch(`${agent.url}/api/status`, { headers: { Authorization: `Bearer ${token}` } });
  return ((await response.json()) as { readonly executing: readonly string[] }).executing.length;
}

/** Requests one status after another, to measure the server and not a queue of requests. */
async function whileExecuting(agent: Server, token: string, print: Print): Promise<void> {
  const ids: string[] = [];
  for (let n = 1; n <= 4; n++) {
    const { id } = await post(agent, token, '/api/missions', slowMission(n));
    await post(agent, token, `/api/missions/${id}/execute`);
    ids.push(id);
  }
  const times: number[] = [];
  let least = 4;
  for (const end = performance.now() + 10_000; performance.now() < end; ) {
    const began = performance.now();
    const running = await executing(agent, token);
    times.push(performance.now() - began);
    least = Math.min(least, running);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  if (least < 4) throw new Error(`only ${least} missions were running`);
  for (const id of ids) await post(agent, token, `/api/missions/${id}/cancel`);
  const p99 = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN;
  print(`GET /api/status while 4 missions run: p99 ${p99.toFixed(1)} ms of ${times.length} requests (reach 20)`);
}

async function memory(agent: Server, token: string, print: Print): Promise<void> {
  const ask = async (amount: number): Promise<void> => {
    const headers = { Authorization: `Bearer ${token}` };
    const requests = ['/healthz', '/api/status', '/api/missions', '/api/nothing'].map((at) => ({ path: at }));
    await autocannon({ url: agent.url, connections, amount, headers, requests });
  };
  await ask(Math.ceil(many / 10));
  const before = await agent.heap();
  await ask(many);
  const after = await agent.heap();
  const mb = (bytes: number): string => (bytes / 1e6).toFixed(1);
  print(`memory over ${many} requests: ${mb(before)} MB before, ${mb(after)} MB after, collected (reach: no growth)`);
  if (after - before > growth_bytes_max) throw new Error(`the memory grew by ${mb(after - before)} MB`);
}
