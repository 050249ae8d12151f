/** What works on a damaged home: list and show print what was signed, and what stops work is recorded. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { configOf, pause, resume } from '../../src/app/control/control.js';
import { damageFaults, type Tolerable, type Home } from '../../src/app/home/home.js';
import { rebuildHome } from '../../src/app/home/rebuild.js';
import { verifyHome } from '../../src/app/log/verify-home.js';
import { executeMission } from '../../src/app/missions/attempt.js';
import { cancelMission, listPage, showMission } from '../../src/app/missions/missions.js';
import { inspectHome } from '../../src/app/operator/doctor.js';
import { revokeToken } from '../../src/app/tokens/change.js';
import { setToolStatus, showTool } from '../../src/app/tools/tools.js';
import { sha256Hex } from '../../src/base/bytes.js';
import { ok } from '../../src/base/refusal.js';
import { readControl } from '../../src/tables/control.js';
import { listRuns } from '../../src/tables/simulations.js';
import { readToken } from '../../src/tables/tokens.js';
import type { Db } from '../../src/store/database.js';
import {
  actor,
  answered,
  fakeEngine,
  forecast,
  laterRefusalOf,
  queued,
  refusalOf,
  rejectsRefusal,
  run,
  throwsRefusal,
} from '../support/app/given-home.js';
import {
  type Alteration,
  alteredValues,
  deleted,
  type MixedHome,
  sharedMixedHome,
  type TableName,
  tamper,
} from '../support/app/mixed-home.js';
import { homeForEach, type TemporaryHome, temporaryHome } from '../support/app/temporary-home.js';
import { atEffort, fullEffort } from '../support/effort.js';
import { withoutTriggers } from '../support/journal/without-triggers.js';
import { refused } from '../support/refused.js';

const tolerate: readonly Tolerable[] = damageFaults;

/** What people are shown of missions. */
const shownOf = (home: Home, { missions }: MixedHome): unknown => ({
  all: listPage(home, {}),
  pages: [listPage(home, { limit: 2 }), listPage(home, { limit: 2, cursor: listPage(home, { limit: 2 }).next_cursor ?? '1' })],
  queued: listPage(home, { state: 'queued' }),
  forecasts: listPage(home, { kind: 'forecast', state: 'review' }),
  found: listPage(home, { q: 'LOOK' }),
  each: Object.values(missions).map((id) => showMission(home, id)),
});

/** Records everything that stops work, and checks that it is in force. */
async function stopAll(home: Home, { missions }: MixedHome): Promise<void> {
  assert.equal((await cancelMission(home, missions.queued, actor)).state, 'failed');
  assert.equal((await revokeToken(home, 'ci', actor)).state, 'revoked');
  await pause(home, actor);
  assert.equal(readControl(home.db).state, 'paused');
  assert.equal(showMission(home, missions.queued).state, 'failed');
  assert.equal(readToken(home.db, 'ci')?.token_sha256, null);
}

/** One value in so many is altered. */
const values_each = atEffort(16, 1);
/** The newest entry is damaged, and one in so many of those before it. */
const entries_each = atEffort(8, 1);

const exec = (title: string, sql: string): Alteration => ({ title, change: (db) => void db.exec(sql) });

const rowOf = ({ missions, runs }: MixedHome): Readonly<Record<TableName, string>> => ({
  control: 'id = 1',
  mission: `id = '${missions.queued}'`,
  simulation: `id = '${runs.succeeded}'`,
  token: "name = 'ci'",
  tool: "id = 'backup'",
  wallet: 'id = 1',
  invoice: 'issued_seq > 0',
  receipt: 'revision > 0',
  witness: "name = 'w1'",
  approver: "name = 'alice'",
  worker: "name = 'rack-1'",
});

/**
 * Values of one row in each table, each row and each table gone (by default one or the other), and projections that lag behind.
 * test/app/altered-rows.test.ts alters every value.
 */
function alterations(db: Db, given: MixedHome): Alteration[] {
  const rows = Object.entries(rowOf(given)) as [TableName, string][];
  return [
    ...rows.flatMap(([table, where], turn) => [
      ...alteredValues(db, table, where).filter((_, i) => i % values_each === 0),
      ...(fullEffort || turn % 2 === 0 ? [deleted(table, where)] : []),
      ...(fullEffort || turn % 2 === 1 ? [exec(`${table} dropped`, `DROP TABLE ${table}`)] : []),
    ]),
    exec(
      'a mission too many',
      `INSERT INTO mission SELECT revision + 1000, 'x', kind, state, goal, ids_hash, updated_at, record FROM mission LIMIT 1`,
    ),
    exec('a mission that cannot be read', "UPDATE mission SET record = '{'"),
    exec('projections behind', 'UPDATE projection SET behind = 1'),
    exec('everything at once', 'DELETE FROM mission; DELETE FROM token; UPDATE control SET state = NULL; DELETE FROM tool'),
  ];
}

