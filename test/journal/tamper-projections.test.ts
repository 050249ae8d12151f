import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { rebuildAll } from '../../src/app/home/upgrade.js';
import type { Db } from '../../src/store/database.js';
import { alter, findingOf, flip, refusalAtOpen } from './tamper.js';
import { exec, inCopy, suite } from './tamper-suite.js';

const mission = "id = '00000000-0000-4000-8000-000000000001'";
suite('projections', [
  ...['kind', 'state', 'goal', 'updated_at', 'record'].map((column) => ({
    name: `mission.${column}`,
    change: (db: Db) => flip(db, 'mission', column, mission, 1),
    detail: /table mission differs/,
    // Every command checks that each stream has its row. What else the row contains is checked when it is read.
    atOpen: false,
  })),
  {
    name: 'mission.id',
    change: (db: Db) => flip(db, 'mission', 'id', mission, 1),
    detail: /table row of mission|table mission differs/,
    atOpen: true,
  },
  {
    name: 'mission.revision',
    change: exec(`UPDATE mission SET revision = 9999 WHERE ${mission}`),
    detail: /table mission differs/,
    atOpen: true,
  },
  {
    name: 'mission.ids_hash',
    change: exec(`UPDATE mission SET ids_hash = '${'a'.repeat(64)}' WHERE ${mission}`),
    detail: /table mission differs/,
  },
  {
    name: 'a mission is gone',
    change: exec(`DELETE FROM mission WHERE ${mission}`),
    detail: /table row of mission|table mission differs/,
    atOpen: true,
  },
  {
    name: 'the last mission is gone',
    change: exec('DELETE FROM mission WHERE revision = (SELECT max(revision) FROM mission)'),
    detail: /table row of mission|table mission lacks rows/,
    atOpen: true,
  },
  {
    name: 'a mission too many',
    change: exec(
      `INSERT INTO mission SELECT 9999, 'x', kind, state, goal, ids_hash, updated_at, record FROM mission WHERE ${mission}`,
    ),
    detail: /table row of mission x|table mission differs/,
    atOpen: true,
  },
  { name: 'control.state', change: exec("UPDATE control SET state = 'paused'"), detail: /control/, atOpen: true },
  {
    name: 'control.state, to a word that there is not',
    change: exec("UPDATE control SET state = 'x'"),
    detail: /control/,
    onlyDeep: false,
    atOpen: true,
  },
  {
    name: 'control.config_blob',
    change: (db) => flip(db, 'control', 'config_blob', 'id = 1', 9),
    detail: /control/,
    atOpen: true,
  },
  {
    name: 'control.config_hash',
    change: (db) => flip(db, 'control', 'config_hash', 'id = 1', 9),
    detail: /control|config/,
    atOpen: true,
  },
  { name: 'the control row is gone', change: exec('DELETE FROM control'), detail: /control|configuration/, atOpen: true },
  {
    name: 'projection.applied_seq',
    change: exec('UPDATE projection SET applied_seq = applied_seq - 1'),
    detail: /projection/,
    atOpen: true,
  },
  {
    name: 'projection.applied_hash',
    change: (db) => flip(db, 'projection', 'applied_hash', "name = 'control'", 0),
    detail: /projection/,
    atOpen: true,
  },
]);

describe('a projection of another version', () => {
  for (const [sql, named] of [
    ["UPDATE projection SET version = version + 1 WHERE name = 'missions'", /version 2 of the projection missions/],
    ["UPDATE projection SET name = 'other' WHERE name = 'missions'", /version 1 of the projection other/],
  ] as const) {
    it(`is refused as one of a newer program: ${sql}`, () =>
      inCopy(async (home) => {
        alter(home, exec(sql));
        const finding = await findingOf(home, { deep: true });
        assert.equal(finding?.code, 'newer_version');
        assert.match(finding.detail, named);
        assert.equal(refusalAtOpen(home)?.code, 'newer_version');
      }));
  }

  for (const sql of [
    "UPDATE projection SET version = version - 1 WHERE name = 'missions'",
    "DELETE FROM projection WHERE name = 'missions'",
  ]) {
    it(`is damage, which only rebuild repairs: ${sql}`, () =>
      inCopy(async (home) => {
        alter(home, exec(`${sql}; UPDATE mission SET goal = 'altered' WHERE ${mission}`));
        for (const deep of [false, true]) {
          const finding = await findingOf(home, { deep });
          assert.deepEqual(
            [finding?.code, finding?.detail],
            ['integrity', 'the table projection was altered; run: agent-cli rebuild'],
          );
        }
        const { code, hint } = refusalAtOpen(home) ?? {};
        assert.deepEqual([code, hint], ['integrity', 'agent-cli rebuild']);
        home.with(({ db }) => rebuildAll(db, () => undefined), { tolerate: ['schema', 'tables'] });
        assert.equal(await findingOf(home, { deep: true }), null);
        assert.equal(refusalAtOpen(home), null);
      }));
  }
});

describe('an altered projection', () => {
  it('is repaired by rebuild', () =>
    inCopy(async (home) => {
      alter(home, exec(`UPDATE mission SET goal = 'altered'; DELETE FROM control; UPDATE projection SET applied_seq = 3`));
      home.with(({ db }) => rebuildAll(db, () => undefined), { tolerate: ['config', 'tables'] });
      assert.equal(await findingOf(home, { deep: true }), null);
      assert.equal(refusalAtOpen(home), null);
    }));
});
