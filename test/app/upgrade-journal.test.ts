/** A home of an older version is brought up to date by the next command, because its process lock says so; what is signed stays as it is. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { openAsIs } from '../../src/app/home/as-is.js';
import { programVersion } from '../../src/app/home/program.js';
import { listWitnesses } from '../../src/app/log/witness.js';
import { verifyHome, type VerifyReport } from '../../src/app/log/verify-home.js';
import { headText } from '../../src/journal/reader.js';
import { openDatabase, type Db } from '../../src/store/database.js';
import { appliedMigrations } from '../../src/store/migrations.js';
import { checkpointSizes } from '../journal/inspect.js';
import { alter, findingOf, refusalAtOpen } from '../journal/tamper.js';
import { program } from '../support/cli-run.js';
import { collect } from '../support/crash-cli.js';
import { goldenHome } from '../support/golden-home.js';
import { lockVersion, setLockVersion } from '../support/lock-version.js';
import { homeForEach, submit, type TemporaryHome } from '../support/temporary-home.js';
import { backup, restore, withHome, worldBeside } from './backup/archives.js';

const newest_migrations = ['0002-cosignature.sql', '0003-checkpoint-retention.sql'];
const migrationsOf = (home: TemporaryHome): string[] => inFile(home, (db) => [...appliedMigrations(db).keys()]);

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

describe('a home of 2.0.0', () => {
  const homes = homeForEach(() => goldenHome('2.0.0', 'main'));

  it('is verified unchanged, with every checkpoint that it has', async () => {
    assert.equal(await findingOf(homes.get(), { deep: true }), null);
    const { warnings, signatures_checked } = await verified(homes.get());
    assert.deepEqual([warnings, signatures_checked], [[], 1_282]);
    alter(homes.get(), (db) => db.exec("UPDATE checkpoint SET note = replace(note, 'agent', 'agemt') WHERE size = 300"));
    const finding = await findingOf(homes.get(), { deep: false });
    assert.deepEqual([finding?.code, finding?.sequence], ['integrity', 300]);
  });

  it('keeps its founding schema and its rows; only the newest checkpoint and the cosigned one are left', async () => {
    const before = signedRows(homes.get());
    homes.get().open().close();
    assert.equal(lockVersion(homes.get()), programVersion);
    assert.deepEqual(migrationsOf(homes.get()), ['0001-journal.sql', ...newest_migrations]);
    assert.deepEqual(signedRows(homes.get()), before);
    assert.deepEqual(
      inFile(homes.get(), (db) => checkpointSizes({ db })),
      [5, 641],
    );
    for (const deep of [false, true]) assert.equal(await findingOf(homes.get(), { deep }), null);
    homes.get().with(({ writer }) => assert.equal(writer.transact(submit(1)), 642));
    assert.deepEqual(
      inFile(homes.get(), (db) => checkpointSizes({ db })),
      [5, 642],
    );
    assert.equal(await findingOf(homes.get(), { deep: true }), null);
  });

  it('is restored into a home of the newest founding schema', async () => {
    const { file } = await backup(homes.get());
    const world = worldBeside(homes.get());
    await restore(world, file);
    const restored = { ...homes.get(), directory: world.directory, world };
    assert.deepEqual(migrationsOf(restored), ['0001-journal-2.sql', ...newest_migrations]);
    assert.deepEqual(
      withHome(world, (home) => checkpointSizes(home)),
      [642],
    );
    assert.equal(await findingOf(restored, { deep: true }), null);
  });

  for (const [what, sql] of [
    ['both', "INSERT INTO migration SELECT '0001-journal-2.sql', $, at FROM migration WHERE name = '0001-journal.sql'"],
    ['the other', "UPDATE migration SET name = '0001-journal-2.sql', sha256 = $ WHERE name = '0001-journal.sql'"],
    ['neither', "DELETE FROM migration WHERE name = '0001-journal.sql'"],
  ] as const) {
    it(`is refused before and after the upgrade when it records ${what} of the founding names`, async () => {
      const isOther = what === 'the other';
      const { journalMigrations } = await import('../../src/store/migrations.js');
      const sha256 = journalMigrations().find(({ name }) => name === '0001-journal-2.sql')?.sha256 ?? '';
      const change = (db: Db): unknown => db.exec(sql.replace('$', `'${sha256}'`));
      const detail = isOther
        ? /schema differs from what agent-cli creates|tables do not fit/
        : /migrations founded this journal instead of one/;
      for (const upgrade of [false, true]) {
        const home = homes.get().copy();
        if (upgrade) home.open().close();
        alter(home, change);
        const [finding, refusal] = [await findingOf(home, { deep: false }), refusalAtOpen(home)];
        for (const found of [finding, refusal])
          assert.deepEqual([found?.code, detail.test(found?.detail ?? '')], ['integrity', true]);
        home.remove();
      }
    });
  }
});

/** What the journal was before the migrations and the projection. */
const beforeWitnesses = `DROP TABLE cosignature; DELETE FROM migration WHERE name > '0002';
  DROP TABLE witness; DELETE FROM projection WHERE name = 'witnesses'`;

