/** What the tables say is never taken for what was signed: the configuration in force, and what an approval repeats. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { configOf, pause, resume } from '../../src/app/home/control.js';
import { executeMission } from '../../src/app/missions/execute.js';
import { showMission } from '../../src/app/missions/missions.js';
import { verifyHome } from '../../src/app/log/verify-home.js';
import { sha256Hex } from '../../src/base/hash.js';
import { RefusalError, unwrap } from '../../src/base/result.js';
import { actor, answered, execute, fakeEngine, forecast, queued, refused, run } from '../support/given-home.js';
import { reviewMission } from '../../src/app/missions/review.js';
import { homeForEach } from '../support/temporary-home.js';

describe('tables beside the signed entries', () => {
  const homes = homeForEach();

  it('an edited configuration is not in force, whatever the control table says', () => {
    homes.get().with((home) => {
      const edited = '{"name":"edited"}';
      writeFileSync(home.paths.config, edited);
      home.db.prepare('UPDATE control SET config_hash = ?').run(sha256Hex(edited));
      assert.throws(
        () => configOf(home),
        (error) => error instanceof RefusalError && error.refusal.code === 'integrity',
      );
    });
    assert.throws(() => homes.get().open(), /integrity/);
  });

  it('an altered goal is not signed by an approval', async () => {
    const home = homes.get().open();
    const { id } = await queued(home);
    const mission = unwrap(await execute(home, id));
    home.db.prepare("UPDATE mission SET goal = 'a goal nobody queued' WHERE id = ?").run(id);
    const options = { revision: mission.revision, result_hash: mission.result_hash ?? '', approve: true, note: 'fits', actor };
    await assert.rejects(
      () => reviewMission(home, id, options),
      (error) => error instanceof RefusalError && error.refusal.code === 'integrity',
    );
    assert.equal(showMission(home, id).state, 'review');
    home.close();
  });
});

describe('an outcome that fails the mission', () => {
  const homes = homeForEach();

  it('leaves no blob that no entry refers to', async () => {
    const home = homes.get().open();
    const other = homes.get().open();
    const { id } = await queued(home);
    const result = { text: 'x'.repeat(100_000) };
    const pauses: ReturnType<typeof pause>[] = [];
    const onProgress = (stage: string): void => {
      if (stage === 'memory') pauses.push(pause(other, actor));
    };
    refused(await executeMission(home, id, { actor, onProgress, runEngine: fakeEngine(() => answered(result)) }), 'paused');
    for (const paused of await Promise.all(pauses)) unwrap(paused);
    assert.equal(showMission(home, id).error?.code, 'paused');
    assert.deepEqual(unwrap(await verifyHome(home, { deep: true })).failure, null);
    unwrap(await resume(home, actor));
    other.close();
    home.close();
  });
});

describe('a request nested deep', () => {
  const homes = homeForEach();
  const code = (levels: number): unknown => ({
    goal: 'deep',
    work: { kind: 'code', heldout: [{ args: [JSON.parse('['.repeat(levels) + ']'.repeat(levels))], expected: 1 }] },
  });

  it('is queued, or refused as invalid', async () => {
    await homes.get().with(async (home) => {
      unwrap(await run(home, code(54)));
      refused(await run(home, code(58)), 'invalid');
      unwrap(await run(home, forecast()));
    });
  });
});
