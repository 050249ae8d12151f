/**
 * SIGKILL at calls of an upgrade that change the disk: what is signed stays, and the next command finishes. The older version is made up; its tables
 * are rebuilt. A few calls, spread over the upgrade; TEST_EFFORT=full takes every one.
 */
import assert from 'node:assert/strict';
import { basename, dirname, join } from 'node:path';
import { inDatabase } from '../support/store/in-database.js';
import { openAsIs, openForDoctor } from '../../src/app/home/read-only.js';
import { programVersion } from '../../src/app/home/home.js';
import { openDatabase } from '../../src/store/database.js';
import { findingOf } from '../journal/tamper.js';
import { atEffort } from '../support/effort.js';
import { lockVersion, setLockVersion } from '../support/store/lock-version.js';
import { real } from '../support/real.js';
import { allSyscalls, breakAt, trace, type Syscall } from '../support/strace.js';
import { submit, temporaryHome, type TemporaryHome } from '../support/app/temporary-home.js';

const version = '1.9.0';
const kills = atEffort(4, Number.POSITIVE_INFINITY);

const envOf = ({ root, directory, witness }: TemporaryHome): Record<string, string> => ({
  HOME: root,
  AGENT_HOME: directory,
  AGENT_WITNESS: witness,
});

/** A home that the older version wrote last, with another version of a projection. */
function olderHome(): TemporaryHome {
  const home = temporaryHome();
  home.with(({ writer }) => {
    for (let n = 0; n < 20; n++) writer.transact(submit(n));
  });
  const db = openDatabase(join(home.directory, 'journal.sqlite3'));
  db.exec("UPDATE projection SET version = 0 WHERE name = 'missions'; DELETE FROM mission");
  db.close();
  setLockVersion(home, version);
  return home;
}

interface Kept {
  readonly signed: unknown;
  readonly missions: unknown;
  readonly version: unknown;
}

/** Reads the lock of a copy with a connection that undoes an unfinished write. */
const versionIn = ({ directory }: TemporaryHome): unknown =>
  inDatabase(join(directory, 'lock.sqlite3'), (db) => db.prepare('SELECT version FROM program').pluck().get());

/** Reads a copy: opening the journal itself would end an unclean stop. */
function kept(home: TemporaryHome): Kept {
  const copy = home.copy();
  const db = openDatabase(join(copy.directory, 'journal.sqlite3'));
  try {
    const signed = [db.prepare('SELECT * FROM events').all(), db.prepare('SELECT * FROM blob ORDER BY hash').all()];
    return { signed, missions: db.prepare('SELECT count(*) FROM mission').pluck().get(), version: versionIn(copy) };
  } finally {
    db.close();
    copy.remove();
  }
}

interface Place {
  readonly syscall: Syscall;
  readonly nth: number;
  readonly file: string;
}

/** Every call of an upgrade on a file of the home, as the n-th of its kind. */
async function callsOf(home: TemporaryHome): Promise<readonly Place[]> {
  const { code, stderr, calls } = await trace(['list'], envOf(home), { log: join(home.root, 'clean.trace') });
  assert.equal(code, 0, stderr);
  const counts = new Map<Syscall, number>();
  return calls.flatMap(({ syscall, file }) => {
    if (dirname(file) !== home.directory) return [];
    const nth = (counts.get(syscall) ?? 0) + 1;
    counts.set(syscall, nth);
    return [{ syscall, nth, file: basename(file) }];
  });
}

/** Members at equal distances, the first and the last among them. */
const spread = <A>(all: readonly A[], count: number): readonly A[] =>
  count >= all.length ? all : Array.from({ length: count }, (_, i) => all[Math.round((i * (all.length - 1)) / (count - 1))]!);

real('strace', 'an upgrade that is killed', function () {
  this.timeout(3_600_000);

  it('keeps what is signed, and is finished by the next command', async () => {
    const made = olderHome();
    const before = kept(made);
    const clean = made.copy();
    const calls = await callsOf(clean);
    clean.remove();
    assert.ok(calls.length > 10 && calls.every(({ syscall }) => allSyscalls.includes(syscall)), String(calls.length));
    const left = new Set<string>();
    const versionWritten = calls.findLastIndex(({ file }) => file === 'lock.sqlite3');
    for (const { syscall, nth } of new Set([...spread(calls, kills), calls[versionWritten]!])) {
      let home = made.copy();
      const fresh = (): { env: Record<string, string>; log: string } => {
        home.remove();
        home = made.copy();
        return { env: envOf(home), log: join(home.root, 'break.trace') };
      };
      const concerns = (file: string): boolean => dirname(file) === home.directory;
      const broken = await breakAt({ syscall, nth, how: 'signal=SIGKILL' }, ['list'], concerns, fresh);
      if (broken !== null) left.add(await settled(home, before, `${syscall} ${nth}`));
      home.remove();
    }
    made.remove();
    assert.deepEqual([...left].toSorted(), ['as it was', 'brought up to date']);
  });

  /** Goes on with what a kill left, and returns what that was. */
  async function settled(home: TemporaryHome, before: Kept, where: string): Promise<string> {
    const found = kept(home);
    assert.deepEqual(found.signed, before.signed, where);
    const looked = home.copy();
    openForDoctor(looked.world).close();
    openAsIs(looked.world, {}).close();
    looked.remove();
    home.open().close();
    assert.equal(lockVersion(home), programVersion, where);
    assert.deepEqual(kept(home).signed, before.signed, where);
    assert.equal(await findingOf(home, { deep: true }), null, where);
    return found.version === version && found.missions === before.missions ? 'as it was' : 'brought up to date';
  }
});
