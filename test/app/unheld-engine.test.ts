/** A result in review that another version of its engine made: its claims decide, and everything says that it was not computed again. */
import assert from 'node:assert/strict';
import { exportText } from '../../src/app/exports/export.js';
import type { Home } from '../../src/app/home/home.js';
import { showMission } from '../../src/app/missions/missions.js';
import { requireMission, requireRequest } from '../../src/app/missions/record.js';
import { hashOfResult, runOnThread } from '../../src/app/threads/engine-thread.js';
import { missionLines } from '../../src/cli/render.js';
import type { MissionRecord } from '../../src/codec/api-missions.js';
import { engineInput } from '../../src/kinds/engine-input.js';
import { event } from '../support/codec/given-events.js';
import { verdictOf } from '../support/app/given-export.js';
import { execute, forecast, queued, rejectsRefusal, review } from '../support/app/given-home.js';
import { homeForEach } from '../support/app/temporary-home.js';
import { loadCore } from '../support/app/script-core.js';

const made = { name: 'forecast', version: '0.9.0' };
const note = 'not recomputed: the result was made by forecast 0.9.0, which this program does not hold; its claims were checked';

/** Returns a mission in review with the result of the present engine, changed, as a result of the other version. */
async function inReview(home: Home, change: object = {}): Promise<MissionRecord> {
  const { id } = await queued(home, forecast());
  const input = engineInput(requireRequest(home.db, requireMission(home.db, id)), { max_evaluations: 100 }, null);
  const answer = await runOnThread({ type: 'run', kind: 'forecast', input });
  assert.ok(answer.type === 'answered');
  const result = { ...(answer.result as Readonly<Record<string, unknown>>), ...change };
  const { verification } = answer;
  const effort = { max_evaluations: 100, iterations: null };
  home.writer.transact((tx) => {
    tx.append(id, event('mission.leased', { engine: made }));
    const document = { result, result_hash: hashOfResult(result), effort, verification, solution: null, warm_start: null };
    tx.append(id, event('mission.produced', document));
  });
  return showMission(home, id);
}

describe('a result of an engine version that is not held', () => {
  const homes = homeForEach();

  it('is approved by its claims, and record, page and export say that it was not recomputed', async () => {
    const home = homes.get().open();
    const mission = await inReview(home, { method: 'as version 0.9.0 wrote it' });
    assert.equal(mission.recomputed, null);
    assert.ok(missionLines(mission).some((line) => line.includes('another version of the engine made it')));
    const completed = await review(home, mission);
    assert.deepEqual([completed.state, completed.recomputed, completed.review?.recomputed], ['completed', null, null]);
    const { text } = exportText(home, mission.id);
    home.close();
    assert.match(text, /"review":\{[^}]*"recomputed":null/);
    const key = homes.get().report.public_key;
    const verdict = await verdictOf(homes.get().root, text, key, { recompute: undefined });
    assert.ok(typeof verdict === 'object');
    assert.deepEqual([verdict.valid, verdict.recomputed, verdict.reason], [true, null, note]);
    assert.equal((await (await loadCore()).verifyExport(Buffer.from(text), key)).verdict, 'valid');
  });

  homes.it('is refused with a claim that does not hold', async (home) => {
    const mission = await inReview(home, { holdout_mae: 0 });
    const { detail } = await rejectsRefusal(review(home, mission), 'verification_failed');
    assert.match(detail, /holdout_mae is recomputed as/);
  });
});

describe('a result of the present version', () => {
  const homes = homeForEach();

  it('is recomputed at review and, in a minute at most, by whoever verifies its export', async () => {
    const home = homes.get().open();
    const { id } = await queued(home, forecast());
    const completed = await review(home, await execute(home, id));
    assert.equal('recomputed' in completed, false);
    const { text } = exportText(home, id);
    home.close();
    const { report, root } = homes.get();
    for (const [recompute, expected] of [
      [undefined, true],
      [true, true],
      [false, null],
    ] as const) {
      const verdict = await verdictOf(root, text, report.public_key, { recompute });
      assert.ok(typeof verdict === 'object');
      assert.deepEqual([verdict.valid, verdict.recomputed, verdict.reason], [true, expected, null]);
    }
  });
});
