import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, it } from 'mocha';
import type { Db } from '../../src/store/database.js';
import { exec, inCopy, newest, suite } from './tamper-suite.js';
import { alter, findingOf, flip, redefine, refusalAtOpen } from './tamper.js';

suite(
  'tiles',
  [
    ...[0, 1].flatMap((n) =>
      [0, 4_000, -1].map((at) => ({
        name: `a byte of tile 0/${n}, place ${at}`,
        change: (db: Db) => flip(db, 'tile', 'hashes', `level = 0 AND n = ${n}`, at),
        detail: new RegExp(`tile 0/${n} does not match`),
        sequence: n * 256 + 1,
      })),
    ),
    ...[0, -1].map((at) => ({
      name: `a byte of the last tile of level 1, place ${at}`,
      change: (db: Db) => flip(db, 'tile', 'hashes', 'level = 1', at),
      detail: /tile 1\/0 does not match/,
      sequence: 1,
    })),
    {
      name: 'the level of a tile',
      change: exec('UPDATE tile SET level = 3 WHERE n = 1'),
      detail: /tile 3\/1 is foreign/,
      sequence: 0,
    },
    {
      name: 'the number of a tile',
      change: exec('UPDATE tile SET n = 9 WHERE n = 1'),
      detail: /tile 0\/1 does not match/,
      sequence: 257,
    },
    {
      name: 'two tiles swapped',
      change: exec('UPDATE tile SET n = 1 - n + 9 WHERE level = 0; UPDATE tile SET n = n - 9 WHERE level = 0'),
      detail: /tile 0\/0/,
      sequence: 1,
    },
    { name: 'the first is gone', change: exec('DELETE FROM tile WHERE level = 0 AND n = 0'), detail: /tile 0\/0/, sequence: 1 },
    {
      name: 'that of level 1 is gone',
      change: exec('DELETE FROM tile WHERE level = 1'),
      detail: /tile 1\/0 is missing/,
      sequence: newest,
    },
    {
      name: 'that of level 1 is short',
      change: exec('UPDATE tile SET hashes = substr(hashes, 1, 32) WHERE level = 1'),
      detail: /tile 1\/0/,
      sequence: 1,
    },
    {
      name: 'one too many at level 0',
      change: exec("INSERT INTO tile VALUES (0, 7, x'00')"),
      detail: /tile 0\/7 is foreign/,
      sequence: 0,
    },
    { name: 'one too many at level 2', change: exec("INSERT INTO tile VALUES (2, 0, x'00')"), detail: /tile 2\/0/, sequence: 0 },
    // A command reads the last tile of each level, and the others when it reads an entry below them.
  ].map((change) => ({ ...change, atOpen: change.name.includes('of level 1') })),
);

const requestBlob = "hash IN (SELECT json_extract(body, '$.document.request_blob') FROM events WHERE seq = 5)";

/** Moves the border between salt and value, which the hash of both does not show. */
function resalt(db: Db, length: number): void {
  const both = db.prepare<[], [Buffer, Buffer]>(`SELECT salt, bytes FROM blob WHERE ${requestBlob}`).raw().get();
  const joined = Buffer.concat(both ?? []);
  db.prepare(`UPDATE blob SET salt = ?, bytes = ? WHERE ${requestBlob}`).run(joined.subarray(0, length), joined.subarray(length));
}

suite('blobs', [
  {
    name: 'a byte of the salt',
    change: (db) => flip(db, 'blob', 'salt', requestBlob, 3),
    detail: /does not match its hash/,
    sequence: 5,
  },
  {
    name: 'a byte of the value',
    change: (db) => flip(db, 'blob', 'bytes', requestBlob, -1),
    detail: /does not match its hash/,
    sequence: 5,
  },
  ...[0, 15, 17].map((length) => ({
    name: `bytes moved between salt and value: a salt of ${length}`,
    change: (db: Db) => resalt(db, length),
    detail: /does not match its hash/,
    sequence: 5,
  })),
  { name: 'its name', change: (db) => flip(db, 'blob', 'hash', requestBlob, 0), detail: /belongs to no entry/, sequence: 0 },
  {
    name: 'it is gone without an entry that says so',
    change: exec(`DELETE FROM blob WHERE ${requestBlob}`),
    detail: /is missing/,
    sequence: 5,
  },
  {
    name: 'one too many',
    change: exec(`INSERT INTO blob VALUES ('ff', x'${'00'.repeat(16)}', x'00')`),
    detail: /belongs to no entry/,
    sequence: 0,
  },
]);

