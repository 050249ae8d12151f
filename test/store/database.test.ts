import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Database } from '../../src/store/sqlite.js';
import { isBusy, isFull, openDatabase, retryWhileBusy, storageError } from '../../src/store/database.js';
import { appliedMigrations, foreignObject, isMigrated, journalMigrations, migrate } from '../../src/store/migrations.js';
import { createProcessLock, isAlone, takeProcessLock } from '../../src/store/process-lock.js';
import { takeReaderLock } from '../../src/store/reader-lock.js';
import { withFastClock } from '../support/app/fast-clock.js';
import { packageRoot } from '../support/package-root.js';
import { folderForEach } from '../support/app/temporary-home.js';
import { refused } from '../support/refused.js';
import { assertNone } from '../support/lists.js';
import { inDatabase } from '../support/store/in-database.js';

const folder = folderForEach();
const at = (name: string): string => join(folder.get(), name);
const coded = (code: string): Error => Object.assign(new Error(code), { code });
const sqlite = Number(process.versions.napi) < 10 ? 'better-sqlite3' : 'better-sqlite3-13';

describe('opening SQLite', () => {
  it('has its durable settings at every open, also where the file was left with others', () => {
    openDatabase(at('a'), { create: true }).close();
    inDatabase(at('a'), (db) => db.pragma('journal_mode = DELETE'));
    for (let i = 0; i < 2; i++) {
      const db = openDatabase(at('a'));
      const names = ['journal_mode', 'synchronous', 'recursive_triggers', 'trusted_schema', 'foreign_keys', 'cell_size_check'];
      assert.deepEqual(
        names.map((name) => db.pragma(name, { simple: true })),
        ['wal', 2, 1, 0, 1, 1],
      );
      db.exec('CREATE TABLE IF NOT EXISTS t(a)');
      db.close();
    }
  });

  it('makes no file unless it is told to', () => {
    assert.throws(() => openDatabase(at('none')), refused('integrity'));
    assert.equal(existsSync(at('none')), false);
  });

  it('refuses a file that is not a database', () => {
    writeFileSync(at('text'), 'x'.repeat(5_000));
    assert.throws(() => openDatabase(at('text')), refused('integrity'));
  });

  it('refuses to write when it is opened read-only', () => {
    openDatabase(at('a'), { create: true }).close();
    const db = openDatabase(at('a'), { readonly: true });
    assert.throws(() => db.exec('CREATE TABLE t(a)'), { code: 'SQLITE_READONLY' });
    db.close();
  });

  // As when SQLite restores the log that a killed process left, or the last connection empties it: for a moment nobody else can read.
  for (const options of [{}, { readonly: true }, { queryOnly: true }]) {
    it(`waits while another process has the file to itself: ${JSON.stringify(options)}`, async () => {
      openDatabase(at('a'), { create: true }).close();
      const held = `const db = require('${sqlite}')(${JSON.stringify(at('a'))});
        db.pragma('locking_mode = EXCLUSIVE'); db.exec('BEGIN IMMEDIATE; CREATE TABLE t(a); COMMIT');
        console.log('held'); process.stdin.once('data', () => setTimeout(() => (db.close(), process.exit()), 300))`;
      const other = spawn(process.execPath, ['-e', held], {
        cwd: packageRoot(import.meta.url),
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      await once(other.stdout, 'data');
      assert.throws(() => new Database(at('a'), { timeout: 0 }).pragma('schema_version'), { code: 'SQLITE_BUSY' });
      await new Promise((resolve) => other.stdin.write('close soon', resolve));
      const db = openDatabase(at('a'), options);
      assert.deepEqual(db.prepare('SELECT name FROM sqlite_master').pluck().all(), ['t']);
      db.close();
      if (other.exitCode === null) await once(other, 'exit');
    });
  }
});

describe('storage errors', () => {
  for (const [meaning, ...codes] of [
    ['storage_full', 'SQLITE_FULL', 'ENOSPC', 'EDQUOT'],
    ['not_writable', 'SQLITE_READONLY', 'SQLITE_IOERR_WRITE', 'SQLITE_IOERR_SHMSIZE', 'EROFS', 'EIO'],
    ['integrity', 'SQLITE_IOERR', 'SQLITE_IOERR_FSTAT', 'SQLITE_IOERR_CORRUPTFS', 'SQLITE_READONLY_DBMOVED'],
    ['integrity', 'SQLITE_CORRUPT', 'SQLITE_CORRUPT_VTAB', 'SQLITE_NOTADB', 'SQLITE_CANTOPEN'],
    ['in_use', 'SQLITE_BUSY', 'SQLITE_BUSY_SNAPSHOT', 'SQLITE_LOCKED'],
    ['forbidden', 'EACCES'],
  ] as const)
    for (const code of codes)
      it(`have ${code} mean ${meaning}`, () => assert.ok(refused(meaning)(storageError(coded(code), 'it'))));

  it('name too many open files, which SQLite reports as a file that cannot be opened', () => {
    const script = `
      import { closeSync, openSync } from 'node:fs';
      const [, module, file] = process.argv;
      const { openDatabase } = await import(module);
      openDatabase(file, { create: true }).exec('CREATE TABLE t(a)');
      const kept = [];
      try { for (;;) kept.push(openSync('/dev/null')); } catch {}
      const said = new Set();
      for (let free = 0; free < 8; free++) {
        try { openDatabase(file).close(); said.add('opened'); } catch (error) { said.add(error.refusal?.code + ': ' + error.refusal?.detail); }
        closeSync(kept.pop());
      }
      console.log(JSON.stringify([...said]));`;
    const module = new URL('../../src/store/database.js', import.meta.url).href;
    const shell = 'ulimit -n 100; exec "$0" "$@"';
    const words = ['-c', shell, process.execPath, '--input-type=module', '-e', script, module, at('few')];
    const { stdout, stderr } = spawnSync('/bin/sh', words, { encoding: 'utf8' });
    const shortage = 'busy: few cannot be opened: EMFILE, too many open files in this process';
    assert.deepEqual(JSON.parse(stdout || '[]'), [shortage, 'opened'], stderr);
  });

  it('come from the SQLite that docs/security.md names, which has no session extension', () => {
    const db = new Database(':memory:');
    const page = readFileSync(join(packageRoot(import.meta.url), 'docs', 'security.md'), 'utf8');
    const version = db.prepare<[], string>('SELECT sqlite_version()').pluck().get() ?? '';
    const { version: binding } = JSON.parse(
      readFileSync(join(packageRoot(import.meta.url), 'node_modules', sqlite, 'package.json'), 'utf8'),
    ) as { readonly version: string };
    assert.ok(page.includes(`better-sqlite3 ${binding} (SQLite ${version})`));
    const options = db.prepare<[], string>('PRAGMA compile_options').pluck().all();
    assertNone(options, (option) => /SESSION|PREUPDATE/.test(option));
    db.close();
  });

  it('stay what they are when they are unknown', () => {
    for (const error of [coded('SQLITE_IOERR_READ'), new RangeError('a bug'), 'text'])
      assert.equal(storageError(error, 'it'), error);
    assert.deepEqual([isBusy(coded('SQLITE_BUSY')), isBusy(coded('SQLITE_FULL')), isBusy(null)], [true, false, false]);
    assert.deepEqual([isFull(coded('SQLITE_FULL')), isFull(coded('ENOSPC')), isFull(coded('SQLITE_BUSY'))], [true, true, false]);
  });

  it('are retried while busy until the time is over; others are thrown at once', () => {
    let tries = 0;
    const third = retryWhileBusy(() => {
      if (++tries < 3) throw coded('SQLITE_BUSY');
      return tries;
    });
    assert.equal(third, 3);
    assert.throws(
      () =>
        retryWhileBusy(() => {
          tries++;
          throw coded('SQLITE_BUSY');
        }, 40),
      { code: 'SQLITE_BUSY' },
    );
    assert.ok(tries > 4, `${tries}`);
    const before = tries;
    assert.throws(() =>
      retryWhileBusy(() => {
        tries++;
        throw coded('SQLITE_FULL');
      }),
    );
    assert.equal(tries, before + 1);
  });
});

describe('the process lock', () => {
  const file = (): string => at('lock.sqlite3');
  const take = (mode: 'command' | 'daemon', version = '1.2.3', whileAlone?: () => void) => {
    const options = { version, mode, describeHolder: () => ' (the holder)', upgrade: () => undefined };
    return takeProcessLock(file(), whileAlone === undefined ? options : { ...options, whileAlone });
  };

  it('knows whether it is alone, and keeps others out meanwhile', () => {
    createProcessLock(file(), '1.2.3').release();
    let times = 0;
    const alone = (): void => {
      times++;
      assert.equal(isAlone(file()), false);
    };
    const first = take('command', '1.2.3', alone);
    assert.equal(times, 1);
    const second = take('command', '1.2.3', alone);
    assert.equal(times, 1);
    first.release();
    second.release();
    assert.throws(() => take('command', '1.2.2', alone), refused('newer_version'));
    assert.equal(times, 1, 'a home of a newer version is not touched');
    const failing = (): never => {
      throw new Error('no');
    };
    assert.throws(() => take('command', '1.2.3', failing), /no/);
    take('command').release();
  });

  it('lets one daemon in beside any number of commands', () => {
    createProcessLock(file(), '1.2.3').release();
    const command = take('command');
    const daemon = take('daemon');
    const later = take('command');
    assert.throws(
      () => take('daemon'),
      (error) => refused('in_use')(error) && /serves this home \(the holder\)/.test(String(error)),
    );
    daemon.release();
    take('daemon').release();
    command.release();
    later.release();
  });

  it('lets nobody in while a home is made', () => {
    const making = createProcessLock(file(), '1.2.3');
    assert.throws(() => createProcessLock(file(), '1.2.3'), refused('in_use'));
    making.release();
    take('command').release();
  });

  it('lets a development version take the home of an earlier release, and the later release take it over', () => {
    createProcessLock(file(), '1.2.0').release();
    take('command', '1.3.0-dev').release();
    assert.throws(() => take('command', '1.2.0'), refused('newer_version'));
    take('command', '1.3.0').release();
    assert.throws(() => take('command', '1.3.0-dev'), refused('newer_version'));
    // Neither is newer.
    take('command', '1.3.0+other.build').release();
    take('command', '1.3.0').release();
  });

  it('is taken for reading whichever version wrote it, and holds that version', async () => {
    createProcessLock(file(), '1.3.0').release();
    const bytes = readFileSync(file());
    const reader = takeReaderLock(file());
    assert.equal(reader.version, '1.3.0');
    await withFastClock(() => assert.throws(() => take('command', '1.4.0'), refused('in_use')));
    reader.release();
    assert.deepEqual(readFileSync(file()), bytes);
    take('command', '1.4.0').release();
    assert.equal(takeReaderLock(at('missing.sqlite3')).version, null);
  });
});

describe('migrations', () => {
  it('are applied once, recorded with their checksum, and make exactly the known objects', () => {
    const db = new Database(':memory:');
    assert.throws(() => migrate(db, Date.parse('+010000-01-01')), /set it/);
    assert.equal(isMigrated(db), false);
    migrate(db, 0);
    migrate(db, 1);
    assert.equal(isMigrated(db), true);
    assert.deepEqual(appliedMigrations(db), new Map(journalMigrations().map(({ name, sha256 }) => [name, sha256])));
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
        assert.throws(read, refused('unreleased_home'));
      db.close();
    }
  });
});
