/** Results that the reference agent left in review, in a home of ours: verified by its rules, recorded in our form. */
import assert from 'node:assert/strict';
import { canonicalJson } from '../../src/base/canonical-json.js';
import { sha256Hex } from '../../src/base/hash.js';
import { RefusalError } from '../../src/base/result.js';
import { canonicalText } from '../../src/codec/canonical.js';
import { missionRequest } from '../../src/kinds/request.js';
import { showMission } from '../../src/app/missions/missions.js';
import { requireMission, requireRequest } from '../../src/app/missions/store.js';
import { research } from '../engines/reference-cases.js';
import { adoptedHomes, completion, given, id, isWhole, missionOf } from '../support/adopted-homes.js';
import { rejectsRefusal, review } from '../support/given-home.js';
import { canonicalHash, goal, type GivenMission } from '../support/given-reference.js';

describe('reviewing what the reference agent left in review', () => {
  const { inReview } = adoptedHomes();
  for (const [kind, mission] of [
    ['forecast', given.forecast],
    ['allocation', given.allocation],
    ['schedule', given.schedule],
    ['research', given.research],
  ] as const) {
    it(`approves a ${kind} under either hash, and records the hash of our form`, async () => {
      const text = mission.result ?? '';
      const [source, ours] = [sha256Hex(text), canonicalHash(text)];
      for (const result_hash of [source, ours]) {
        const home = inReview(mission);
        const seen = showMission(home, id);
        assert.deepEqual([seen.state, seen.result_hash, seen.engine?.name], ['review', source, 'reference']);
        const approved = await review(home, seen, { result_hash });
        assert.deepEqual([approved.state, approved.result_hash, approved.source_result_hash], ['completed', ours, source]);
        const signed = completion(home);
        assert.deepEqual([signed.review.result_hash, signed.source_result_hash], [ours, source]);
        assert.equal(sha256Hex(canonicalJson(signed.result)), ours);
        assert.deepEqual([signed.kind, signed.goal, signed.warm_start], [kind, goal, null]);
        assert.deepEqual(signed.engine, { name: 'reference', version: 'schema-1' });
        const { evaluations = null } = JSON.parse(text) as { evaluations?: number };
        assert.deepEqual(signed.effort, { max_evaluations: 500, iterations: evaluations });
        const request = requireRequest(home.db, requireMission(home.db, id));
        assert.equal(signed.request_hash, sha256Hex(canonicalText(missionRequest, request)));
        assert.notEqual(signed.request_hash, seen.request_hash, 'defaults are filled in');
        await isWhole(home);
      }
    });
  }

  it('has another hash in our form for whole floats', () => {
    assert.notEqual(sha256Hex(given.forecast.result ?? ''), canonicalHash(given.forecast.result ?? ''));
  });

  it('refuses any other hash as a mismatch that names both', async () => {
    const home = inReview(given.forecast);
    const text = given.forecast.result ?? '';
    for (const approve of [true, false]) {
      const refusal = await rejectsRefusal(
        review(home, showMission(home, id), { approve, result_hash: 'a'.repeat(64) }),
        'hash_mismatch',
      );
      assert.equal(refusal.detail, `the result hash of revision 4 is ${sha256Hex(text)} or ${canonicalHash(text)}`);
    }
  });

  const refusals: readonly (readonly [string, GivenMission, RegExp])[] = [
    [
      'a number that its rules do not give',
      { ...given.forecast, result: (given.forecast.result ?? '').replace('"holdout_mae":0.5', '"holdout_mae":0.4') },
      /\(holdout_mae is not what its observations give\); it can only be rejected$/,
    ],
    [
      'a text that its hash is not over',
      { ...given.forecast, result_hash: 'a'.repeat(64) },
      /its text is not the one that the recorded hash is over/,
    ],
    ['code', given.code, /its code would have to run again/],
    [
      'an input that is not valid here',
      { ...given.forecast, work: given.forecast.work.replace('"holdout":4', '"holdout":4,"other":1') },
      /its input is not valid in this version/,
    ],
    ['a request that its hash is not over', { ...given.forecast, request_hash: 'a'.repeat(64) }, /./],
  ];
  for (const [title, mission, words] of refusals.slice(0, 4)) {
    it(`never approves ${title}, and rejects it under either hash`, async () => {
      const text = mission.result ?? '';
      const source = mission.result_hash ?? sha256Hex(text);
      for (const result_hash of [source, canonicalHash(text)]) {
        const home = inReview(mission);
        const seen = showMission(home, id);
        assert.match((await rejectsRefusal(review(home, seen, { result_hash }), 'verification_failed')).detail, words);
        const rejected = await review(home, seen, { result_hash, approve: false, note: 'no' });
        assert.deepEqual([rejected.state, rejected.review?.note, rejected.result_hash], ['rejected', 'no', source]);
        assert.deepEqual([rejected.review?.result_hash, rejected.source_result_hash], [source, null]);
        await isWhole(home);
      }
    });
  }

  it('refuses a request that does not match its hash with integrity', async () => {
    const home = inReview(refusals[4]?.[1] ?? given.forecast);
    await assert.rejects(
      () => review(home, showMission(home, id)),
      (error) => error instanceof RefusalError && error.refusal.code === 'integrity',
    );
  });

  it('rejects, and never approves, a result that is larger than an entry of ours allows', async () => {
    const claim = 'x'.repeat(3_000);
    const finding = { ...research.result.findings[0], claim };
    const large = { ...research.result, findings: [finding], more: 'y'.repeat(500_000) };
    const home = inReview(missionOf({ work: research.work, result: large }));
    const seen = showMission(home, id);
    assert.match((await rejectsRefusal(review(home, seen), 'verification_failed')).detail, /at most 460800 can be approved here/);
    assert.equal((await review(home, seen, { approve: false })).state, 'rejected');
  });
});