/** The tables of an older version, or what would look like them. */
const older: readonly (readonly [string, string])[] = [
  ['before there were witnesses', beforeWitnesses],
  ['before the older checkpoints were removed', "DELETE FROM migration WHERE name > '0003'"],
  ['with a projection of another version', "UPDATE projection SET version = 0 WHERE name = 'missions'; DELETE FROM mission"],
  ['that lacked a projection', "DELETE FROM projection WHERE name = 'missions'; DROP TABLE mission"],
];

describe('a home with tables of an older version', () => {
  const homes = homeForEach();
  const makeOlder = (sql = beforeWitnesses): string => {
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
      setLockVersion(homes.get(), '2.0.0');
      homes.get().with((home) => {
        assert.equal(headText(home.writer.head), head);
        assert.deepEqual(listWitnesses(home).items, []);
        assert.equal(home.db.prepare('SELECT count(*) FROM mission').pluck().get(), 5);
        home.writer.transact(submit(9));
      });
      assert.deepEqual(migrationsOf(homes.get()), ['0001-journal-2.sql', ...newest_migrations]);
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
      setLockVersion(home, '2.0.0');
      const { valid, warnings } = await verified(home);
      assert.deepEqual([valid, warnings.length], [true, 1], what);
      assert.match(
        warnings[0] ?? '',
        /tables of version 2\.0\.0 were not compared; the next command other than verify and doctor rebuilds them/,
      );
      assert.equal(await findingOf(home, { deep: true }), null);
      home.remove();
    }
  });

  it('is brought up to date once by two processes that open it at once', async () => {
    makeOlder();
    setLockVersion(homes.get(), '2.0.0');
    const env = { PATH: process.env['PATH'] ?? '', HOME: homes.get().root, ...homes.get().world.env };
    const ran = await Promise.all(
      ['list', 'witness list', 'list'].map((command) =>
        collect(spawn(process.execPath, [program, ...command.split(' ')], { env })),
      ),
    );
    assert.deepEqual(
      ran.map(({ code }) => code),
      [0, 0, 0],
    );
    const notice = `! this home was upgraded from version 2.0.0 to ${programVersion}; version 2.0.0 refuses it from now on\n`;
    assert.deepEqual(ran.map(({ stderr }) => stderr).toSorted(), ['', '', notice]);
    assert.deepEqual(migrationsOf(homes.get()), ['0001-journal-2.sql', ...newest_migrations]);
    assert.equal(await findingOf(homes.get(), { deep: true }), null);
  });

  it('may have been brought up to date by a command that was killed before the process lock named its version', async () => {
    makeOlder();
    setLockVersion(homes.get(), '2.0.0');
    homes.get().open().close();
    const before = [signedRows(homes.get()), inFile(homes.get(), (db) => db.prepare('SELECT * FROM migration').all())];
    setLockVersion(homes.get(), '2.0.0');
    assert.equal(await findingOf(homes.get(), { deep: true }), null);
    homes.get().clock.now += 1_000;
    homes.get().open().close();
    assert.equal(lockVersion(homes.get()), programVersion);
    const after = [signedRows(homes.get()), inFile(homes.get(), (db) => db.prepare('SELECT * FROM migration').all())];
    assert.deepEqual(after, before);
    assert.equal(await findingOf(homes.get(), { deep: true }), null);
  });

  it('is refused and left unchanged when its new table belongs to somebody else', () => {
    makeOlder();
    setLockVersion(homes.get(), '2.0.0');
    exec(homes.get(), 'CREATE TABLE cosignature(size TEXT)');
    assert.throws(() => homes.get().open(), /tables do not fit migration 0002-cosignature\.sql/);
    assert.deepEqual(migrationsOf(homes.get()), ['0001-journal-2.sql']);
    assert.equal(lockVersion(homes.get()), '2.0.0');
  });
});
