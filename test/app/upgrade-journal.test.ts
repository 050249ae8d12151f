/** A home of an older version: the next command brings it up to date, and doctor tries that on a copy; what is signed stays as it is. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { Database } from '../../src/store/sqlite.js';
import { openAsIs, openForDoctor } from '../../src/app/home/read-only.js';
import { openHome } from '../../src/app/home/open.js';
import { damageFaults, type Home, programVersion, type World } from '../../src/app/home/home.js';
import { verifyHome, type VerifyReport } from '../../src/app/log/verify-home.js';
import { openForReading } from '../../src/app/reference/home.js';
import { headText } from '../../src/journal/reader.js';
import { openDatabase, type Db } from '../../src/store/database.js';
import { alter, findingOf, refusalAtOpen } from '../journal/tamper.js';
import { program } from '../support/cli/cli-run.js';
import { collect } from '../support/crash/crash-cli.js';
import { contentsBelow } from '../support/files-below.js';
import { lockVersion, setLockVersion } from '../support/store/lock-version.js';
import { homeForEach, submit, type TemporaryHome, temporaryHome } from '../support/app/temporary-home.js';
import { refused } from '../support/refused.js';
import { inspectHome } from '../../src/app/operator/doctor.js';
import type { Check } from '../../src/codec/api-status.js';
import { membersOf } from '../support/lists.js';
import { inDatabase } from '../support/store/in-database.js';

function inFile<A>(home: TemporaryHome, read: (db: Db) => A): A {
  const db = openDatabase(join(home.directory, 'journal.sqlite3'), { queryOnly: true });
  try {
    return read(db);
  } finally {
    db.close();
  }
}

function exec({ directory }: Pick<TemporaryHome, 'directory'>, sql: string): void {
  inDatabase(join(directory, 'journal.sqlite3'), (db) => db.exec(sql));
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
    assert.deepEqual(membersOf(ran, 'code'), [0, 0, 0]);
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
    'e497d90998d1616a6d09aa0db31c01696385ef96ab9fba679d39ed45b6680be2',
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

function examine<A>({ world }: TemporaryHome, use: (home: Home) => A): A {
  const home = openForDoctor(world, { tolerate: ['config', 'witness', 'permissions', ...damageFaults] });
  try {
    return use(home);
  } finally {
    home.close();
  }
}

const check = (home: TemporaryHome, name: string): Check =>
  examine(home, (opened) => inspectHome(opened).checks.find((one) => one.name === name)!);
const contents = ({ directory, witness }: TemporaryHome): readonly unknown[] => [
  contentsBelow(directory),
  [...contentsBelow(witness)].filter(([name]) => !name.endsWith('.verified')),
];

/** A home with two entries more, that an older version wrote last, with another version of a projection. */
function olderHome(): TemporaryHome {
  const home = temporaryHome();
  home.with(({ writer }) => {
    for (let n = 0; n < 2; n++) writer.transact(submit(n));
  });
  inDatabase(join(home.directory, 'journal.sqlite3'), (db) =>
    db.exec("UPDATE projection SET version = 0 WHERE name = 'missions'; DELETE FROM mission"),
  );
  setLockVersion(home, '1.9.0');
  return home;
}

describe('doctor on a home of an older version', () => {
  const homes = homeForEach(olderHome);

  it('reports what the upgrade does and what to do first, and leaves home and witness unchanged', () => {
    const before = contents(homes.get());
    const { status, detail, fix } = check(homes.get(), 'version');
    const steps = 'rebuilds the tables from 3 entries';
    assert.deepEqual(
      [status, detail, fix],
      [
        'warn',
        `version 1.9.0 wrote this home last; the next command of ${programVersion}, other than doctor and verify, ${steps}; ` +
          'this was tried on a copy and works; version 1.9.0 refuses the home afterwards',
        'with version 1.9.0: agent-cli pause && agent-cli verify && agent-cli backup FILE',
      ],
    );
    const { checks, control, events } = examine(homes.get(), inspectHome);
    assert.deepEqual([control, events], ['ready', 3]);
    assert.deepEqual(
      checks.filter((one) => one.status !== 'ok').map((one) => one.name),
      ['version'],
    );
    assert.deepEqual(contents(homes.get()), before);
  });

  it('reports a damaged entry, as the next command would', () => {
    alter(homes.get(), (db) => db.exec('UPDATE events SET body = replace(body, \'"goal":"\', \'"goal":"no \') WHERE seq = 2'));
    const before = contents(homes.get());
    assert.equal(check(homes.get(), 'journal').status, 'fail');
    assert.deepEqual(contents(homes.get()), before);
  });
});

describe('doctor on a home whose tables are those of this version', () => {
  const homes = homeForEach();

  it('opens one of this version as every command does', () => {
    examine(homes.get(), ({ upgrade }) => assert.equal(upgrade, null));
    assert.deepEqual(check(homes.get(), 'version'), {
      name: 'version',
      status: 'ok',
      detail: `this home is of version ${programVersion}`,
      fix: null,
    });
  });

  it('opens one whose process lock lost its version as every command does', () => {
    setLockVersion(homes.get(), '0.0.0');
    assert.equal(check(homes.get(), 'version').detail, `this home is of version ${programVersion}`);
    assert.equal(lockVersion(homes.get()), programVersion);
  });

  it('reports that the upgrade records only the version', () => {
    setLockVersion(homes.get(), '1.9.0');
    assert.match(check(homes.get(), 'version').detail, /records the version and changes nothing else; this was tried/);
    assert.equal(lockVersion(homes.get()), '1.9.0');
  });

  it('refuses what the upgrade would refuse, and changes nothing', () => {
    inDatabase(join(homes.get().directory, 'journal.sqlite3'), (db) =>
      db.exec("UPDATE projection SET version = 99 WHERE name = 'missions'"),
    );
    setLockVersion(homes.get(), '1.9.0');
    const before = contents(homes.get());
    assert.throws(() => check(homes.get(), 'version'), refused('newer_version'));
    assert.deepEqual(contents(homes.get()), before);
  });

  it('reports which process to stop while another one has the home open', () => {
    homes.get();
    setLockVersion(homes.get(), '1.9.0');
    const other = new Database(join(homes.get().directory, 'lock.sqlite3'));
    other.exec('BEGIN');
    other.prepare('SELECT version FROM program').get();
    assert.equal(check(homes.get(), 'version').fix, 'stop the process of version 1.9.0 that uses this home');
    other.close();
    assert.match(check(homes.get(), 'version').fix ?? '', /^with version 1\.9\.0: agent-cli pause && agent-cli verify && /);
  });

  it('checks the log that a killed process left, and leaves it to the next command', () => {
    const { directory } = homes.get();
    homes.get().with((home) => home.writer.transact(submit(1)));
    setLockVersion(homes.get(), '1.9.0');
    const killed = new Database(join(directory, 'journal.sqlite3'));
    killed.exec('CREATE TABLE IF NOT EXISTS later(a TEXT); DROP TABLE later');
    const log = contentsBelow(directory);
    const copy = homes.get().copy();
    killed.close();
    assert.ok(log.has('journal.sqlite3-wal'));
    assert.equal(check(copy, 'last stop').status, 'warn');
    assert.equal(contentsBelow(copy.directory).get('journal.sqlite3-wal'), log.get('journal.sqlite3-wal'));
    copy.remove();
  });
});
