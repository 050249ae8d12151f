/** The arithmetic of transfer experiments, against figures that were worked out by other means. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { unwrap } from '../../src/base/refusal.js';
import { decodeSpec, type TransferRun } from '../../src/codec/transfer-run.js';
import { digestOf } from '../../src/codec/transfer-text.js';
import { specSchema, type TransferSpec } from '../../src/codec/transfer.js';
import { checkDocket } from '../../src/engines/transfer/docket-check.js';
import { experiment, learn, reportOf } from '../../src/engines/transfer/run.js';
import { outcomeOf } from '../../src/engines/transfer/outcome.js';
import { predict, rounded } from '../../src/engines/transfer/policies.js';
import { builtInSpec } from '../../src/engines/transfer/scenarios.js';
import { effort } from '../support/effort.js';
import { changed, leaves } from '../support/codec/mutants.js';
import { docketFiles, judge, resealed, reviewed, runOf, smallSpec } from '../support/app/transfer-samples.js';

describe('transfer: division', () => {
  const cases: readonly (readonly [bigint, bigint, number])[] = [
    [0n, 7n, 0],
    [1n, 2n, 1],
    [-1n, 2n, -1],
    [3n, 2n, 2],
    [-3n, 2n, -2],
    [1n, 3n, 0],
    [-2n, 3n, -1],
    [5n, 10n, 1],
    [-149n, 100n, -1],
    [2n * 9_007_199_254_740_991n + 1n, 2n, Number(9_007_199_254_740_992n)],
  ];
  for (const [numerator, denominator, expected] of cases) {
    it(`rounds ${numerator} / ${denominator} to ${expected}, half away from zero`, () => {
      assert.equal(rounded(numerator, denominator), expected);
    });
  }
});

describe('transfer: policies', () => {
  it('repeats the last value by last, and the rounded mean by mean', () => {
    assert.deepEqual(predict('last', [3, -7], 3), [-7000, -7000, -7000]);
    assert.deepEqual(predict('mean', [1, 2, 2], 2), [1667, 1667]);
    assert.deepEqual(predict('mean', [-1, -2, -2], 1), [-1667]);
  });

  it('repeats the last period by seasonal', () => {
    assert.deepEqual(predict('seasonal-3', [9, 9, 1, 2, 3], 7), [1000, 2000, 3000, 1000, 2000, 3000, 1000]);
    assert.deepEqual(predict('seasonal-8', [1, 2, 3, 4, 5, 6, 7, 8], 1), [1000]);
  });

  it('draws the line of least squares by linear, and rounds it once', () => {
    assert.deepEqual(predict('linear', [1, 2, 3, 4], 3), [5000, 6000, 7000]);
    // Mean 4/3, slope 1/2 about x = 1: 4/3 + (3 - 1)/2 = 7/3 and 17/6.
    assert.deepEqual(predict('linear', [1, 1, 2], 2), [2333, 2833]);
    assert.deepEqual(predict('linear', [-1, -1, -2], 2), [-2333, -2833]);
  });

  it('is exact by linear where its products pass 2^53', () => {
    const high = Array.from({ length: 64 }, (_, i) => (i < 32 ? -10_000 : 10_000));
    // Σ(x - 31.5)(y) = 2 · 10 000 · Σ_{k=0..31} (k + 0.5) = 10 240 000 and Σ(x - 31.5)² = 21 840.
    const exact = (h: number): number => rounded(10_240_000_000n * (2n * BigInt(64 + h) - 63n), 2n * 21_840n);
    assert.deepEqual(
      predict('linear', high, 16),
      Array.from({ length: 16 }, (_, h) => exact(h)),
    );
  });
});

describe('transfer: learning', () => {
  it('takes the first of policies with equal errors', () => {
    assert.equal(learn([5, 5, 5, 5, 5, 5]).policy, 'last');
    assert.equal(learn([1, 2, 3, 4, 5, 6]).policy, 'linear');
    assert.equal(learn([1, 2, 1, 2, 1, 2]).policy, 'seasonal-2');
  });

  it('walks forward from the third value, or from a period', () => {
    const { scores, forecast_calls } = learn(Array.from({ length: 20 }, (_, i) => (i % 7) * (i % 7)));
    assert.equal(
      scores.map((score) => `${score.policy} ${score.forecast_calls}`).join(),
      'last 17,mean 17,linear 17,seasonal-2 17,seasonal-3 17,seasonal-4 16,seasonal-5 15,seasonal-6 14,seasonal-7 13,seasonal-8 12',
    );
    assert.equal(forecast_calls, 155);
    assert.equal(scores.find(({ policy }) => policy === 'seasonal-7')?.error_milli, 0);
  });

  it('leaves out seasons that the series has not seen twice', () => {
    const names = (length: number): number => learn(Array.from({ length }, (_, i) => i)).scores.length;
    assert.deepEqual([4, 5, 6, 7, 16, 17].map(names), [3, 4, 4, 5, 9, 10]);
  });
});

describe('transfer: built-in scenarios', () => {
  // Digests of the reference agent's spec and core for the same scenario and seed.
  const known = [
    [
      'seasonal',
      '533c475a8b30286691e3c49ced78cd241614074eee4ad688a1990772c2bd0eca',
      '92179876e82203f5b7dc59a500b5f8b37e7e1a159fc8f0a1716280cd7299cc89',
    ],
    [
      'shift',
      'f9d6996c57ab5adc7e6c1cd2df744a9ecdcd9bb97ad9cfa406470b0bb97f513c',
      'aab11b8d87c781928ca56c47ed28687c2dd6735fa7310011dfb3bac3d5cf15b6',
    ],
  ] as const;
  for (const [scenario, spec_sha256, core_sha256] of known) {
    it(`have the known digests for ${scenario} with seed 37`, () => {
      const spec = builtInSpec(scenario, 37);
      assert.equal(digestOf(spec), spec_sha256);
      const core = unwrap(experiment(spec));
      assert.equal(core.spec_sha256, spec_sha256);
      assert.equal(digestOf(core), core_sha256);
    });
  }

  it('learn in B6 of ablation as in B5, and still pay for the training', () => {
    const { arms, metrics, capability, execution_accounting } = unwrap(experiment(builtInSpec('ablation', 37)));
    assert.deepEqual(arms.B6, arms.B5);
    assert.equal(capability.policy, 'seasonal-5');
    assert.equal(execution_accounting.forecast_calls_per_compute, 4 + 4 + 52 + 52 + 355);
    assert.deepEqual(metrics, {
      raw_gain_milli: 0,
      additional_forecast_calls: 0,
      validator_forecast_calls: 467,
      modeled_overhead_milli: 467 * 20 + 1000,
      advantage_before_human_milli: -10_340,
      risk_passed: false,
      task_wins: 0,
    });
  });

  it('have a spec that runs for every seed', () => {
    for (const scenario of ['seasonal', 'shift', 'ablation'] as const) {
      for (let seed = 1; seed <= 9_999; seed += 238) assert.ok(E.isRight(experiment(builtInSpec(scenario, seed))));
    }
  });
});

describe('transfer: a frozen policy longer than a task', () => {
  const eight = [1, 50, -20, 7, 300, -90, 12, 64];
  const spec = { ...smallSpec, training: Array.from({ length: 40 }, (_, i) => eight[i % 8] ?? 0) };

  it('is refused with the task that is too short', () => {
    const refused = experiment(spec);
    assert.ok(E.isLeft(refused));
    assert.equal(refused.left.detail, 'tasks[0].observed: the training chose seasonal-8, which needs 8 values or more');
  });

  it('does no harm where the archive is off', () => {
    assert.ok(E.isRight(experiment({ ...spec, archive_enabled: false })));
  });
});

describe('transfer: the outcome', () => {
  const run = runOf();
  const verdict = (changed: typeof run): readonly unknown[] => {
    const { bounded_transfer, human_overhead_milli, adjusted_advantage_milli } = outcomeOf(changed);
    return [bounded_transfer, human_overhead_milli, adjusted_advantage_milli];
  };
  const advantage = run.core.metrics.advantage_before_human_milli;

  it('is on hold without a review', () => assert.deepEqual(verdict(run), ['hold', null, null]));

  it('is accepted with one that accepts, priced by the second', () => {
    assert.ok(advantage > 10);
    assert.deepEqual(verdict(reviewed(run)), ['accepted', 10, advantage - 10]);
  });

  it('rounds the price of the time half away from zero, also where the treatment was faster', () => {
    const price = (treatment_ms: number): unknown => verdict(reviewed(run, { control_ms: 1_000, treatment_ms }))[1];
    assert.deepEqual([1_049, 1_050, 951, 950, 1_000].map(price), [0, 1, 0, -1, 0]);
  });

  const metrics = (changes: object): typeof run =>
    reviewed({ ...run, core: { ...run.core, metrics: { ...run.core.metrics, ...changes } } });
  const held: readonly (readonly [string, typeof run])[] = [
    ['a review that rejects', reviewed(run, { decision: 'reject' })],
    ['a review that wants repair', reviewed(run, { decision: 'repair' })],
    ['no advantage left', metrics({ advantage_before_human_milli: 10 })],
    ['no gain', metrics({ raw_gain_milli: 0 })],
    ['too large an error', metrics({ risk_passed: false })],
    ['the archive off', reviewed({ ...run, spec: { ...run.spec, archive_enabled: false } })],
  ];
  for (const [title, changed] of held) it(`is on hold with ${title}`, () => assert.equal(verdict(changed)[0], 'hold'));
  it('is accepted with an advantage of one', () =>
    assert.equal(verdict(metrics({ advantage_before_human_milli: 11 }))[0], 'accepted'));
});

const value = fc.oneof(
  fc.integer({ min: -10_000, max: 10_000 }),
  fc.integer({ min: -9, max: 9 }),
  fc.constantFrom(-10_000, 10_000),
);
/** Values of chance, and values that repeat, so that every policy is chosen now and then. */
const series = (minLength: number, maxLength: number): fc.Arbitrary<number[]> =>
  fc.oneof(
    fc.array(value, { minLength, maxLength }),
    fc
      .tuple(fc.array(value, { minLength: 1, maxLength: 8 }), fc.integer({ min: minLength, max: maxLength }))
      .map(([period, length]) => Array.from({ length }, (_, i) => period[i % period.length] ?? 0)),
  );
