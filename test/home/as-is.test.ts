/** `verify` opens a home as it is: nothing is brought up to date, repaired, taken over or left behind. */
import assert from 'node:assert/strict';
import { copyFileSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { openAsIs } from '../../src/app/home/as-is.js';
import type { Home } from '../../src/app/home/home.js';
import { verifyHome } from '../../src/app/log/verify-home.js';
import { findingOf } from '../journal/tamper.js';
import { rejectsRefusal } from '../support/given-home.js';
import { lockVersion, setLockVersion } from '../support/lock-version.js';
import { homeForEach, submit } from '../support/temporary-home.js';

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
    const db = new Database(file('journal.sqlite3'));
    db.pragma('journal_mode = DELETE');
    db.close();
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
