/** `verify` opens a home as it is: nothing is brought up to date, repaired, taken over or left behind. */
import assert from 'node:assert/strict';
import fs, { copyFileSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename, join } from 'node:path';
import { Database } from '../../src/store/sqlite.js';
import { initHome } from '../../src/app/home/init.js';
import { openAsIs } from '../../src/app/home/read-only.js';
import type { Home } from '../../src/app/home/home.js';
import { makeStaging, removeAbandoned } from '../../src/app/home/staging.js';
import { verifyHome } from '../../src/app/log/verify-home.js';
import { removeWitnessTemporaries, witnessTemporaries } from '../../src/home/witness-file.js';
import { createProcessLock } from '../../src/store/process-lock.js';
import { findingOf } from '../journal/tamper.js';
import { rejectsRefusal } from '../support/app/given-home.js';
import { lockVersion, setLockVersion } from '../support/store/lock-version.js';
import { folderForEach, homeForEach, submit } from '../support/app/temporary-home.js';
import { refused } from '../support/refused.js';
import { inDatabase } from '../support/store/in-database.js';

const homes = homeForEach();
const file = (name: string): string => join(homes.get().directory, name);
const names = (): string[] => readdirSync(homes.get().directory).toSorted();
const asIs = (): Home => openAsIs(homes.get().world, {});

/** Leaves the files as a process leaves them that is killed after it recorded mission `n`. */
function kill(n: number): void {
  const home = homes.get().open();
  home.writer.transact(submit(n));
  for (const name of ['journal.sqlite3', 'journal.sqlite3-wal']) copyFileSync(file(name), join(homes.get().root, name));
  home.close();
  for (const name of ['journal.sqlite3', 'journal.sqlite3-wal']) renameSync(join(homes.get().root, name), file(name));
}

describe('a home that is opened read-only', () => {
  it('is not written to, neither through the writer nor through its connection', async () => {
    homes.get().open().close();
    const home = asIs();
    try {
      await rejectsRefusal(home.transact(submit(1)), 'wrong_state');
      assert.throws(() => home.writer.transact(submit(1)), /opened for reading only/);
      assert.throws(() => home.db.exec("UPDATE mission SET goal = 'other'"), { code: 'SQLITE_READONLY' });
      assert.equal(home.updateWitness(), null);
    } finally {
      home.close();
    }
    homes.get().with(({ writer }) => assert.equal(writer.head.size, 1));
  });

  it('has the same files afterwards, with a witness or without', async () => {
    homes.get().open().close();
    assert.equal(await findingOf(homes.get(), { deep: true }), null);
    rmSync(homes.get().witness, { recursive: true });
    assert.equal(await findingOf(homes.get(), { deep: true }), null);
    rmSync(file('lock.sqlite3'));
    assert.equal(await findingOf(homes.get(), { deep: true }), null);
  });

  it('keeps its journal mode', async () => {
    homes.get().open().close();
    inDatabase(file('journal.sqlite3'), (db) => db.pragma('journal_mode = DELETE'));
    assert.equal(await findingOf(homes.get(), { deep: true }), null);
  });

  it('keeps the log of a killed process, which the next command checks and reports', async () => {
    kill(1);
    const log = readFileSync(file('journal.sqlite3-wal'));
    const [home, before] = [asIs(), readFileSync(file('journal.sqlite3'))];
    assert.equal((await verifyHome(home, { deep: true })).events, 2);
    home.close();
    assert.deepEqual(readFileSync(file('journal.sqlite3-wal')), log);
    assert.deepEqual(readFileSync(file('journal.sqlite3')), before);
    homes.get().with(({ uncleanStop, writer }) => assert.deepEqual([uncleanStop, writer.head.size], [true, 2]));
  });

  it('lets a command that ends meanwhile end cleanly', () => {
    const before = (homes.get().open().close(), names());
    const command = homes.get().open();
    command.writer.transact(submit(1));
    const home = asIs();
    command.writer.transact(submit(2));
    command.close();
    home.close();
    assert.deepEqual(names(), before);
    homes.get().with(({ uncleanStop, writer }) => assert.deepEqual([uncleanStop, writer.head.size], [false, 3]));
  });

  it('keeps the version that its process lock names', () => {
    homes.get().open().close();
    setLockVersion(homes.get(), '1.9.0');
    const home = asIs();
    assert.equal(home.older, '1.9.0');
    home.close();
    assert.equal(lockVersion(homes.get()), '1.9.0');
  });
});

describe('a home that a killed process of an older version left', () => {
  it('is checked before it is brought up to date, and its stop is reported', () => {
    kill(1);
    setLockVersion(homes.get(), '1.9.0');
    homes.get().with(({ uncleanStop, writer }) => assert.deepEqual([uncleanStop, writer.head.size], [true, 2]));
    homes.get().with(({ uncleanStop }) => assert.equal(uncleanStop, false));
  });
});