const rate = fc.oneof(fc.constantFrom(0, 10_000_000), fc.integer({ min: 0, max: 10_000_000 }));
const id = fc.stringMatching(/^[ -~]{1,64}$/);

const spec: fc.Arbitrary<TransferSpec> = fc.record({
  schema: fc.constant(specSchema),
  scenario: fc.constantFrom('seasonal', 'shift', 'ablation', 'custom'),
  seed: fc.integer({ min: 1, max: 9_999 }),
  training: series(20, 64),
  tasks: fc.uniqueArray(fc.record({ id, observed: series(6, 16), heldout: series(4, 16) }), {
    minLength: 2,
    maxLength: 8,
    selector: (task) => task.id,
  }),
  archive_enabled: fc.boolean(),
  call_cost_milli: rate,
  human_cost_milli_per_second: rate,
  coordination_cost_milli: rate,
  risk_limit_milli: rate,
});

/** Specs that have a run: what repeats itself or is too short for the policy of the training is none. */
const runs: fc.Arbitrary<TransferRun> = spec
  .map((each) => ({ each, core: E.isRight(decodeSpec(Buffer.from(JSON.stringify(each)))) ? experiment(each) : null }))
  .filter(({ core }) => core !== null && E.isRight(core))
  .map(({ each, core }) => {
    assert.ok(core !== null && E.isRight(core));
    return reportOf(each, core.right, 1);
  });