describe('a home with a damaged table', () => {
  const template = sharedMixedHome();

  it('shows what was signed, records what stops work, and is repaired by rebuild', async () => {
    const given = await template.get();
    const before = given.home.with((opened) => shownOf(opened, given));
    const all = given.home.with(({ db }) => alterations(db, given));
    assert.ok(all.length > atEffort(20, 40), `${all.length} alterations`);
    for (const { title, change } of all) {
      const home = given.home.copy();
      tamper(home, change);
      await home.with(
        async (opened) => {
          assert.deepEqual(shownOf(opened, given), before, title);
          // Other tables are not read for a list.
          if (/^(?:control|mission|projections)/.test(title)) assert.ok(opened.damage.found().length > 0, title);
          assert.equal((await verifyHome(opened, { deep: true })).failure?.code, 'integrity', title);
        },
        { tolerate },
      );
      await home.with((opened) => stopAll(opened, given), { tolerate });
      await repaired(home, given, title);
    }
  });

  async function repaired(home: TemporaryHome, given: MixedHome, title: string): Promise<void> {
    home.with((opened) => rebuildHome(opened, () => undefined), { tolerate });
    await home.with(async (opened) => {
      assert.equal((await verifyHome(opened, { deep: true })).failure, null, title);
      assert.equal(showMission(opened, given.missions.queued).error?.code, 'cancelled', title);
      assert.equal(readControl(opened.db).state, 'paused', title);
      await resume(opened, actor);
    });
    home.remove();
  }

  it('lists runs by their entries, and doctor names the table', async () => {
    const given = await template.get();
    const before = given.home.with(({ db }) => listRuns(db, { limit: 10 }));
    const home = given.home.copy();
    tamper(home, 'DELETE FROM simulation');
    home.with(
      (opened) => {
        assert.deepEqual(listRuns(opened.db, { limit: 10 }), before);
        assert.deepEqual(listRuns(opened.db, { limit: 1, before: before[0]?.request_seq }), before.slice(1));
        const check = inspectHome(opened).checks.find(({ name }) => name === 'tables');
        assert.deepEqual([check?.status, check?.fix], ['fail', 'agent-cli rebuild']);
        assert.match(check?.detail ?? '', /^the table row of run [0-9a-f]{16} does not match its signed entries$/);
        opened.db.exec("DROP TRIGGER events_update; UPDATE events SET body = '' WHERE mission LIKE '@simulation:%'");
        assert.deepEqual(listRuns(opened.db, { limit: 10 }), before, 'entries that were checked are not read again');
      },
      { tolerate },
    );
    throwsRefusal(() => home.open(), 'integrity');
    home.remove();
  });
});

const editing = (change: string) => (db: Db) => withoutTriggers(db, () => db.exec(change));

describe('a home with a damaged entry', () => {
  const template = sharedMixedHome();

  for (const [title, value] of [
    ['that can be read', `replace(body, '"time":"2026', '"time":"2025')`],
    ['that cannot be read', "'{}'"],
  ] as const) {
    it(`lists and shows what it can and records what stops work, when the entry is one ${title}`, async () => {
      const given = await template.get();
      const newest = given.home.with(({ writer }) => writer.head.size);
      for (let seq = newest; seq >= 1; seq -= entries_each) {
        const home = given.home.copy();
        tamper(home, editing(`UPDATE events SET body = ${value} WHERE seq = ${seq}`));
        const canAppend = seq < newest || title === 'that can be read';
        await home.with(
          async (opened) => {
            assert.equal(listPage(opened, {}).items.length, 3, `entry ${seq}`);
            for (const id of Object.values(given.missions)) assert.equal(showMission(opened, id).id, id);
            assert.notEqual((await verifyHome(opened, { deep: false })).failure, null, `entry ${seq}`);
            if (canAppend) return stopAll(opened, given);
            assert.equal((await laterRefusalOf(() => pause(opened, actor)))?.code, 'integrity');
            return undefined;
          },
          { tolerate },
        );
        home.remove();
      }
    });
  }

  it('records nothing when no checkpoint covers the damaged entry', async () => {
    const given = await template.get();
    const home = given.home.copy();
    tamper(home, editing(`UPDATE events SET hash = '${'0'.repeat(64)}' WHERE seq = 3`));
    await home.with(
      async (opened) => {
        assert.equal(listPage(opened, {}).items.length, 3);
        const refusal = await laterRefusalOf(() => pause(opened, actor));
        assert.equal(refusal?.code, 'integrity');
        assert.match(refusal.detail, /root/);
      },
      { tolerate },
    );
    home.remove();
  });
});

describe('tables beside the signed entries', () => {
  const homes = homeForEach();

  it('do not bring an edited configuration into force', () => {
    homes.get().with((home) => {
      const edited = '{"name":"edited"}';
      writeFileSync(home.paths.config, edited);
      home.db.prepare('UPDATE control SET config_hash = ?').run(sha256Hex(edited));
      assert.throws(() => configOf(home), refused('integrity'));
    });
    assert.throws(() => homes.get().open(), /integrity/);
  });
});

describe('an altered entry that a row is computed from', () => {
  const homes = homeForEach();

  it('does not bring a configuration into force', async () => {
    const whole = homes.get();
    await whole.with((home) => pause(home, actor));
    whole.with((home) => {
      const before = configOf(home);
      home.db.exec(
        `DROP TRIGGER events_update; UPDATE events SET signature = '${Buffer.alloc(64).toString('base64')}' WHERE seq = 1`,
      );
      // This process has read the entry as it was signed; another one reads it now.
      assert.deepEqual(configOf(home), before);
      const refusal = refusalOf(() => ok(whole.with(configOf)));
      assert.equal(refusal?.code, 'integrity');
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

  homes.it('leaves no blob that no entry refers to', async (home) => {
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
  });
});

describe('a request nested deep', () => {
  const homes = homeForEach();
  const code = (levels: number): unknown => ({
    goal: 'deep',
    work: { kind: 'code', heldout: [{ args: [JSON.parse('['.repeat(levels) + ']'.repeat(levels))], expected: 1 }] },
  });

  homes.it('is queued, or refused as invalid', async (home) => {
    await run(home, code(54));
    await rejectsRefusal(run(home, code(58)), 'invalid');
    await run(home, forecast());
  });
});
