/** The rules of review and erasure. */
import assert from 'node:assert/strict';
import { decideErase, decideRecover, decideReview } from '../../src/domain/mission-decide.js';
import { event, hex, result_hash } from '../support/given-events.js';
import { at, circumstances, decision, given, histories } from '../support/given-mission.js';

describe('mission rules: review', () => {
  const review = (changes: Parameters<typeof decision>[0]) =>
    given(histories.review).when((m) => decideReview(m, decision(changes), circumstances()));

  it('approves with the result and with who, when and why', () => {
    const [decided] = review({ note: 'as agreed' }).decides('mission.completed');
    assert.deepEqual(decided?.document, {
      state: 'completed',
      result: { forecast: [1, 2] },
      review: { actor: 'operator', approved: true, at: at(10_000), note: 'as agreed', result_hash },
    });
  });

  it('refuses a stale revision with the current state of the mission', () => {
    const refusal = review({ revision: 3 }).refused('stale_revision');
    assert.deepEqual(refusal.facts, { revision: 4, state: 'review', result_hash, updated_at: at(3_000) });
    review({ revision: 5 }).refused('stale_revision');
  });

  it('refuses another result hash as a mismatch, for both decisions', () => {
    for (const approve of [true, false]) review({ approve, result_hash: hex('1') }).refused('hash_mismatch');
  });

  it('accepts either hash of a result that has two; an approval records the canonical one, a rejection its own', () => {
    const canonical_hash = hex('2');
    for (const named of [result_hash, canonical_hash]) {
      const [approved] = review({ canonical_hash, result_hash: named }).decides('mission.completed');
      assert.equal(approved?.type === 'mission.completed' && approved.document.review.result_hash, canonical_hash);
      const [rejected] = review({ canonical_hash, result_hash: named, approve: false }).decides('mission.rejected');
      assert.equal(rejected?.type === 'mission.rejected' && rejected.document.review.result_hash, result_hash);
    }
    const refusal = review({ canonical_hash, result_hash: hex('1') }).refused('hash_mismatch');
    assert.ok(refusal.detail.endsWith(`is ${result_hash} or ${canonical_hash}`));
  });

  it('rejects, and never approves, a result that fails verification', () => {
    const refusal = review({ failure: 'the sum is wrong' }).refused('verification_failed');
    assert.match(refusal.detail, /the sum is wrong/);
    const [decided] = review({ failure: 'the sum is wrong', approve: false }).decides('mission.rejected');
    assert.ok(decided?.type === 'mission.rejected' && !decided.document.review.approved);
  });
});

describe('mission rules: erase, and what is recorded', () => {
  it('erases every blob once and records it', () => {
    const history = [
      ...histories.failed.slice(0, 3),
      event('mission.produced', { result_blob: hex('2') }),
      event('mission.rejected'),
    ];
    const [decided] = given(history)
      .when((m) => decideErase(m, 'asked to', circumstances()))
      .decides('mission.erased');
    assert.deepEqual(decided?.document, { blobs: [hex('b'), hex('2')], actor: 'operator', reason: 'asked to' });
  });

  it('refuses when no blob is stored', () => {
    const refusal = given(histories.cancelled)
      .when((m) => decideErase(m, 'asked to', circumstances()))
      .refused('wrong_state');
    assert.match(refusal.detail, /cannot be erased/);
    const again = given(histories.erased)
      .when((m) => decideErase(m, 'asked to', circumstances()))
      .refused('wrong_state');
    assert.match(again.detail, /was erased already/);
  });

  it('does not recover an erased mission', () => {
    const refusal = given(histories.erased)
      .when((m) => decideRecover(m, hex('f'), circumstances()))
      .refused('wrong_state');
    assert.match(refusal.detail, /was erased/);
  });
});
