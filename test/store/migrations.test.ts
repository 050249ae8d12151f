import assert from 'node:assert/strict';
import Database from 'better-sqlite3';
import { describe, it } from 'mocha';
import { RefusalError } from '../../src/base/result.js';
import type { Db } from '../../src/store/database.js';
import { appliedMigrations, foreignObject, isMigrated, journalMigrations, migrate } from '../../src/store/migrations.js';

const refusedWith =
  (code: string) =>
  (error: unknown): boolean =>
    error instanceof RefusalError && error.refusal.code === code;

describe('migrations', () => {
  it('are applied once, recorded with their checksum, and make exactly the known objects', () => {
    const db = new Database(':memory:');
    assert.equal(isMigrated(db), false);
    migrate(db, 0);
    migrate(db, 1);
    assert.equal(isMigrated(db), true);
    const others = journalMigrations().filter(({ name }) => name !== '0001-journal.sql');
    assert.deepEqual(
      [...appliedMigrations(db)],
      others.map(({ name, sha256 }) => [name, sha256]),
    );
    assert.equal(foreignObject(db, []), null);
    assert.match(foreignObject(db, ['CREATE TABLE more(a)']) ?? '', /missing table more/);
    db.close();
  });

  it('refuse a foreign object whatever its name, and accept the tables of ANALYZE', () => {
    const trigger = "CREATE TRIGGER sqlite_evil AFTER INSERT ON checkpoint BEGIN UPDATE control SET state=''ready''; END";
    for (const [sql, named] of [
      [
        `INSERT INTO sqlite_master VALUES ('trigger', 'sqlite_evil', 'checkpoint', 0, '${trigger}')`,
        /unexpected trigger sqlite_evil/,
      ],
      [
        `INSERT INTO sqlite_master VALUES ('table', 'sqlite_stat1', 'checkpoint', 0, '${trigger}')`,
        /unexpected table sqlite_stat1/,
      ],
      [`INSERT INTO sqlite_master VALUES ('table', 'events', 'events', 0, '${trigger}')`, /(unexpected|altered) table events/],
    ] as const) {
      const db = new Database(':memory:');
      migrate(db, 0);
      db.exec('ANALYZE');
      assert.equal(foreignObject(db, []), null);
      db.unsafeMode();
      db.pragma('writable_schema = ON');
      db.exec(sql);
      assert.match(foreignObject(db, []) ?? '', named);
      db.close();
    }
  });

  it('are refused when they were changed, are unknown, or do not fit', () => {
    for (const [sql, code] of [
      ["UPDATE migration SET sha256 = 'aa'", 'integrity'],
      ["INSERT INTO migration VALUES ('9999-later.sql', 'aa', '')", 'newer_version'],
      ['DELETE FROM migration', 'integrity'],
      ["UPDATE migration SET at = 'yesterday'", 'integrity'],
      ["UPDATE migration SET at = ''", 'integrity'],
    ] as const) {
      const db = new Database(':memory:');
      migrate(db, 0);
      db.exec(sql);
      assert.throws(() => migrate(db, 1), refusedWith(code), sql);
      db.close();
    }
  });
});

describe('the founding migration', () => {
  const [old, founding] = ['0001-journal.sql', '0001-journal-2.sql'];
  const migrationOf = (name: string) => journalMigrations().find((migration) => migration.name === name)!;
  const record = (db: Db, name: string): unknown =>
    db.prepare('INSERT INTO migration VALUES (?, ?, ?)').run(name, migrationOf(name).sha256, '2026-11-20T05:00:00.000000Z');

  it('is kept in an older home, and the others are applied to it', () => {
    const db = new Database(':memory:');
    db.exec(migrationOf(old).sql);
    record(db, old);
    assert.equal(isMigrated(db), false);
    migrate(db, 0);
    assert.equal(isMigrated(db), true);
    assert.deepEqual([...appliedMigrations(db).keys()], [old, '0002-cosignature.sql', '0003-checkpoint-retention.sql']);
    assert.equal(foreignObject(db, []), null);
    const sql = db.prepare<[], string>("SELECT sql FROM sqlite_master WHERE name = 'events'").pluck().get();
    assert.match(sql ?? '', /hash TEXT NOT NULL UNIQUE/);
    db.close();
  });

  it('is unique: both, or neither, is refused', () => {
    for (const [what, alter] of [
      ['2 migrations founded', (db: Db) => record(db, old)],
      ['0 migrations founded', (db: Db) => db.prepare('DELETE FROM migration WHERE name = ?').run(founding)],
    ] as const) {
      const db = new Database(':memory:');
      migrate(db, 0);
      alter(db);
      for (const read of [() => migrate(db, 1), () => isMigrated(db), () => foreignObject(db, [])])
        assert.throws(read, (error) => refusedWith('integrity')(error) && String(error).includes(what), what);
      db.close();
    }
  });

  it('selects the expected schema: that of the other one is foreign', () => {
    const db = new Database(':memory:');
    migrate(db, 0);
    db.prepare('DELETE FROM migration WHERE name = ?').run(founding);
    record(db, old);
    assert.match(foreignObject(db, []) ?? '', /table (events|blob|tile)/);
    db.close();
  });
});
