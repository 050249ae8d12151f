/** Whatever the spec: its run verifies, says the same again, and tolerates no other integer. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { canonicalJson } from '../../src/base/canonical-json.js';
import { decodeSpec, type TransferRun } from '../../src/codec/transfer-run.js';
import { specSchema, type TransferSpec } from '../../src/codec/transfer.js';
import { checkDocket } from '../../src/engines/transfer/docket-check.js';
import { experiment, reportOf } from '../../src/engines/transfer/run.js';
import { effort } from '../support/effort.js';
import { changed, leaves } from '../support/mutants.js';
import { docketFiles, judge, resealed, reviewed } from '../support/transfer-samples.js';

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

  it('has one run, whatever the order of its members', () => {
    fc.assert(
      fc.property(spec, (each) => {
        const backwards = Object.fromEntries(Object.entries(each).toReversed()) as unknown as TransferSpec;
        assert.equal(canonicalJson(experiment(each)), canonicalJson(experiment(backwards)));
      }),
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
      { numRuns: 150 * effort },
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
      { numRuns: 300 * effort },
    );
  });
});
