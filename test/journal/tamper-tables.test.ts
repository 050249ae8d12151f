/** Alterations beside the signed log: tiles, blobs, the schema, the tables of states, and the file itself. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Database } from '../../src/store/sqlite.js';
import { rebuildHome } from '../../src/app/home/rebuild.js';
import type { Db } from '../../src/store/database.js';
import type { TemporaryHome } from '../support/app/temporary-home.js';
import { type Case, flipped, inCopy, newest, suite } from './tamper-suite.js';
import { alter, findingOf, redefine, refusalAtOpen } from './tamper.js';
import { inDatabase } from '../support/store/in-database.js';

// A command reads the last tile of each level, and the others when it reads an entry below them.
suite('tiles', { atOpen: false }, [
  ...[0, 1].flatMap((n) =>
    [0, -1].map(
      (at): Case => [
        `a byte of tile 0/${n}, place ${at}`,
        flipped('tile', 'hashes', `level = 0 AND n = ${n}`, at),
        new RegExp(`tile 0/${n} does not match`),
        n * 256 + 1,
      ],
    ),
  ),
  ['the level of a tile', 'UPDATE tile SET level = 3 WHERE n = 1', /tile 3\/1 is foreign/, 0],
  ['the number of a tile', 'UPDATE tile SET n = 9 WHERE n = 1', /tile 0\/1 does not match/, 257],
  ['two are swapped', 'UPDATE tile SET n = 10 - n WHERE level = 0; UPDATE tile SET n = n - 9 WHERE level = 0', /tile 0\/0/, 1],
  ['the first is gone', 'DELETE FROM tile WHERE level = 0 AND n = 0', /tile 0\/0/, 1],
  ['one too many at level 0', "INSERT INTO tile VALUES (0, 7, x'00')", /tile 0\/7 is foreign/, 0],
]);
suite('the last tile of level 1', { atOpen: true }, [
  ['its first byte', flipped('tile', 'hashes', 'level = 1', 0), /tile 1\/0 does not match/, 1],
  ['its last byte', flipped('tile', 'hashes', 'level = 1', -1), /tile 1\/0 does not match/, 1],
  ['is gone', 'DELETE FROM tile WHERE level = 1', /tile 1\/0 is missing/, newest],
  ['is short', 'UPDATE tile SET hashes = substr(hashes, 1, 32) WHERE level = 1', /tile 1\/0/, 1],
]);

const requestBlob = "hash IN (SELECT json_extract(body, '$.document.request_blob') FROM events WHERE seq = 5)";

/** Moves the border between salt and value, which the hash of both does not show. */
function resalt(db: Db, length: number): void {
  const both = db.prepare<[], [Buffer, Buffer]>(`SELECT salt, bytes FROM blob WHERE ${requestBlob}`).raw().get();
  const joined = Buffer.concat(both ?? []);
  db.prepare(`UPDATE blob SET salt = ?, bytes = ? WHERE ${requestBlob}`).run(joined.subarray(0, length), joined.subarray(length));
}

suite('blobs', { atOpen: false }, [
  ['a byte of the salt', flipped('blob', 'salt', requestBlob, 3), /does not match its hash/, 5],
  ['a byte of the value', flipped('blob', 'bytes', requestBlob, -1), /does not match its hash/, 5],
  ...[0, 15, 17].map((length): Case => [`a salt of ${length} bytes`, (db) => resalt(db, length), /does not match its hash/, 5]),
  ['its name', flipped('blob', 'hash', requestBlob, 0), /belongs to no entry/, 0],
  ['it is gone without an entry that says so', `DELETE FROM blob WHERE ${requestBlob}`, /is missing/, 5],
  ['one too many', `INSERT INTO blob VALUES ('ff', x'${'00'.repeat(16)}', x'00')`, /belongs to no entry/, 0],
]);

function dropConstraint(db: Db): void {
  const sql = db.prepare<[], string>("SELECT sql FROM sqlite_master WHERE name = 'blob'").pluck().get() ?? '';
  redefine(db, 'blob', sql.replace(' CHECK (length(salt) = 16)', ''));
}
const newer = { code: 'newer_version' } as const;
const later = "INSERT INTO migration VALUES ('9999-later.sql', 'aa', '')";
const quiet = 'CREATE TRIGGER quiet AFTER INSERT ON events BEGIN DELETE FROM blob; END';

