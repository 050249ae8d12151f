/**
 * Recording an outcome of 12 MB: how long the thread that serves requests is held by its commit, as a ratio to the insertion of the same
 * blob by better-sqlite3 alone with the same settings and table, measured in turn in the same run, neither with a checkpoint of the log. Prepared: written, salted and hashed on
 * the engine's thread, as outcomes are; unprepared: all of that in the commit's thread. Then the results of such a run: what reading them
 * from the journal costs, which a thread does, and what the thread that serves requests does.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openHome } from '../src/app/home/open.js';
import type { Home, World } from '../src/app/home/home.js';
import { initHome } from '../src/app/home/init.js';
import { executeRun } from '../src/app/simulation/runs/execute.js';
import { resultsJson } from '../src/app/simulation/runs/stored.js';
import type { AnsweredSimulation } from '../src/app/simulation/runs/thread.js';
import { ResultsTexts } from '../src/app/simulation/runs/results-text.js';
import { requestRun } from '../src/app/simulation/runs/runs.js';
import { canonicalJson } from '../src/base/canonical-json.js';
import { sha256Hex } from '../src/base/bytes.js';
import { unwrap } from '../src/base/refusal.js';
import { decode } from '../src/codec/kit.js';
import { settled, simulationInput } from '../src/codec/simulation.js';
import type { SimulationRun } from '../src/domain/simulation.js';
import { simulate } from '../src/engines/simulation/engine.js';
import { salted } from '../src/journal/salted.js';
import { emptyLog, openDatabase } from '../src/store/database.js';
import { median } from './measure.js';

export const name = 'large outcome';

const rounds = 8;
const individuals = 10_000;
const actor = 'operator';

/** Processor time of this process in ms; what runs meanwhile on other threads is included. */
const cpu = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

interface Took {
  readonly ms: number;
  readonly cpu_ms: number;
}

function timed(run: () => unknown): Took {
  const [before, began] = [cpu(), performance.now()];
  run();
  return { ms: performance.now() - began, cpu_ms: cpu() - before };
}

function outcomeText(request: ReturnType<typeof settled>): string {
  const outcome = simulate(request, ['main'], { checkpoint: () => undefined });
  const [one] = outcome.population;
  return canonicalJson({ ...outcome, population: Array.from({ length: individuals }, () => one) });
}

/** Records the outcome; returns how long the last commit, which stores it, held this thread. */
async function recorded(home: Home, answer: AnsweredSimulation): Promise<Took & { readonly run: SimulationRun }> {
  const request = settled(unwrap(decode(simulationInput, { pop_size: 2, generations: 1 })), 1);
  const { id } = await requestRun(home, { request, runner: 'command', actor });
  let took: Took = { ms: 0, cpu_ms: 0 };
  emptyLog(home.db);
  const watched: Home = {
    ...home,
    transact: async (command) => {
      let made: { readonly value: ReturnType<typeof command> } | null = null;
      took = timed(() => (made = { value: home.writer.transact(command) }));
      return (made as unknown as { readonly value: ReturnType<typeof command> }).value;
    },
  };
  const run = await executeRun(watched, id, { actor, simulate: async () => answer });
  return { ...took, run };
}

function prepared(text: string): AnsweredSimulation {
  const bytes = new TextEncoder().encode(text);
  return { type: 'answered', text: bytes, outcome_hash: sha256Hex(text), salted: salted(bytes) };
}

/** Returns how long one insertion in a transaction of its own takes. */
function bareInsertion(home: Home, file: string, bytes: Buffer): () => Took {
  const db = openDatabase(file, { create: true });
  const table = home.db
    .prepare<[], { sql: string }>("SELECT sql FROM sqlite_master WHERE type = 'table' AND name = 'blob'")
    .get();
  db.exec(table?.sql ?? '');
  const insert = db.prepare('INSERT INTO blob(hash, salt, bytes) VALUES (?, ?, ?)');
  return () => {
    const { salt, hash } = salted(bytes);
    emptyLog(db);
    return timed(() => db.transaction(() => insert.run(hash, Buffer.from(salt), bytes))());
  };
}

const row = (what: string, took: readonly Took[], base: readonly Took[]): string => {
  const of = (key: keyof Took, list: readonly Took[]): number => median(list.map((one) => one[key]));
  const cells = [of('ms', took), of('cpu_ms', took)].map((ms) => ms.toFixed(1).padStart(8));
  const ratios = [of('ms', took) / of('ms', base), of('cpu_ms', took) / of('cpu_ms', base)].map((r) => r.toFixed(2).padStart(8));
  return `${what.padEnd(44)} ${cells.join(' ')} ${ratios.join(' ')}`;
};

export async function run(print: (line: string) => void): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'bench-outcome-'));
  const world: World = { env: { AGENT_WITNESS: join(root, 'witness') }, clock: Date.now, directory: join(root, 'home') };
  initHome(world);
  const home = openHome(world);
  try {
    const text = outcomeText(settled(unwrap(decode(simulationInput, { pop_size: 2, generations: 1, num_sectors: 100 })), 1));
    const plain: AnsweredSimulation = { type: 'answered', text, outcome_hash: sha256Hex(text) };
    const insert = bareInsertion(home, join(root, 'bare.sqlite3'), Buffer.from(text));
    const took = { bare: [] as Took[], prepared: [] as Took[], plain: [] as Took[], read: [] as Took[], kept: [] as Took[] };
    for (let i = 0; i < rounds; i++) {
      took.bare.push(insert());
      const texts = new ResultsTexts(home.db, home.paths.journal);
      const answer = prepared(text);
      const { run, ...one } = await recorded(home, answer);
      took.prepared.push(one);
      took.read.push(timed(() => resultsJson(home.db, run, true)));
      await texts.of(run, true);
      took.kept.push(timed(() => texts.of(run, true)));
      const { run: _, ...other } = await recorded(home, plain);
      took.plain.push(other);
    }
    print(
      `an outcome of ${(text.length / 1e6).toFixed(1)} MB; medians of ${rounds}                  ms   cpu ms    ratio  cpu ratio`,
    );
    print(row('insertion by better-sqlite3 alone', took.bare, took.bare));
    print(row('recorded, prepared on the thread of the run', took.prepared, took.bare));
    print(row('recorded, unprepared', took.plain, took.bare));
    print(row('its results read from the journal', took.read, took.bare));
    print(row('its results as the server has them', took.kept, took.bare));
  } finally {
    home.close();
    rmSync(root, { recursive: true });
  }
}
