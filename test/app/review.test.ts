/** Review: re-verification before the decision, where results and requests are stored, warm starts, results of other engine versions. */
import assert from 'node:assert/strict';
import { canonicalJson } from '../../src/base/canonical-json.js';
import { sha256Hex } from '../../src/base/bytes.js';
import { type EngineTask, runOnThread, type RunEngine, hashOfResult } from '../../src/app/threads/engine-thread.js';
import type { Home } from '../../src/app/home/home.js';
import { eraseMission, showMission } from '../../src/app/missions/missions.js';
import type { Documents } from '../../src/codec/event.js';
import type { MissionRecord } from '../../src/codec/api-missions.js';
import { entriesOfStream } from '../../src/journal/reader.js';
import { event } from '../support/codec/given-events.js';
import {
  actor,
  answered,
  completed,
  execute,
  fakeEngine,
  laterRefusalOf,
  leftRunning,
  produced,
  queued,
  rejectsRefusal,
  research,
  review,
  run,
  schedule,
  forecast,
} from '../support/app/given-home.js';
import { homeForEach } from '../support/app/temporary-home.js';
import { exportText } from '../../src/app/exports/export.js';
import { requireMission, requireRequest } from '../../src/app/missions/record.js';
import { missionLines } from '../../src/cli/render.js';
import { engineInput } from '../../src/kinds/engine-input.js';
import { verdictOf } from '../support/app/given-export.js';
import { loadCore } from '../support/app/script-core.js';

/** 1000 steps ahead with three bands: a result of more than 64 KiB. */
const large = {
  goal: 'far ahead',
  work: { kind: 'forecast', observations: Array.from({ length: 40 }, (_, i) => (i % 7) + 0.5), horizon: 1_000, season: 1 },
};

function documentOf<K extends 'mission.produced' | 'mission.completed'>(home: Home, id: string, type: K): Documents[K] {
  const entry = entriesOfStream(home.db, id).find(({ event }) => event?.type === type);
  assert.ok(entry?.event?.type === type);
  return entry.event.document as Documents[K];
}

describe('review', () => {
  const homes = homeForEach();

  homes.it('stores a large result in a blob and reads it back; the completing entry holds all of it', async (home) => {
    const mission = await produced(home, large, 'real');
    const text = canonicalJson(mission.result);
    assert.ok(text.length > 65_536);
    assert.equal(sha256Hex(text), mission.result_hash);
    const made = documentOf(home, mission.id, 'mission.produced');
    assert.deepEqual([made.result, typeof made.result_blob], [undefined, 'string']);
    const approved = await review(home, mission);
    const { result, review: decision } = documentOf(home, mission.id, 'mission.completed');
    assert.equal(canonicalJson(result), text);
    assert.deepEqual(decision, approved.review);
    await eraseMission(home, mission.id, 'asked to', actor);
    assert.equal(showMission(home, mission.id).result, null, 'the stored result is gone');
    assert.equal(canonicalJson(documentOf(home, mission.id, 'mission.completed').result), text, 'the signed one stays');
  });

  homes.it('stores a small result in its entry', async (home) => {
    const mission = await produced(home, schedule(), 'real');
    assert.deepEqual(documentOf(home, mission.id, 'mission.produced').result, mission.result);
    const rejected = await review(home, mission, { approve: false, note: 'too late' });
    assert.deepEqual([rejected.state, rejected.review?.note, rejected.result], ['rejected', 'too late', mission.result]);
  });

  homes.it('rejects, and never approves, a result that its engine did not make', async (home) => {
    const mission = await produced(home, schedule());
    const refusal = await rejectsRefusal(review(home, mission), 'verification_failed');
    assert.match(refusal.detail, /can only be rejected/);
    assert.equal(showMission(home, mission.id).revision, mission.revision);
    assert.equal((await review(home, mission, { approve: false })).state, 'rejected');
  });

  homes.it('never approves a result blob that was tampered with', async (home) => {
    const mission = await produced(home, large, 'real');
    const hash = documentOf(home, mission.id, 'mission.produced').result_blob;
    home.db.exec('DROP TRIGGER blob_update');
    home.db
      .prepare(
        "UPDATE blob SET bytes = cast(replace(cast(bytes AS TEXT), '\"horizon', '\"Horizon') || ' ' AS BLOB) WHERE hash = ?",
      )
      .run(hash);
    const refused = async (damage: RegExp): Promise<void> => {
      for (const approve of [true, false]) await assert.rejects(review(home, mission, { approve }), damage);
    };
    await refused(/integrity: blob .* does not match its hash/);
    home.db.prepare('DELETE FROM blob WHERE hash = ?').run(hash);
    await refused(/integrity: blob .* is missing, and no entry erases it/);
  });

  homes.it('refuses a decision on a request blob that was tampered with or lost', async (home) => {
    const mission = await produced(home, research(), 'real');
    home.db.exec('DROP TRIGGER blob_update');
    home.db.prepare("UPDATE blob SET bytes = cast(replace(cast(bytes AS TEXT), 'six', 'ten') AS BLOB)").run();
    await assert.rejects(review(home, mission), /integrity/);
    assert.equal(home.db.prepare<[], { state: string }>('SELECT state FROM mission').get()?.state, 'review');
  });

  homes.it('does not approve a revision that was guessed before the result existed', async (home) => {
    const { id } = await queued(home, schedule());
    await leftRunning(home, id);
    const { state, revision } = showMission(home, id);
    assert.equal(state, 'running');
    // Between the look at the mission and the decision another process records a result at just the revision that was named.
    const other = homes.get().open();
    const made = event('mission.produced');
    const transact: Home['transact'] = (command) => {
      other.writer.transact((tx) => tx.append(id, made));
      return home.transact(command);
    };
    const racing: Home = { ...home, transact };
    const guess = { ...showMission(home, id), revision: revision + 1, result_hash: made.document.result_hash };
    await rejectsRefusal(review(racing, guess), 'verification_failed');
    assert.equal(showMission(other, id).state, 'review');
    other.close();
  });

  homes.it(
    'requires notes of 1 to 2000 characters that are not blank, in the words of the API, and actors that fit',
    async (home) => {
      const mission = await produced(home, schedule());
      const notes = {
        '': /, has 0$/,
        ' \n\t': /^must not be blank$/,
        ['x'.repeat(2_001)]: /^must have 1 to 2000 characters, has 2001$/,
        'x\ud800': /surrogates/,
      };
      for (const [note, words] of Object.entries(notes))
        assert.match((await rejectsRefusal(review(home, mission, { note }), 'invalid')).errors?.[0]?.message ?? '', words);
      for (const by of ['', 'x'.repeat(65)])
        await rejectsRefusal(review(home, mission, { approve: false, actor: by }), 'invalid');
      assert.equal((await review(home, mission, { approve: false, note: '😀'.repeat(2_000) })).state, 'rejected');
    },
  );
});

