/**
 * The simulation's server: requests for results against a bare Node http server in the same run, the default request from its
 * POST to its results, and the duration of a POST while large runs are computed. Servers have processes of their own.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { initHome } from '../src/app/home/init.js';
import { median, rate, start, type Server } from './http.js';
import { simulation_token } from './http-server.js';

export const name = 'HTTP: the simulation';

type Print = (line: string) => void;

const rounds = Number(process.env['BENCH_ROUNDS'] ?? '11');
const warming_requests = 20_000;
const whole_runs = 40;
const posts = 500;
const large = { pop_size: 10_000, generations: 10_000, entropy: 2 };

export async function run(print: Print): Promise<void> {
  const base = mkdtempSync(path.join(tmpdir(), 'agent-bench-simulation-'));
  const directory = path.join(base, 'home');
  const witness = path.join(base, 'witness');
  initHome({ env: { AGENT_WITNESS: witness }, clock: Date.now, directory });
  const bare = await start([]);
  try {
    const server = await start([directory, witness, 'simulation']);
    try {
      const id = await wholeRuns(server, print);
      await ratios(bare, server, id, print);
      await whileComputing(bare, server, print);
    } finally {
      await server.stop();
    }
  } finally {
    await bare.stop();
    rmSync(base, { recursive: true, force: true });
  }
}

const headers = { Authorization: `Bearer ${simulation_token}`, 'Content-Type': 'application/json' };

async function post(server: Server, document: unknown): Promise<string> {
  const response = await fetch(`${server.url}/simulate`, { method: 'POST', headers, body: JSON.stringify(document) });
  if (response.status !== 200) throw new Error(`POST /simulate: ${await response.text()}`);
  return ((await response.json()) as { readonly id: string }).id;
}

async function hasResults(server: Server, id: string): Promise<boolean> {
  const response = await fetch(`${server.url}/results/${id}`, { headers });
  await response.arrayBuffer();
  if (response.status !== 200 && response.status !== 404) throw new Error(`run ${id}: ${response.status}`);
  return response.status === 200;
}

/** Measures whole runs, polling at once while a result is missing. Returns the id of the last run. */
async function wholeRuns(server: Server, print: Print): Promise<string> {
  const times: number[] = [];
  let id = '';
  for (let n = 0; n < whole_runs; n++) {
    const began = performance.now();
    id = await post(server, {});
    while (!(await hasResults(server, id)));
    times.push(performance.now() - began);
  }
  print(`the default request, from POST to its results: ${spread(times)}`);
  return id;
}

/** Measures both servers in turn and for a short time each, so that other load on the machine affects both. */
async function ratios(bare: Server, server: Server, id: string, print: Print): Promise<void> {
  for (const at of ['/results', `/results/${id}`]) {
    await rate(server.url + at, simulation_token, warming_requests);
    await rate(bare.url, simulation_token, warming_requests);
    const found: number[] = [];
    const rates: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const limit = await rate(bare.url, simulation_token);
      const ours = await rate(server.url + at, simulation_token);
      rates.push(ours);
      found.push(ours / limit);
    }
    const path = at.replace(id, '{id}');
    print(`GET ${path}: ${median(found).toFixed(2)} of a bare server (reach 0.1), ${Math.round(median(rates))}/s`);
  }
}

/**
 * Sends one POST after another, to measure the server and not a queue of requests; in turn with the bare server, whose times are
 * those of the machine and the client, with every processor busy.
 */
async function whileComputing(bare: Server, server: Server, print: Print): Promise<void> {
  for (let n = 0; n < 4; n++) await post(server, { ...large, seed: n });
  const times: number[] = [];
  const bareTimes: number[] = [];
  for (let n = 0; n < posts; n++) {
    times.push(await timed(() => post(server, {})));
    bareTimes.push(await timed(async () => (await fetch(bare.url, { method: 'POST', headers, body: '{}' })).arrayBuffer()));
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const runs = await fetch(`${server.url}/runs?state=running`, { headers });
  const { items } = (await runs.json()) as { readonly items: readonly { readonly request: { readonly pop_size: number } }[] };
  if (!items.some(({ request }) => request.pop_size === large.pop_size)) throw new Error('no large run was computed');
  print(`POST /simulate while 4 large runs are computed or wait: ${spread(times)} (reach: p99 15 ms)`);
  print(`POST to the bare server meanwhile: ${spread(bareTimes)}`);
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await act();
  return performance.now() - began;
}

function spread(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): string => (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0).toFixed(1);
  return `median ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms, of ${times.length}`;
}
