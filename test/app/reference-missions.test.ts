/** Missions that the reference agent left behind, in a home of ours: executed by our engines, seeding later ones. */
import assert from 'node:assert/strict';
import { sha256Hex } from '../../src/base/hash.js';
import { RefusalError } from '../../src/base/result.js';
import { canonicalText } from '../../src/codec/canonical.js';
import { missionRequest } from '../../src/kinds/request.js';
import { cancelMission, listPage, recoverMission, showMission } from '../../src/app/missions/missions.js';
import { requireMission, requireRequest } from '../../src/app/missions/store.js';
import type { Home } from '../../src/app/home/home.js';
import { entriesOfStream } from '../../src/journal/reader.js';
import { adoptedHomes, completion, given, id, isWhole } from '../support/adopted-homes.js';
import { actor, execute, queued, rejectsRefusal, review, run } from '../support/given-home.js';
import { goal, requestText, states } from '../support/given-reference.js';

describe('continuing missions of the reference agent', () => {
  const { homeWith, clock } = adoptedHomes();
  const approve = async (home: Home): Promise<void> => {
    const made = await execute(home, id);
    assert.deepEqual([made.state, made.engine?.name === 'reference'], ['review', false]);
    await review(home, made);
    const signed = completion(home);
    assert.equal(signed.source_result_hash, undefined);
    assert.equal(
      signed.request_hash,
      sha256Hex(canonicalText(missionRequest, requireRequest(home.db, requireMission(home.db, id)))),
    );
    await isWhole(home);
  };

  it('executes a queued one with our engine', async () => {
    await approve(homeWith(states(given.forecast, 'queued')));
  });

  it('recovers a failed one, and one that was left running, before it is executed', async () => {
    for (const last of ['failed', 'running'] as const) {
      const home = homeWith(states(given.allocation, 'queued', 'running', last));
      clock().now = Date.parse('2027-01-01T00:00:00Z');
      await rejectsRefusal(execute(home, id), 'wrong_state');
      assert.deepEqual([(await recoverMission(home, id, actor)).attempt, showMission(home, id).state], [2, 'queued']);
      await approve(home);
    }
  });

  it('shows stages with the times of their entries, attempts, and what failed', () => {
    const home = homeWith(states(given.forecast, 'queued', 'running', 'failed', 'queued again', 'running', 'review'));
    const entries = entriesOfStream(home.db, id);
    const seen = showMission(home, id);
    assert.equal(seen.attempt, 2);
    assert.deepEqual(
      seen.stages.map(({ role, at }) => [role, at]),
      [
        ['planning', entries[4]?.time],
        ['safety', entries[5]?.time],
      ],
    );
    assert.deepEqual(seen.verification, { passed: true, checks: ['seen'], failure: null });
    const failed = showMission(homeWith(states(given.forecast, 'queued', 'running', 'failed')), id);
    assert.deepEqual(failed.error, { code: 'execution_failed', message: 'no answer', stage: 'strategy' });
  });

  it('refuses an input that is not valid here before a lease, and still shows, lists and cancels it', async () => {
    const home = homeWith(
      states({ ...given.forecast, work: given.forecast.work.replace('"season":4', '"season":"x"') }, 'queued'),
    );
    const { revision } = showMission(home, id);
    await assert.rejects(
      () => execute(home, id),
      (error) =>
        error instanceof RefusalError &&
        error.refusal.code === 'wrong_state' &&
        /input of mission \S+ is not valid in this version/.test(error.refusal.detail),
    );
    assert.equal(showMission(home, id).revision, revision, 'no lease was taken');
    assert.deepEqual(
      listPage(home, {}).items.map((item) => [item.id, item.goal]),
      [[id, goal]],
    );
    assert.equal((await cancelMission(home, id, actor)).state, 'failed');
  });

  it('does not execute an altered request', async () => {
    const home = homeWith(states({ ...given.forecast, request_hash: 'a'.repeat(64) }, 'queued'));
    await assert.rejects(
      () => execute(home, id),
      (error) => error instanceof RefusalError && error.refusal.code === 'integrity',
    );
  });

  it('returns the same mission for the same input under its id, with or without defaults, and refuses another input', async () => {
    const home = homeWith(states(given.forecast, 'queued'));
    const input = JSON.parse(requestText(given.forecast.work)) as { work: Record<string, unknown> };
    const { revision } = showMission(home, id);
    assert.equal((await queued(home, input, id)).revision, revision);
    const { goal: asked, work } = input as { goal?: string; work: unknown };
    assert.equal((await queued(home, { goal: asked, work }, id)).revision, revision);
    await rejectsRefusal(run(home, { ...input, seed: 43 }, id), 'request_id_reused');
    await rejectsRefusal(run(home, { ...input, work: { ...input.work, horizon: 9 } }, id), 'request_id_reused');
  });

  it('seeds a later search with an approved one that has the same ids, approved there or here', async () => {
    const sequence = [0, 2, 0, 1, 2];
    for (const [mission, warm_start] of [
      [given.allocation, { selected: ['roof', 'door'] }],
      [given.schedule, { sequence }],
    ] as const) {
      for (const last of ['completed', 'review'] as const) {
        const home = homeWith(states(mission, 'queued', 'running', 'review', ...(last === 'review' ? [] : [last])));
        if (last === 'review') await review(home, showMission(home, id));
        const made = await execute(home, (await queued(home, JSON.parse(requestText(mission.work)))).id);
        assert.deepEqual([made.state, made.parent, made.parent_digest], ['review', id, showMission(home, id).result_hash]);
        const entry = entriesOfStream(home.db, made.id).at(-1)?.event;
        assert.deepEqual(entry?.type === 'mission.produced' && entry.document.warm_start, warm_start);
        assert.equal((await review(home, made)).state, 'completed');
      }
    }
  });

  it('seeds no search with a result that breaks the rules, whoever approved it', async () => {
    const text = given.allocation.result?.replace('"value":13', '"value":14') ?? '';
    const home = homeWith(states({ ...given.allocation, result: text }, 'queued', 'running', 'review', 'completed'));
    const made = await execute(home, (await queued(home, JSON.parse(requestText(given.allocation.work)))).id);
    const entry = entriesOfStream(home.db, made.id).at(-1)?.event;
    assert.equal(entry?.type === 'mission.produced' && entry.document.warm_start, null);
  });
});