describe('warm starts', () => {
  const homes = homeForEach();

  homes.it('come from the newest approved mission with the same ids, and from no other', async (home) => {
    const seen: unknown[] = [];
    const watching: RunEngine = fakeEngine((task: EngineTask) => {
      seen.push(task.input.warm_start);
      return answered({ method: 'fake', goal: task.input.goal });
    });
    const next = async (goal: string, ids: readonly string[]): Promise<MissionRecord> =>
      produced(home, schedule(goal, ids), watching);
    assert.equal((await next('one', ['a', 'b'])).parent, null);
    const parent = await completed(home, schedule('two', ['b', 'a']));
    const child = await next('three', ['a', 'b']);
    assert.deepEqual([child.parent, child.parent_digest], [parent.id, parent.result_hash]);
    assert.equal((await next('four', ['a', 'c'])).parent, null);
    const { solution } = documentOf(home, parent.id, 'mission.produced');
    assert.deepEqual(seen, [null, solution, null]);
    assert.notEqual(solution, null);
    assert.deepEqual(documentOf(home, child.id, 'mission.produced').warm_start, solution);
    await review(home, child, { runEngine: watching });
    assert.deepEqual(documentOf(home, child.id, 'mission.completed').warm_start, solution);
    assert.equal((await next('five', ['b', 'a'])).parent, child.id);
  });

  homes.it('are taken from a parent whose stored result is damaged or erased: the solution is signed', async (home) => {
    const big = fakeEngine(() => ({ ...answered({ text: 'x'.repeat(70_000) }), solution: { sequence: [0, 1, 0, 1] } }));
    const parent = await review(home, await produced(home, schedule('one'), big), { runEngine: big });
    home.db.exec('DROP TRIGGER blob_update');
    home.db.exec("UPDATE blob SET bytes = x'00'");
    const child = await produced(home, schedule('two'));
    assert.equal(child.parent, parent.id);
    assert.deepEqual(documentOf(home, child.id, 'mission.produced').warm_start, { sequence: [0, 1, 0, 1] });
  });

  homes.it('are verified and approved like any result of a real engine', async (home) => {
    const parent = await completed(home, schedule('one'));
    const child = await completed(home, schedule('two'));
    assert.deepEqual([child.state, child.parent], ['completed', parent.id]);
    assert.equal((await laterRefusalOf(() => run(home, schedule('one'), parent.id)))?.code, undefined);
  });
});

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