suite('the schema', [
  {
    name: 'a trigger',
    change: exec('CREATE TRIGGER quiet AFTER INSERT ON events BEGIN DELETE FROM blob; END'),
    detail: /unexpected trigger quiet/,
    atOpen: true,
  },
  {
    name: 'a view',
    change: exec('CREATE VIEW shadow AS SELECT * FROM events'),
    detail: /unexpected view shadow/,
    atOpen: true,
  },
  { name: 'an index', change: exec('CREATE INDEX more ON events(hash)'), detail: /unexpected index more/, atOpen: true },
  {
    name: 'a table whose name resembles SQLite’s own',
    change: exec('CREATE TABLE sqlitex(a)'),
    detail: /unexpected table sqlitex/,
    atOpen: true,
  },
  {
    name: 'a column',
    change: exec('ALTER TABLE control ADD COLUMN more TEXT'),
    detail: /the table control in .* is not defined as this program defines it/,
    atOpen: true,
  },
  {
    name: 'an index is gone',
    change: exec('DROP INDEX events_mission'),
    detail: /missing index events_mission/,
    atOpen: true,
  },
  {
    name: 'a constraint is gone',
    change: (db) => {
      const sql = db.prepare<[], string>("SELECT sql FROM sqlite_master WHERE name = 'blob'").pluck().get() ?? '';
      redefine(db, 'blob', sql.replace(' CHECK (length(salt) = 16)', ''));
    },
    detail: /altered table blob/,
    atOpen: true,
  },
  {
    name: 'migration.name',
    change: (db) => flip(db, 'migration', 'name', "name LIKE '0001%'", 5),
    detail: /a newer version .* migration 0001-aournal\.sql/,
    atOpen: true,
    code: 'newer_version',
  },
  { name: 'migration.sha256', change: (db) => flip(db, 'migration', 'sha256', 'true', 5), detail: /migration/, atOpen: true },
  {
    name: 'a migration too many',
    change: exec("INSERT INTO migration VALUES ('9999-later.sql', 'aa', '')"),
    detail: /a newer version .* migration 9999-later\.sql/,
    atOpen: true,
    code: 'newer_version',
  },
  {
    name: 'migration.at',
    change: exec("UPDATE migration SET at = 'long ago'"),
    detail: /migration 0001-journal\.sql was recorded without a time/,
    atOpen: true,
  },
  {
    name: 'the migrations are gone',
    change: exec('DELETE FROM migration'),
    detail: /no journal that this program made/,
    atOpen: true,
  },
]);

describe('append-only triggers', () => {
  it('are reported when one is missing', () =>
    inCopy(async (home) => {
      alter(home, () => undefined);
      const db = new Database(join(home.directory, 'journal.sqlite3'));
      db.exec('DROP TRIGGER events_delete');
      db.pragma('wal_checkpoint(TRUNCATE)');
      db.close();
      const finding = await findingOf(home, { deep: false });
      assert.match(finding?.detail ?? '', /missing trigger events_delete/);
    }));
});

describe('a file that is not a database', () => {
  for (const [name, bytes] of [
    ['text', Buffer.from('not a database, but long enough to be taken for one by a careless reader'.repeat(9))],
    ['nothing', Buffer.alloc(0)],
  ] as const) {
    it(`is refused as journal.sqlite3: ${name}`, () =>
      inCopy(async (home) => {
        writeFileSync(join(home.directory, 'journal.sqlite3'), bytes);
        const file = join(home.directory, 'journal.sqlite3');
        assert.equal(refusalAtOpen(home)?.code, 'integrity');
        // SQLite gives an empty file its header; nothing else may be there.
        if (bytes.length > 0) assert.deepEqual(readFileSync(file), bytes);
        else assert.equal(new Database(file).prepare('SELECT count(*) FROM sqlite_master').pluck().get(), 0);
      }));
  }
});