describe('transfer: any spec', () => {
  it('has a run that verifies, within safe integers, as its docket does', () => {
    fc.assert(
      fc.property(
        runs,
        fc.integer({ min: 1, max: 86_400_000 }),
        fc.integer({ min: 1, max: 86_400_000 }),
        (run, control_ms, treatment_ms) => {
          for (const [, leaf] of leaves(run)) assert.ok(typeof leaf !== 'number' || Number.isSafeInteger(leaf));
          assert.equal(judge(run), 'verified');
          const done = reviewed(run, { control_ms, treatment_ms });
          assert.equal(judge(done), 'verified');
          const docket = checkDocket(docketFiles(done));
          assert.ok(E.isRight(docket));
          const { adjusted_advantage_milli: adjusted, human_overhead_milli: human, bounded_transfer } = docket.right.outcome;
          assert.ok(Number.isSafeInteger(human) && Number.isSafeInteger(adjusted));
          assert.equal(Number(adjusted) + Number(human), run.core.metrics.advantage_before_human_milli);
          if (bounded_transfer === 'accepted')
            assert.ok(Number(adjusted) > 0 && run.core.metrics.risk_passed && run.spec.archive_enabled);
        },
      ),
      { numRuns: 60 * effort },
    );
  });

  it('has a run in which no integer can be another, also when the digests fit', () => {
    const other = fc.oneof(fc.integer(), fc.integer({ min: -3, max: 3 }), fc.maxSafeInteger());
    fc.assert(
      fc.property(runs, fc.nat(), other, (run, pick, drawn) => {
        const integers = [...leaves(run.core, ['core'])].filter(([, leaf]) => typeof leaf === 'number');
        const [path, leaf] = integers[pick % integers.length] ?? [[], 0];
        const mutant = drawn === leaf ? drawn + 1 : drawn;
        const altered = changed(run, path, () => mutant);
        assert.match(judge(altered), /^verification_failed: core\./);
        assert.match(judge(resealed(altered)), /^verification_failed: core\./);
      }),
      { numRuns: 75 * effort },
    );
  });

  it('is refused or read, never a fault, for any JSON', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.json(),
          fc.string(),
          spec.map((each) => JSON.stringify(each)),
        ),
        fc.nat(),
        fc.string({ maxLength: 3 }),
        (text, at, patch) => {
          const cut = at % (text.length + 1);
          const bytes = Buffer.from(text.slice(0, cut) + patch + text.slice(cut + patch.length));
          const decoded = decodeSpec(bytes);
          if (E.isLeft(decoded)) assert.match(decoded.left.code, /^(?:malformed|invalid)$/);
          assert.match(judge(bytes.toString()), /^(?:malformed|invalid): /);
        },
      ),
      { numRuns: 150 * effort },
    );
  });
});
