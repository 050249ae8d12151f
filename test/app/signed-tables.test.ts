/** What the tables say is never taken for what was signed: the configuration in force, and what an approval repeats. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { configOf, pause, resume } from '../../src/app/home/control.js';
import { damageFaults } from '../../src/app/home/damage-faults.js';
import { verifyHome } from '../../src/app/log/verify-home.js';
import { executeMission } from '../../src/app/missions/execute.js';
import { showMission } from '../../src/app/missions/missions.js';
import { reviewMission } from '../../src/app/missions/review.js';
import { setToolStatus } from '../../src/app/tools/change.js';
import { showTool } from '../../src/app/tools/records.js';
import { sha256Hex } from '../../src/base/hash.js';
import { ok, RefusalError } from '../../src/base/result.js';
import { actor, answered, execute, fakeEngine, forecast, queued, refusalOf, rejectsRefusal, run } from '../support/given-home.js';
import { tamper } from '../support/mixed-home.js';
import { homeForEach, temporaryHome } from '../support/temporary-home.js';

describe('tables beside the signed entries', () => {
  const homes = homeForEach();

  it('do not bring an edited configuration into force', () => {
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

  it('do not let an approval sign an altered goal', async () => {
    const home = homes.get().open();
    const { id } = await queued(home);
    const mission = await execute(home, id);
    home.db.prepare("UPDATE mission SET goal = 'a goal nobody queued' WHERE id = ?").run(id);
    const options = { revision: mission.revision, result_hash: mission.result_hash ?? '', approve: true, note: 'fits', actor };
    await assert.rejects(
      () => reviewMission(home, id, options),
      (error) => error instanceof RefusalError && error.refusal.code === 'integrity',
    );
    home.close();
  });
});

describe('an altered entry that a row is computed from', () => {
  const homes = homeForEach();

  it('does not bring a configuration into force', async () => {
    const whole = homes.get();
    await whole.with((home) => pause(home, actor));
    whole.with((home) => {
      home.db.exec(
        `DROP TRIGGER events_update; UPDATE events SET signature = '${Buffer.alloc(64).toString('base64')}' WHERE seq = 1`,
      );
      const refusal = refusalOf(() => ok(configOf(home)));
      assert.deepEqual([refusal?.code, refusal?.detail], ['integrity', 'entry 1 of @control is not what was signed']);
    });
  });

  it('is named in place of the row, also when it was moved to another stream', async () => {
    for (const change of [
      "UPDATE events SET mission = '@tool:tool_import' WHERE seq = 2",
      "UPDATE events SET body = replace(body, 'disabled', 'active') WHERE seq = 2",
    ]) {
      const whole = temporaryHome();
      await whole.with((home) => setToolStatus(home, 'export', { to: 'disabled', note: 'why', actor }));
      tamper(whole, `DROP TRIGGER events_update; ${change}`);
      whole.with(
        (home) => {
          for (const tool of ['tool_import', 'export'] as const) refusalOf(() => showTool(home, tool));
          const found = home.damage.found().find(({ facts }) => facts?.['sequence'] === 2);
          assert.equal(found?.code, 'integrity');
          assert.match(found.detail, /^entry 2\b/);
        },
        { tolerate: damageFaults },
      );
      whole.remove();
    }
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
    await rejectsRefusal(
      executeMission(home, id, { actor, onProgress, runEngine: fakeEngine(() => answered(result)) }),
      'paused',
    );
    for (const paused of await Promise.all(pauses)) paused;
    assert.equal(showMission(home, id).error?.code, 'paused');
    assert.deepEqual((await verifyHome(home, { deep: true })).failure, null);
    await resume(home, actor);
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
      await run(home, code(54));
      await rejectsRefusal(run(home, code(58)), 'invalid');
      await run(home, forecast());
    });
  });
});
