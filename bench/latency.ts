/**
 * How long small work takes over HTTP: a mission of each kind from its POST through its execution to its review, and the default
 * simulation from its POST to its results, in an empty home and in one of 100 000 entries. Beside it, in the same run: the engine's own
 * time (computing, and verifying twice), and a bare commit of SQLite, one after each way, so that the same disk serves both.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import type { Statement } from 'better-sqlite3';
import { initHome } from '../src/app/home/init.js';
import { openHome } from '../src/app/home/open.js';
import { unwrap } from '../src/base/refusal.js';
import type { Kind } from '../src/codec/kinds.js';
import { decode } from '../src/codec/kit.js';
import { settled, simulationInput } from '../src/codec/simulation.js';
import { simulate } from '../src/engines/simulation/engine.js';
import { engineInput } from '../src/kinds/engine-input.js';
import { missionRequest } from '../src/kinds/request.js';
import { solverOf } from '../src/kinds/verifiers.js';
import type { Db } from '../src/store/database.js';
import { Database } from '../src/store/sqlite.js';
import { start, type Server } from './http.js';
import { simulation_token } from './http-server.js';
import { fill, world } from './journal-data.js';
import { median } from './measure.js';
import { Client } from './post.js';

export const name = 'latency';

type Print = (line: string) => void;

const times_each = Number(process.env['BENCH_ROUNDS'] ?? '100');
/** Rounds before the ones that count: V8 compiles what runs often, and a daemon that has worked for some minutes is past that. */
const warming = 300;
/** Those that are shown apart, because a daemon is slower right after its start. */
const first = 20;
const many = 100_000;

const works = {
  allocation: {
    kind: 'allocation',
    budget: 20,
    items: Array.from({ length: 12 }, (_, i) => ({ id: `i${i}`, cost: 1 + ((i * 7) % 9), value: 2 + ((i * 5) % 11) })),
  },
  schedule: {
    kind: 'schedule',
    jobs: Array.from({ length: 4 }, (_, j) => ({
      id: `j${j}`,
      operations: Array.from({ length: 3 }, (_, m) => ({ machine: `m${(j + m) % 3}`, duration: 1 + ((j * 3 + m * 5) % 7) })),
    })),
  },
  forecast: { kind: 'forecast', observations: Array.from({ length: 36 }, (_, i) => 100 + i + 10 * ((i * 7) % 12)) },
  research: {
    kind: 'research',
    sources: [
      { id: 's1', title: 'Tide tables', text: 'High water is at six. Low water is at noon. The ferry waits for high water.' },
    ],
  },
} as const;

type Small = keyof typeof works;
const smallKinds = Object.keys(works) as Small[];
const missionOf = (kind: Small): unknown => ({ goal: 'When is high water?', seed: 1, work: works[kind] });

