import assert from 'node:assert/strict';
import Database from 'better-sqlite3';
import { describe, it } from 'mocha';
import { RefusalError } from '../../src/base/result.js';
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
    assert.deepEqual(
      [...appliedMigrations(db)],
      journalMigrations().map(({ name, sha256 }) => [name, sha256]),
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

describe('journals of builds that were not released', () => {
  const foundings = [
    '5b86f2d3d9bc0fc84f657f04f9c9876d759174c0a33c7d7d94c411ff0e3eec3c',
    '36b5d568e88fd26d220f7ec2f7f189b28ce1bf7b6a675de3f501314426a5ce72',
  ];

  it('are recognised by the checksum of their founding migration, whatever else they record', () => {
    for (const sha256 of foundings) {
      const db = new Database(':memory:');
      migrate(db, 0);
      db.exec("INSERT INTO migration VALUES ('0000-later.sql', 'aa', '')");
      db.prepare('UPDATE migration SET sha256 = ? WHERE name = ?').run(sha256, '0001-journal.sql');
      for (const read of [() => migrate(db, 1), () => isMigrated(db), () => foreignObject(db, [])])
        assert.throws(read, refusedWith('unreleased_home'));
      db.close();
    }
  });
});
