/**
 * Runs of which one thing was changed: each is refused, also where whoever changed it made the digests fit again. A review is the
 * reviewer's word: the format has no digest of it, so another word in it is another review of the same run.
 */
import assert from 'node:assert/strict';
import { changed, leaves, mutants, paths, type Path } from '../support/mutants.js';
import { judge, outcome, resealed, reviewed, runOf, smallSpec } from '../support/transfer-samples.js';
import type { TransferRun } from '../../src/codec/transfer-run.js';
import { builtInSpec } from '../../src/engines/transfer/scenarios.js';

const shown = (path: Path): string => path.join('.');
const refusal = /^(?:malformed|invalid|verification_failed): ./;
const plain = runOf();
const withReview = reviewed(plain);
const ablation = runOf({ ...smallSpec, archive_enabled: false });

/** What of a review may be said otherwise. */
const words = ['review.reviewer', 'review.reason', 'review.control_ms', 'review.treatment_ms'];

for (const [title, run] of [
  ['a run', plain],
  ['a reviewed run', withReview],
  ['an ablation', ablation],
] as const) {
  describe(`transfer: ${title} of which one thing was changed`, () => {
    it('verifies unchanged', () => assert.equal(judge(run), 'verified'));

    it('is refused for every value', () => {
      const accepted = new Set<string>();
      let count = 0;
      for (const [path, value] of leaves(run)) {
        for (const mutant of mutants(value)) {
          const said = judge(changed(run, path, () => mutant));
          if (said === 'verified') accepted.add(shown(path));
          else assert.match(said, refusal, shown(path));
          count++;
        }
      }
      assert.ok(count > 700);
      assert.deepEqual([...accepted], run.review === null ? [] : words.filter((path) => accepted.has(path)));
      assert.equal(accepted.size, run.review === null ? 0 : words.length);
    });

    it('is refused for every name, and without every value', () => {
      for (const path of paths(run)) {
        const last = path.at(-1);
        assert.match(judge(changed(run, path, () => undefined)), refusal, `without ${shown(path)}`);
        if (typeof last !== 'string') continue;
        const holder = path.slice(0, -1);
        const rename = (value: unknown): unknown => {
          const { [last]: kept, ...rest } = value as Record<string, unknown>;
          return { ...rest, [`${last}_`]: kept };
        };
        const renamed = holder.length === 0 ? rename(run) : changed(run, holder, rename);
        assert.match(judge(renamed), refusal, `${shown(path)} under another name`);
      }
    });

    it('is refused for every item twice', () => {
      for (const path of paths(run)) {
        const last = path.at(-1);
        if (typeof last !== 'number') continue;
        const twice = changed(run, path.slice(0, -1), (list) =>
          (list as unknown[]).toSpliced(last, 0, (list as unknown[])[last]),
        );
        assert.match(judge(twice), refusal, shown(path));
      }
    });
  });
}

describe('transfer: a run whose digests were made to fit', () => {
  it('verifies when nothing was changed', () => assert.equal(judge(resealed(withReview)), 'verified'));

  it('is refused for every number and flag of the core, and names it', () => {
    let count = 0;
    for (const [path, value] of leaves(plain.core, ['core'])) {
      if (typeof value !== 'number' && typeof value !== 'boolean') continue;
      const mutant = typeof value === 'number' ? value + 1 : !value;
      const said = judge(resealed(changed(plain, path, () => mutant)));
      const name = path
        .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
        .join('')
        .slice(1);
      // The capability's own digest comes before its training calls.
      assert.equal(said.startsWith('verification_failed: core.capability.sha256') || said.includes(`: ${name}: `), true, said);
      count++;
    }
    assert.ok(count > 150);
  });

  it('is refused for every input', () => {
    for (const [path, value] of leaves(plain.spec, ['spec'])) {
      const mutant = mutants(value)[0];
      assert.match(judge(resealed(changed(plain, path, () => mutant))), refusal, shown(path));
    }
  });

  it('is refused for another count of the calls that making it took', () => {
    const altered = changed(plain, ['observations', 'creation_forecast_calls'], (calls) => Number(calls) - 1);
    const said = 'verification_failed: observations.creation_forecast_calls: recomputing gives another value';
    assert.equal(judge(resealed(altered)), said);
  });

  it('carries other descriptions, which are data', () => {
    const { sha256: _, ...capability } = plain.core.capability;
    const accepted = [...leaves({ ...plain.core, capability }, ['core'])].flatMap(([path, value]) =>
      typeof value === 'string' && judge(resealed(changed(plain, path, () => `${value} `))) === 'verified' ? [shown(path)] : [],
    );
    assert.deepEqual(accepted, [
      'core.capability.contract',
      'core.capability.rollback',
      'core.baseline_profile',
      'core.unmeasured_baselines.0',
      'core.unmeasured_baselines.1',
      'core.unmeasured_baselines.2',
      'core.evidence_contact.meaning',
      'core.evidence_contact.E3',
      'core.evidence_contact.E4',
      'core.evidence_contact.E5',
    ]);
  });
});

describe('transfer: a review that was changed', () => {
  const judged = (run: TransferRun): string => (judge(run) === 'verified' ? outcome(run).bounded_transfer : judge(run));

  it('is of its run alone', () => {
    const other = runOf(builtInSpec('seasonal', 4));
    const moved = { ...other, review: withReview.review };
    assert.equal(judge(moved), 'verification_failed: review.run_sha256: the review belongs to another run');
  });

  it('decides between accepted and hold', () => {
    assert.equal(judged(withReview), 'accepted');
    assert.equal(judged(reviewed(plain, { decision: 'repair' })), 'hold');
    assert.equal(judged(reviewed(plain, { treatment_ms: 86_400_000 })), 'hold');
  });
});