export async function run(print: Print): Promise<void> {
  const base = mkdtempSync(path.join(tmpdir(), 'agent-bench-latency-'));
  try {
    const bare = new BareCommits(base);
    for (const entries of [1, many]) {
      const directory = path.join(base, `of-${entries}`);
      if (entries > 1) fill(directory, entries, 'in batches');
      else initHome(world(directory));
      await inHome(directory, print, bare);
    }
    bare.close();
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

async function inHome(directory: string, print: Print, bare: BareCommits): Promise<void> {
  const home = openHome(world(directory));
  const entries = home.writer.head.size;
  home.close();
  print(`in a home of ${entries.toLocaleString('en-US')} entries:`);
  const token = readFileSync(path.join(directory, 'api.token'), 'utf8').trim();
  const server = await start([directory, `${directory}-witness`, '1']);
  try {
    await isVerified(server, token);
    for (const [kind, ways] of await missionWays(server, token, bare)) report(print, kind, ways, { ms: 10, commits: 5 });
  } finally {
    await server.stop();
  }
  const simulations = await start([directory, `${directory}-witness`, 'simulation']);
  try {
    report(print, 'simulation', await simulationWays(simulations, bare), { ms: 15, commits: 3 });
  } finally {
    await simulations.stop();
  }
}

/** The times of one way, in ms. */
interface Way {
  /** The times of its requests. */
  readonly parts: readonly number[];
  /** The time of the computing alone, done in this process after each way: as seldom as the daemon does it, and as warm. */
  readonly alone: number;
  /** The time of a bare commit right after it. */
  readonly commit: number;
}

const whole = ({ parts }: Way): number => parts.reduce((a, b) => a + b, 0);

/** What a way may take beyond the engine's own time: these ms, and so many bare commits. */
interface Allowance {
  readonly ms: number;
  readonly commits: number;
}

function report(print: Print, what: string, ways: readonly Way[], allowance: Allowance): void {
  const measured = ways.slice(warming);
  const commit_ms = median(measured.map(({ commit }) => commit));
  const allowed_ms = allowance.ms + allowance.commits * commit_ms;
  const engine_ms = median(measured.map(({ alone }) => alone));
  const over = median(measured.map(whole)) - engine_ms;
  print(
    `  ${what}: ${spread(measured.map(whole))}; the engine itself ${engine_ms.toFixed(1)} ms, a bare commit ${commit_ms.toFixed(2)} ms;`,
  );
  print(
    `    ${over.toFixed(1)} ms more than the engine, ${over <= allowed_ms ? 'within' : 'beyond'} the ${allowed_ms.toFixed(1)} ms to reach`,
  );
  const requests = measured[0]?.parts.length ?? 0;
  if (requests > 1) {
    const each = Array.from({ length: requests }, (_, n) => spread(measured.map(({ parts }) => parts[n] ?? Number.NaN)));
    print(`    submit, execute, review: ${each.join('; ')}`);
  }
  print(`    the first ${first}: ${spread(ways.slice(0, first).map(whole))}`);
}

/** A table of its own, to which one row of the size of an entry is committed with synchronous=FULL. */
class BareCommits {
  private readonly db: Db;
  private readonly insert: Statement<[string]>;

  constructor(base: string) {
    this.db = new Database(path.join(base, 'bare.sqlite3'));
    this.db.pragma('journal_mode = WAL');
    this.db.pragma('synchronous = FULL');
    this.db.exec('CREATE TABLE row(id INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT');
    this.insert = this.db.prepare('INSERT INTO row(body) VALUES (?)');
  }

  /** Returns the time of one, in ms. */
  one(): number {
    return timed(() => void this.insert.run('x'.repeat(900)));
  }

  close(): void {
    this.db.close();
  }
}

function timed(act: () => void): number {
  const began = performance.now();
  act();
  return performance.now() - began;
}

/** Returns what an execution and a review compute: the result is verified where it is made, and again at the review. */
async function computing(kind: Kind, mission: unknown): Promise<() => void> {
  const input = engineInput(unwrap(decode(missionRequest, mission)), { max_evaluations: 100_000 }, null);
  const solver = solverOf(kind);
  if (solver === null) throw new Error(`${kind} has no engine`);
  const [engine, verify] = [await solver.engine.load(), await solver.verifier()];
  const run = (): unknown => unwrap(engine.run(input, () => undefined)).result;
  return () => {
    const result = run();
    for (let i = 0; i < 2; i++) {
      verify(input, result);
      if (solver.isRecomputed) run();
    }
  };
}

/** Returns the ways of each kind. The kinds take turns, so that none is measured on a warmer daemon than another. */
async function missionWays(server: Server, token: string, bare: BareCommits): Promise<ReadonlyMap<Small, readonly Way[]>> {
  const measured = await Promise.all(
    smallKinds.map(async (kind) => ({ kind, ways: [] as Way[], compute: await computing(kind, missionOf(kind)) })),
  );
  const client = new Client(server, token);
  for (let round = 0; round < warming + times_each; round++) {
    for (const { kind, ways, compute } of measured) {
      const parts = await missionWay(client, kind);
      ways.push({ parts, alone: timed(compute), commit: bare.one() });
    }
  }
  return new Map(measured.map(({ kind, ways }) => [kind, ways]));
}

/** Returns the times of submitting, executing and reviewing one mission. */
async function missionWay(client: Client, kind: Small): Promise<readonly number[]> {
  const parts: number[] = [];
  const ask = async (at: string, body?: unknown): Promise<Shown> => {
    const began = performance.now();
    const text = await client.post(at, body === undefined ? '' : JSON.stringify(body));
    parts.push(performance.now() - began);
    return JSON.parse(text) as Shown;
  };
  const { id } = await ask('/api/missions', missionOf(kind));
  const { revision, result_hash } = await ask(`/api/missions/${id}/execute?wait=1`);
  await ask(`/api/missions/${id}/review`, { revision, result_hash, approve: true, note: 'fits' });
  return parts;
}

interface Shown {
  readonly id: string;
  readonly revision: number;
  readonly result_hash: string | null;
}

/** Waits until the server has verified its journal, which takes the processors from what is measured. */
async function isVerified(server: Server, token: string): Promise<void> {
  for (;;) {
    const response = await fetch(`${server.url}/api/status`, { headers: { Authorization: `Bearer ${token}` } });
    const { journal } = (await response.json()) as { readonly journal: { readonly valid: boolean | null } };
    if (journal.valid === true) return;
    if (journal.valid === false) throw new Error('the journal is not valid');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function simulationWays(server: Server, bare: BareCommits): Promise<readonly Way[]> {
  const settings = settled(unwrap(decode(simulationInput, {})), 42);
  const compute = (): void => void simulate(settings, ['main'], { checkpoint: () => undefined });
  const headers = { Authorization: `Bearer ${simulation_token}`, 'Content-Type': 'application/json' };
  const ways: Way[] = [];
  while (ways.length < warming + times_each) {
    const began = performance.now();
    const asked = await fetch(`${server.url}/simulate`, { method: 'POST', headers, body: '{}' });
    const { id } = (await asked.json()) as { readonly id: string };
    for (let status = 0; status !== 200; ) {
      const response = await fetch(`${server.url}/results/${id}`, { headers });
      await response.arrayBuffer();
      ({ status } = response);
      if (status !== 200 && status !== 404) throw new Error(`run ${id}: ${status}`);
    }
    ways.push({ parts: [performance.now() - began], alone: timed(compute), commit: bare.one() });
  }
  return ways;
}

function spread(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): string => (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0).toFixed(1);
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`;
}