const folders = folderForEach();
const ending = '.tmp-00112233aabb';
const { statSync, statfsSync, chmodSync, lstatSync, unlinkSync } = fs;
const kept = { statSync, unlinkSync, readdirSync, statfsSync, chmodSync, lstatSync };

/** Replaces functions of the file system for the program too. */
function replace(functions: object): void {
  Object.assign(fs, functions);
  syncBuiltinESMExports();
}

/** Calls `act` after each call of a function on a path that ends so. */
function after(name: keyof typeof kept, end: string, act: () => unknown): void {
  const original = kept[name] as (...args: unknown[]) => unknown;
  const called = (...args: unknown[]): unknown => {
    const result = original(...args);
    if (String(args[0]).endsWith(end)) act();
    return result;
  };
  replace({ [name]: called });
}

/** Whether another process could open the home now. */
function isOpen(): boolean {
  const other = new Database(file('lock.sqlite3'), { readonly: true, timeout: 0 });
  try {
    return other.prepare('SELECT version FROM program').get() !== undefined;
  } catch {
    return false;
  } finally {
    other.close();
  }
}

describe('a home that two commands make at once', () => {
  it('is made by one of them, and the other one says so', () => {
    const world = { ...homes.get().world, directory: join(folders.get(), 'new') };
    after('lstatSync', world.directory, () => {
      replace(kept);
      initHome(world);
    });
    assert.throws(() => initHome(world), refused('exists', /there is a home at .* already/));
  });
});

describe('what killed processes left', () => {
  afterEach(() => replace(kept));

  it('is looked at and removed while nobody else can open the home', () => {
    const home = homes.get();
    home.with(({ writer }) => writer.transact(submit(1)));
    const [witness = ''] = fs.readdirSync(home.witness);
    const left = [file(`config.json${ending}`), join(home.witness, `${witness}${ending}`)];
    for (const name of left) fs.writeFileSync(name, 'half');
    const looks: [string, boolean][] = [];
    const watch = (name: keyof typeof kept, end: string): void => after(name, end, () => looks.push([name, isOpen()]));
    watch('statSync', '-wal');
    watch('unlinkSync', left[0] ?? '');
    watch('readdirSync', home.witness);
    const opened = home.open();
    assert.deepEqual(Object.fromEntries(looks), { statSync: false, unlinkSync: false, readdirSync: false });
    for (const name of left) assert.equal(fs.existsSync(name), false, name);
    for (const name of left) fs.writeFileSync(name, 'in use');
    home.open().close();
    for (const name of left) assert.equal(fs.existsSync(name), true, name);
    opened.close();
  });

  it('beside a witness file is only what was there at that moment', () => {
    const witness = join(folders.get(), 'ab'.repeat(32));
    for (const name of [witness, `${witness}.verified`]) fs.writeFileSync(`${name}${ending}`, 'left');
    const found = witnessTemporaries(folders.get());
    const others = [`${witness}.tmp-ffffffffffff`, `${'cd'.repeat(32)}${ending}`];
    for (const name of others) fs.writeFileSync(join(folders.get(), basename(name)), 'in use');
    removeWitnessTemporaries(witness, found);
    assert.deepEqual(fs.readdirSync(folders.get()).toSorted(), others.map((name) => basename(name)).toSorted());
  });

  it('on a network file system is removed for the same name only: the lock of another machine may not be seen', () => {
    const [same, other] = ['a.zip', 'b.zip'].map((name) => join(folders.get(), `${name}${ending}`));
    for (const directory of [same ?? '', other ?? '']) {
      fs.mkdirSync(directory);
      createProcessLock(join(directory, 'staging.lock'), '1.2.3').release();
      fs.writeFileSync(join(directory, 'archive-1.zip'), 'with the key');
    }
    replace({ statfsSync: () => ({ type: 0x6969 }) });
    removeAbandoned(join(folders.get(), 'a.zip'));
    assert.deepEqual(fs.readdirSync(folders.get()), [basename(other ?? '')]);
    replace(kept);
    removeAbandoned(join(folders.get(), 'a.zip'));
    assert.deepEqual(fs.readdirSync(folders.get()), []);
  });

  it('is neither what another command has just made, nor what it removes itself meanwhile', () => {
    const place = join(folders.get(), 'a.zip');
    after('chmodSync', '', () => {
      replace(kept);
      removeAbandoned(place);
    });
    const staging = makeStaging(place);
    assert.deepEqual(fs.readdirSync(folders.get()), [basename(staging.directory)]);
    after('lstatSync', 'staging.lock', staging.remove);
    removeAbandoned(place);
    assert.deepEqual(fs.readdirSync(folders.get()), []);
  });
});
