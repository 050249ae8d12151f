/** The fuzzer: gives targets one input after the other, keeps those after which an invariant does not hold, and counts. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { prng } from '../../src/base/prng.js';
import type { Mutant } from '../support/archive/byte-mutations.js';
import { hang_ms } from '../support/wait.js';
import { busFrames } from './bus-frames.js';
import { files } from './files.js';
import { Place } from './fuzzed-daemon.js';
import { httpBytes } from './http-bytes.js';
import { journalRows } from './journal-rows.js';
import { jsonBodies } from './json-bodies.js';
import { socketFrames } from './socket-frames.js';
import { Outcomes, type Target, type TargetKind } from './target.js';

export const targets: readonly TargetKind[] = [httpBytes, jsonBodies, files, journalRows, busFrames, socketFrames];

export interface FuzzOptions {
  readonly seed: number;
  readonly first: number;
  /** Ends after so many inputs, and before that after so much time, for each target. */
  readonly cases_max: number;
  readonly ms_max: number;
  /** Where inputs are kept after which something is wrong. */
  readonly folder: string;
  /** A place that the caller ends; by default one of its own. */
  readonly place?: Place;
  readonly print: (line: string) => void;
}

export interface Failure {
  /** The number of the input; null if it is the end that was wrong. */
  readonly input: number | null;
  readonly what: string;
  readonly file: string | null;
  readonly wrong: readonly string[];
}

export interface Fuzzed {
  readonly name: string;
  readonly cases: number;
  readonly seconds: number;
  readonly outcomes: Outcomes;
  readonly failures: readonly Failure[];
}

const failures_max = 10;
const outcomes_shown = 12;
const progress_ms = 10_000;

export async function fuzz(kinds: readonly TargetKind[], options: FuzzOptions): Promise<readonly Fuzzed[]> {
  const done: Fuzzed[] = [];
  const place = options.place ?? new Place();
  for (const kind of kinds) done.push(await fuzzOne(kind, place, options));
  if (options.place === undefined) done.push(await closed(place, options));
  return done;
}

async function fuzzOne(kind: TargetKind, place: Place, options: FuzzOptions): Promise<Fuzzed> {
  const { seed, first, cases_max, ms_max, print } = options;
  print(`${kind.name}: ${kind.what}; seed ${seed}`);
  const failures: Failure[] = [];
  const outcomes = new Outcomes();
  let target = await kind.open(place);
  const began = performance.now();
  let shown = began;
  let cases = 0;
  while (cases < cases_max && performance.now() - began < ms_max && failures.length < failures_max) {
    const input = first + cases++;
    const mutant = await target.make(prng(seed, input));
    const wrong = await tried(target, mutant.bytes);
    if (wrong.length > 0) {
      failures.push(kept(kind, input, mutant, wrong, options));
      // What the input has done is no fault of the next one.
      outcomes.addAll(target.outcomes);
      await target.close().catch(() => undefined);
      await place.close().catch(() => undefined);
      target = await kind.open(place);
    }
    if (performance.now() - shown > progress_ms) {
      shown = performance.now();
      print(`${kind.name}: ${cases} inputs, ${failures.length} failures, ${remaining(options, cases, shown - began)}`);
    }
  }
  outcomes.addAll(target.outcomes);
  const wrong = await target.close();
  if (wrong.length > 0) {
    failures.push({ input: null, what: 'after all inputs', file: null, wrong });
    print(`${kind.name}: FAILED after all inputs: ${wrong.join('; ')}`);
  }
  const seconds = (performance.now() - began) / 1_000;
  print(`${kind.name}: ${cases} inputs in ${seconds.toFixed(1)} s, ${failures.length} failures`);
  return { name: kind.name, cases, seconds, outcomes, failures };
}

/** Ends the daemon that the targets shared, as a target of its own. */
async function closed(place: Place, { print }: FuzzOptions): Promise<Fuzzed> {
  const wrong = await place.close();
  for (const line of wrong) print(`the daemon: FAILED at its end: ${line}`);
  const failures = wrong.length === 0 ? [] : [{ input: null, what: 'the end of the daemon', file: null, wrong }];
  return { name: 'the end of the daemon', cases: 1, seconds: 0, outcomes: new Outcomes(), failures };
}

/** Gives the target one input. A fault of the target itself, and an input that it never finishes, are failures of the input. */
async function tried(target: Target, bytes: Buffer): Promise<readonly string[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<readonly string[]>((resolve) => {
    timer = setTimeout(() => resolve([`no end within ${hang_ms / 1_000} s`]), hang_ms);
  });
  try {
    return await Promise.race([target.try(bytes), late]);
  } catch (error) {
    return [error instanceof Error ? (error.stack ?? error.message) : String(error)];
  } finally {
    clearTimeout(timer);
  }
}

function kept(kind: TargetKind, input: number, { bytes, what }: Mutant, wrong: readonly string[], options: FuzzOptions): Failure {
  const { folder, seed, print } = options;
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${kind.name}-${seed}-${input}.bin`);
  writeFileSync(file, bytes);
  print(`${kind.name}: FAILED: input ${input} of seed ${seed} (${what}), kept as ${file}`);
  for (const line of wrong) print(`   ${line}`);
  return { input, what, file, wrong };
}

function remaining({ cases_max, ms_max }: FuzzOptions, cases: number, elapsed_ms: number): string {
  const by_cases_ms = (elapsed_ms / cases) * (cases_max - cases);
  const left_ms = Math.max(0, Math.min(by_cases_ms, ms_max - elapsed_ms));
  return `${Math.ceil(left_ms / 1_000)} s remaining`;
}

/** Returns the table in Markdown. */
export const tableOf = (fuzzed: readonly Fuzzed[]): readonly string[] => [
  '| Target | Inputs | Seconds | Failures | Outcomes |',
  '|---|---|---|---|---|',
  ...fuzzed.map(
    ({ name, cases, seconds, outcomes, failures }) =>
      `| ${name} | ${cases.toLocaleString('en')} | ${seconds.toFixed(0)} | ${failures.length} | ${outcomes.shown(outcomes_shown)} |`,
  ),
];

/** Gives a target an input that was kept. Returns what is wrong. */
export async function again(kind: TargetKind, bytes: Buffer): Promise<readonly string[]> {
  const place = new Place();
  const target = await kind.open(place);
  const wrong = await tried(target, bytes);
  return [...wrong, ...(await target.close()), ...(await place.close())];
}