suite('the schema', { atOpen: true }, [
  ['a trigger', quiet, /unexpected trigger quiet/],
  ['a view', 'CREATE VIEW shadow AS SELECT * FROM events', /unexpected view shadow/],
  ['an index', 'CREATE INDEX more ON events(hash)', /unexpected index more/],
  ['a table whose name resembles SQLite’s own', 'CREATE TABLE sqlitex(a)', /unexpected table sqlitex/],
  ['a column', 'ALTER TABLE control ADD COLUMN more TEXT', /table control in .* is not defined as this program defines it/],
  ['an index is gone', 'DROP INDEX events_mission', /missing index events_mission/],
  ['a constraint is gone', dropConstraint, /altered table blob/],
  ['migration.name', flipped('migration', 'name', "name LIKE '0001%'", 5), /newer version .* 0001-aournal\.sql/, null, newer],
  ['migration.sha256', flipped('migration', 'sha256', 'true', 5), /migration/],
  ['a migration too many', later, /a newer version .* migration 9999-later\.sql/, null, newer],
  ['migration.at', "UPDATE migration SET at = 'long ago'", /migration 0001-journal\.sql was recorded without a time/],
  ['the migrations are gone', 'DELETE FROM migration', /no journal that this program made/],
]);

it('reports a missing trigger', () =>
  inCopy(async (home) => {
    inDatabase(join(home.directory, 'journal.sqlite3'), (db) => db.exec('DROP TRIGGER events_delete'));
    assert.match((await findingOf(home, { deep: false }))?.detail ?? '', /missing trigger events_delete/);
  }));

const mission = "id = '00000000-0000-4000-8000-000000000001'";
// A row is compared when it is read, or its state is listed or counted.
suite('a table of states', { atOpen: false }, [
  ...['id', 'goal', 'record'].map(
    (column): Case => [`mission.${column}`, flipped('mission', column, mission, 1), /table mission differs/],
  ),
  ['mission.revision', `UPDATE mission SET revision = 9999 WHERE ${mission}`, /table mission differs/],
  ['a mission is gone', `DELETE FROM mission WHERE ${mission}`, /table mission differs/],
  [
    'a mission too many',
    `INSERT INTO mission SELECT 9999, 'x', kind, state, goal, ids_hash, updated_at, record FROM mission WHERE ${mission}`,
    /table mission holds rows of no entry|table mission differs/,
  ],
]);
const ofMissions = "WHERE name = 'missions'";
suite('the tables that every command reads', { atOpen: true }, [
  ['control.state', "UPDATE control SET state = 'paused'", /control/],
  ['control.config_blob', flipped('control', 'config_blob', 'id = 1', 9), /control/],
  ['control.config_hash', flipped('control', 'config_hash', 'id = 1', 9), /control|config/],
  ['the control row is gone', 'DELETE FROM control', /control|configuration/],
  ['projection.behind', 'UPDATE projection SET behind = 1', /projection/],
  [
    'projection.version, later',
    `UPDATE projection SET version = version + 1 ${ofMissions}`,
    /version \d of the projection missions/,
    null,
    newer,
  ],
  ['projection.name', `UPDATE projection SET name = 'other' ${ofMissions}`, /version \d of the projection other/, null, newer],
]);

describe('altered tables', () => {
  const repairs = async (home: TemporaryHome): Promise<void> => {
    home.with((opened) => rebuildHome(opened, () => undefined), { tolerate: ['config', 'schema', 'tables'] });
    assert.equal(await findingOf(home, { deep: true }), null);
    assert.equal(refusalAtOpen(home), null);
  };

  for (const sql of [`UPDATE projection SET version = version - 1 ${ofMissions}`, `DELETE FROM projection ${ofMissions}`])
    it(`are damage that only rebuild repairs: ${sql}`, () =>
      inCopy(async (home) => {
        alter(home, `${sql}; UPDATE mission SET goal = 'altered' WHERE ${mission}`);
        for (const deep of [false, true]) {
          const { code, detail } = (await findingOf(home, { deep })) ?? {};
          assert.deepEqual([code, detail], ['integrity', 'the table projection was altered; run: agent-cli rebuild']);
        }
        const { code, hint } = refusalAtOpen(home) ?? {};
        assert.deepEqual([code, hint], ['integrity', 'agent-cli rebuild']);
        await repairs(home);
      }));

  it('are repaired by rebuild', () =>
    inCopy(async (home) => {
      alter(home, "UPDATE mission SET goal = 'altered'; DELETE FROM control; UPDATE projection SET behind = 1");
      await repairs(home);
    }));
});

describe('a file that is not a database', () => {
  for (const [name, bytes] of [
    ['text', Buffer.from('not a database, but long enough to be taken for one by a careless reader'.repeat(9))],
    ['nothing', Buffer.alloc(0)],
  ] as const)
    it(`is refused as journal.sqlite3: ${name}`, () =>
      inCopy(async (home) => {
        const file = join(home.directory, 'journal.sqlite3');
        writeFileSync(file, bytes);
        assert.equal(refusalAtOpen(home)?.code, 'integrity');
        // SQLite gives an empty file its header; nothing else may be there.
        if (bytes.length > 0) assert.deepEqual(readFileSync(file), bytes);
        else assert.equal(new Database(file).prepare('SELECT count(*) FROM sqlite_master').pluck().get(), 0);
      }));
});
