/** What the tables say is never taken for what was signed: the configuration in force, and what an approval repeats. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { configOf, pause, resume } from '../../src/app/home/control.js';
import { executeMission } from '../../src/app/missions/execute.js';
import { showMission } from '../../src/app/missions/missions.js';
import { verifyHome } from '../../src/app/log/verify-home.js';
import type { Home } from '../../src/app/home/home.js';
import { rebuildAll } from '../../src/app/home/upgrade.js';
import { addWitness, listWitnesses } from '../../src/app/log/witness.js';
import { requireMission } from '../../src/app/missions/store.js';
import { requestRun, requireRun } from '../../src/app/simulation/runs.js';
import { createToken } from '../../src/app/tokens/change.js';
import { listTokens } from '../../src/app/tokens/records.js';
import { setToolStatus } from '../../src/app/tools/change.js';
import { showTool } from '../../src/app/tools/records.js';
import { sha256Hex } from '../../src/base/hash.js';
import { ok, RefusalError } from '../../src/base/result.js';
import { actor, answered, execute, fakeEngine, forecast, queued, refusalOf, rejectsRefusal, run } from '../support/given-home.js';
import { reviewMission } from '../../src/app/missions/review.js';
import { requestOf } from '../support/simulation.js';
import { homeForEach } from '../support/temporary-home.js';
import { cosigner } from '../support/witness-server.js';

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

interface AlteredTable {
  readonly title: string;
  /** Makes what the table has a row of. */
  readonly given: (home: Home) => Promise<unknown>;
  readonly alterations: readonly string[];
  /** What reads the signed entries. */
  readonly read: (home: Home) => unknown;
}

const runId = (home: Home): string => home.db.prepare<[], string>('SELECT id FROM simulation').pluck().get() ?? '';
const { vkey } = cosigner('w1');

const tables: readonly AlteredTable[] = [
  {
    title: 'missions',
    given: (home) => queued(home),
    alterations: ["UPDATE mission SET goal = 'other'", `UPDATE mission SET record = json_set(record, '$.attempt', 7)`],
    read: (home) => {
      const id = home.db.prepare<[], string>('SELECT id FROM mission').pluck().get() ?? '';
      requireMission(home.db, id);
    },
  },
  {
    title: 'tokens',
    given: (home) => createToken(home, 'ci', 'viewer', actor),
    alterations: ["UPDATE token SET role = 'admin'", 'DELETE FROM token'],
    read: listTokens,
  },
  {
    title: 'tools',
    given: (home) => setToolStatus(home, 'export', { to: 'disabled', note: 'why', actor }),
    alterations: ["UPDATE tool SET status = 'active'", 'DELETE FROM tool'],
    read: (home) => showTool(home, 'export'),
  },
  {
    title: 'simulation runs',
    given: (home) => requestRun(home, { request: requestOf({}), runner: 'daemon', actor }),
    alterations: ["UPDATE simulation SET state = 'failed'", "UPDATE simulation SET created_at = '2001-01-01T00:00:00.000000Z'"],
    read: (home) => requireRun(home.db, runId(home)),
  },
  {
    title: 'control',
    given: (home) => pause(home, actor),
    alterations: [
      "UPDATE control SET state = 'ready'",
      `UPDATE control SET config_hash = '${'0'.repeat(64)}'`,
      'UPDATE control SET config_blob = NULL',
      'DELETE FROM control',
    ],
    read: () => undefined,
  },
  {
    title: 'witnesses',
    given: (home) => addWitness(home, { url: 'http://127.0.0.1:1', vkey, actor }),
    alterations: ["UPDATE witness SET url = 'http://127.0.0.1:2'", 'DELETE FROM witness'],
    read: listWitnesses,
  },
];

describe('a table that its signed entries do not make', () => {
  const homes = homeForEach();

  for (const { title, given, alterations, read } of tables) {
    it(`is refused, and rebuilt: ${title}`, async () => {
      const whole = homes.get();
      await whole.with(async (home) => {
        await given(home);
        read(home);
      });
      for (const alteration of alterations) {
        whole.with((home) => void home.db.exec(alteration), { tolerate: ['head'] });
        const refusal = refusalOf(() => ok(whole.with(read)));
        assert.deepEqual([refusal?.code, refusal?.hint], ['integrity', 'agent-cli rebuild'], alteration);
        assert.match(refusal?.detail ?? '', /does not match its signed entries$/, alteration);
        whole.with((home) => void rebuildAll(home.db, () => undefined), { tolerate: ['head'] });
        whole.with(read);
      }
    });
  }

  it('of a configuration whose entry the key has not signed is not in force', async () => {
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

  it('of an entry that was moved to another stream is refused', async () => {
    const whole = homes.get();
    await whole.with(async (home) => {
      await setToolStatus(home, 'export', { to: 'disabled', note: 'why', actor });
      home.db.exec("DROP TRIGGER events_update; UPDATE events SET mission = '@tool:tool_import' WHERE seq = 2");
      const refusal = refusalOf(() => ok(showTool(home, 'tool_import')));
      assert.deepEqual([refusal?.code, refusal?.hint], ['integrity', 'agent-cli verify']);
    });
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
