/** A short slice of the fuzzer for each target, the same inputs in every run; longer ones with TEST_EFFORT=full, or by scripts/fuzz. @slow */
import { deepStrictEqual, match, ok, strictEqual } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { prng } from '../../src/base/prng.js';
import { folderForSuite } from '../support/app/temporary-home.js';
import { root } from '../support/cli/cli-run.js';
import { atEffort } from '../support/effort.js';
import { build_ms_max } from '../support/wait.js';
import { again, type Failure, fuzz, targets } from './fuzz.js';
import { Place } from './fuzzed-daemon.js';
import { Outcomes, type TargetKind } from './target.js';

const seed = 20_261_123;
/** Inputs of each target; those of the journal are in test/sweep/mutation-sweep.test.ts, which has the homes for them. */
const cases: Readonly<Record<string, number>> = {
  http: atEffort(60, 5_000),
  json: atEffort(200, 10_000),
  files: atEffort(20, 2_000),
  bus: atEffort(10, 2_000),
  socket: atEffort(15, 2_000),
};

/** What some of the inputs must come to: an input that is refused at once tries little. */
const expected: Readonly<Record<string, readonly string[]>> = {
  http: ['200', '400'],
  json: ['200', '201', '422', '400', '404', '409'],
  bus: ['OK', 'INVALID_ARGUMENT', 'FAILED_PRECONDITION', 'frames'],
  socket: ['101', '400'],
};

describe('the fuzzer', () => {
  const folder = folderForSuite();
  const place = new Place();
  const options = { seed, first: 0, ms_max: Number.POSITIVE_INFINITY, place, print: () => undefined };

  for (const kind of targets.filter(({ name }) => name !== 'journal')) {
    const count = cases[kind.name] ?? 0;
    it(`finds no broken invariant in ${kind.name} after each of ${count} inputs`, async () => {
      const [fuzzed] = await fuzz([kind], { ...options, cases_max: count, folder });
      deepStrictEqual(fuzzed?.failures, []);
      strictEqual(fuzzed?.cases, count);
      const missing = (expected[kind.name] ?? []).filter((outcome) => !fuzzed?.outcomes.counts.has(outcome));
      deepStrictEqual(missing, [], `outcomes: ${fuzzed?.outcomes.shown(count) ?? ''}`);
    });
  }

  it('leaves a daemon that ends in order, and a journal that verifies', async () => {
    deepStrictEqual(await place.close(), []);
  });

  describe('of a target that fails', () => {
    const open = (): ReturnType<TargetKind['open']> =>
      Promise.resolve({
        outcomes: new Outcomes(),
        make: (random) => ({ bytes: Buffer.from([random.below(256)]), what: 'a byte' }),
        try: ([byte = 0]) => Promise.resolve(byte > 200 ? [`${byte} is too much`] : []),
        close: () => Promise.resolve([]),
      });
    const kind: TargetKind = { name: 'bytes', what: 'bytes', invariants: [], open };
    const failuresOf = async (first: number, cases_max: number): Promise<readonly Failure[]> => {
      const [fuzzed] = await fuzz([kind], { ...options, first, cases_max, folder: join(folder, 'failing') });
      return fuzzed?.failures ?? [];
    };

    it('keeps each failing input, the same one for the same seed and number', async () => {
      const failures = await failuresOf(0, 40);
      ok(failures.length > 1);
      for (const { input, file, wrong } of failures) {
        const bytes = readFileSync(file ?? '');
        deepStrictEqual([...bytes], [prng(seed, input ?? -1).below(256)]);
        deepStrictEqual(wrong, [`${bytes[0]} is too much`]);
        deepStrictEqual(await again(kind, bytes), wrong);
      }
      const [second] = await failuresOf(failures[1]?.input ?? 0, 1);
      deepStrictEqual(second, failures[1]);
      strictEqual(readdirSync(join(folder, 'failing')).length, failures.length);
    });

    it('ends after ten failures', async () => {
      strictEqual((await failuresOf(0, 10_000)).length, 10);
    });
  });

  it('is a script that prints what came of its inputs', () => {
    const args = ['--target', 'files', '--seed', String(seed), '--cases', '3', '--output', join(folder, 'kept')];
    const { status, stdout, stderr } = spawnSync(join(root, 'scripts', 'fuzz'), args, {
      cwd: root,
      encoding: 'utf8',
      timeout: build_ms_max,
    });
    deepStrictEqual([status, stderr], [0, '']);
    match(stdout, /^\| files +\| 3 /m);
  });

  it('is a script that names its targets and refuses others', () => {
    const { status, stderr } = spawnSync(join(root, 'scripts', 'fuzz'), ['--target', 'nothing'], { cwd: root, encoding: 'utf8' });
    const names = targets.map(({ name }) => name).join(', ');
    deepStrictEqual([status, stderr], [2, `no such target: nothing (there are: ${names})\n`]);
  });
});
