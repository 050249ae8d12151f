/** A home of an older version is brought up to date by the next command, because its process lock says so; what is signed stays as it is. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { openAsIs, openForDoctor } from '../../src/app/home/read-only.js';
import { openHome } from '../../src/app/home/open.js';
import { type World, programVersion } from '../../src/app/home/home.js';
import { verifyHome, type VerifyReport } from '../../src/app/log/verify-home.js';
import { openForReading } from '../../src/app/reference/home.js';
import { headText } from '../../src/journal/reader.js';
import { openDatabase, type Db } from '../../src/store/database.js';
import { findingOf, refusalAtOpen } from '../journal/tamper.js';
import { program } from '../support/cli/cli-run.js';
import { collect } from '../support/crash/crash-cli.js';
import { contentsBelow } from '../support/files-below.js';
import { lockVersion, setLockVersion } from '../support/store/lock-version.js';
import { homeForEach, submit, type TemporaryHome } from '../support/app/temporary-home.js';
import { refused } from '../support/refused.js';

function inFile<A>(home: TemporaryHome, read: (db: Db) => A): A {
  const db = openDatabase(join(home.directory, 'journal.sqlite3'), { queryOnly: true });
  try {
    return read(db);
  } finally {
    db.close();
  }
}

function exec({ directory }: Pick<TemporaryHome, 'directory'>, sql: string): void {
  const db = new Database(join(directory, 'journal.sqlite3'));
  db.exec(sql);
  db.close();
}

const envOf = ({ root, directory, witness }: TemporaryHome): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  HOME: root,
  AGENT_HOME: directory,
  AGENT_WITNESS: witness,
});

/** Everything that is signed, and the blobs. */
const signedRows = (home: TemporaryHome): unknown =>
  inFile(home, (db) => [db.prepare('SELECT * FROM events').all(), db.prepare('SELECT * FROM blob ORDER BY hash').all()]);

async function verified(home: TemporaryHome): Promise<VerifyReport> {
  const opened = openAsIs(home.world, {});
  try {
    return await verifyHome(opened, { deep: true });
  } finally {
    opened.close();
  }
}

/** The tables of an older version, or what would look like them. */
const older: readonly (readonly [string, string])[] = [
  ['with a projection of another version', "UPDATE projection SET version = 0 WHERE name = 'missions'; DELETE FROM mission"],
  ['that lacked a projection', "DELETE FROM projection WHERE name = 'missions'; DROP TABLE mission"],
];

describe('a home with tables of an older version', () => {
  const homes = homeForEach();
  const makeOlder = (sql = older[0]![1]): string => {
    const head = homes.get().with(({ writer }) => {
      for (let n = 0; n < 5; n++) writer.transact(submit(n));
      return headText(writer.head);
    });
    exec(homes.get(), sql);
    return head;
  };

  for (const [what, sql] of older) {
    it(`is brought up to date at open, and verifies: one ${what}`, async () => {
      const head = makeOlder(sql);
      setLockVersion(homes.get(), '1.9.0');
      homes.get().with((home) => {
        assert.equal(headText(home.writer.head), head);
        assert.equal(home.db.prepare('SELECT count(*) FROM mission').pluck().get(), 5);
        home.writer.transact(submit(9));
      });
      assert.equal(lockVersion(homes.get()), programVersion);
      assert.equal(await findingOf(homes.get(), { deep: true }), null);
    });

    it(`is damaged where the process lock names this version, and verify changes nothing: one ${what}`, async () => {
      makeOlder(sql);
      for (const deep of [false, true]) assert.equal((await findingOf(homes.get(), { deep }))?.code, 'integrity');
      assert.equal(refusalAtOpen(homes.get())?.code, 'integrity');
      assert.equal((await findingOf(homes.get(), { deep: false }))?.code, 'integrity');
    });
  }

  it('is verified without its tables when these are older, with a notice', async () => {
    for (const [what, sql] of older.filter(([, alteration]) => alteration.includes('SET version'))) {
      const home = homes.get().copy();
      exec(home, sql);
      setLockVersion(home, '1.9.0');
      const { valid, warnings } = await verified(home);
      assert.deepEqual([valid, warnings.length], [true, 1], what);
      assert.match(
        warnings[0] ?? '',
        /tables of version 1\.9\.0 were not compared; the next command other than verify and doctor rebuilds them/,
      );
      assert.equal(await findingOf(home, { deep: true }), null);
      home.remove();
    }
  });

  it('is brought up to date once by two processes that open it at once', async () => {
    makeOlder();
    setLockVersion(homes.get(), '1.9.0');
    const env = envOf(homes.get());
    const ran = await Promise.all(
      ['list', 'witness list', 'list'].map((command) =>
        collect(spawn(process.execPath, [program, ...command.split(' ')], { env })),
      ),
    );
    assert.deepEqual(
      ran.map(({ code }) => code),
      [0, 0, 0],
    );
    const notice = `! this home was upgraded from version 1.9.0 to ${programVersion}; version 1.9.0 refuses it from now on\n`;
    assert.deepEqual(ran.map(({ stderr }) => stderr).toSorted(), ['', '', notice]);
    assert.equal(await findingOf(homes.get(), { deep: true }), null);
  });

  it('may have been brought up to date by a command that was killed before the process lock named its version', async () => {
    makeOlder();
    setLockVersion(homes.get(), '1.9.0');
    homes.get().open().close();
    const before = [signedRows(homes.get()), inFile(homes.get(), (db) => db.prepare('SELECT * FROM migration').all())];
    setLockVersion(homes.get(), '1.9.0');
    assert.equal(await findingOf(homes.get(), { deep: true }), null);
    homes.get().clock.now += 1_000;
    homes.get().open().close();
    assert.equal(lockVersion(homes.get()), programVersion);
    const after = [signedRows(homes.get()), inFile(homes.get(), (db) => db.prepare('SELECT * FROM migration').all())];
    assert.deepEqual(after, before);
    assert.equal(await findingOf(homes.get(), { deep: true }), null);
  });
});

describe('a home of a build that was not released', () => {
  const homes = homeForEach();
  const foundings = [
    '5b86f2d3d9bc0fc84f657f04f9c9876d759174c0a33c7d7d94c411ff0e3eec3c',
    '36b5d568e88fd26d220f7ec2f7f189b28ce1bf7b6a675de3f501314426a5ce72',
  ];

  for (const version of ['1.9.0', programVersion, '2.1.0-dev'])
    it(`is refused and left as it is, before versions are compared: ${version} in its process lock`, async () => {
      homes.get().with(({ writer }) => writer.transact(submit(1)));
      for (const sha256 of foundings) {
        exec(homes.get(), `UPDATE migration SET sha256 = '${sha256}'`);
        setLockVersion(homes.get(), version);
        const before = contentsBelow(homes.get().directory);
        const { world } = homes.get();
        for (const open of [openHome, openForReading, openForDoctor, (at: World) => openAsIs(at, {})])
          assert.throws(() => open(world), refused('unreleased_home', /^this home was made by a build that was not released$/));
        const ran = await collect(spawn(process.execPath, [program, 'list'], { env: envOf(homes.get()) }));
        assert.deepEqual([ran.code, ran.stdout], [4, ''], ran.stderr);
        assert.deepEqual(contentsBelow(homes.get().directory), before);
      }
    });
});
