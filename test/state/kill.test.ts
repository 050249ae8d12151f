/**
 * A move of the snapshot that ends at any call that changes the disk, by SIGKILL, or at any write of the log: the snapshot before or the new one
 * is left, and the next command goes on. By default at a call of each kind and one on each file; TEST_EFFORT=full takes every one. @slow
 */
import assert from 'node:assert/strict';
import { rmSync, statSync, truncateSync } from 'node:fs';
import { join, relative } from 'node:path';
import { verifyHome } from '../../src/app/log/verify-home.js';
import type { Db } from '../../src/store/database.js';
import { countByState } from '../../src/tables/missions.js';
import { copyTree, homeForEach, submit, temporaryHome, type TemporaryHome } from '../support/app/temporary-home.js';
import type { Env } from '../support/crash/crash-cli.js';
import { grouped } from '../support/crash/crash-steps.js';
import { atEffort, fullEffort } from '../support/effort.js';
import { real } from '../support/real.js';
import { breakAt, numbered, trace, type Syscall } from '../support/strace.js';

const argv = ['list', '--json'];
/** Missions that the snapshot has, and that follow it. */
const [moved, behind_entries] = [100, 260];

const noteOf = (db: Db): unknown => db.prepare('SELECT note FROM snapshot').pluck().get();
const envOf = ({ directory, witness }: TemporaryHome): Env => ({ AGENT_HOME: directory, AGENT_WITNESS: witness });

/** Queues missions in one commit. */
const queue = (home: ReturnType<TemporaryHome['open']>, from: number, count: number): void =>
  home.writer.transact((tx) => {
    for (let n = from; n < from + count; n++) submit(n)(tx);
  });

/** Returns a home of a process that ended before it could move the snapshot. */
function behind(): TemporaryHome {
  const home = temporaryHome();
  home.with((opened) => queue(opened, 0, moved));
  home.with(() => undefined);
  const opened = home.open();
  queue(opened, moved, behind_entries);
  opened.updateWitness();
  const left = home.copy();
  opened.close();
  home.remove();
  return left;
}

/** Returns the snapshot's note as a process left it; the copy that is looked at is another one. */
function noteIn(home: TemporaryHome): unknown {
  const copy = home.copy();
  copyTree(home.directory, copy.directory);
  try {
    return copy.with(({ db }) => noteOf(db), { asIs: true });
  } finally {
    copy.remove();
  }
}

interface Kill {
  readonly syscall: Syscall;
  readonly nth: number;
  readonly among: number;
  /** The file, below the root of a home. */
  readonly name: string;
}

const isIn =
  ({ directory, witness }: TemporaryHome) =>
  (file: string): boolean =>
    file.startsWith(`${directory}/`) || file.startsWith(`${witness}/`);

/** Returns the calls of a run that nothing disturbs; leaves the home as that run does. */
async function callsOf(home: TemporaryHome): Promise<readonly Kill[]> {
  const { code, stderr, calls } = await trace(argv, envOf(home), { log: join(home.root, 'trace') });
  assert.equal(code, 0, stderr);
  return numbered(calls, isIn(home)).map(({ file, ...call }) => ({ ...call, name: relative(home.root, file) }));
}

/** One of each kind, and one on each file. */
function some(calls: readonly Kill[]): readonly Kill[] {
  const known = new Set<string>();
  return grouped(calls, ({ syscall, name }) => `${syscall} ${name}`).flatMap((group) => {
    const kill = group[Math.floor(group.length / 2)];
    if (kill === undefined || (known.has(kill.syscall) && known.has(kill.name))) return [];
    known.add(kill.syscall).add(kill.name);
    return [kill];
  });
}

/** Returns the home that the killed process leaves; null when it made fewer calls of this kind. */
async function killed(template: TemporaryHome, { syscall, nth, among }: Kill): Promise<TemporaryHome | null> {
  let home: TemporaryHome | null = null;
  const fresh = (): { env: Env; log: string } => {
    home?.remove();
    home = template.copy();
    return { env: envOf(home), log: join(home.root, 'trace') };
  };
  const concerns = (file: string): boolean => home !== null && isIn(home)(file);
  return (await breakAt({ syscall, nth, among, how: 'signal=SIGKILL' }, argv, concerns, fresh)) === null ? null : home;
}

real('strace', 'SIGKILL while the snapshot is moved', () => {
  it('leaves the snapshot before or the new one, and the next command moves it', async () => {
    const template = behind();
    const clean = template.copy();
    const calls = await callsOf(clean);
    const [before, after] = [noteIn(template), noteIn(clean)];
    assert.notEqual(after, before);
    const found = { before: 0, after: 0 };
    const due = fullEffort ? calls : some(calls);
    for (const kill of due) {
      const home = await killed(template, kill);
      if (home === null) continue;
      const [note, where] = [noteIn(home), `${kill.syscall} ${kill.nth} of ${kill.name}`];
      assert.ok(note === before || note === after, where);
      found[note === before ? 'before' : 'after']++;
      home.with(({ db }) => assert.deepEqual(countByState(db), { queued: moved + behind_entries }, where));
      await home.with(async (opened) => {
        assert.equal(noteOf(opened.db), after, where);
        assert.equal((await verifyHome(opened, { deep: true })).failure, null, where);
      });
      home.remove();
    }
    console.log(
      `      ${due.length} of ${calls.length} calls: ${found.before} left the snapshot before, ${found.after} the new one`,
    );
    assert.ok(found.before > 0 && found.after > 0);
    for (const home of [template, clean]) home.remove();
  });
});

const homes = homeForEach();
/** Of a write-ahead log, and of each page in it. */
const [log_header_bytes, frame_header_bytes] = [32, 24];

const fileOf = ({ directory }: TemporaryHome, suffix = ''): string => join(directory, `journal.sqlite3${suffix}`);

interface Move {
  readonly home: TemporaryHome;
  readonly before: unknown;
  readonly after: unknown;
  /** Bytes of the log before and after. */
  readonly log: readonly [before: number, after: number];
  readonly page: number;
}

/** Moves the snapshot, and leaves the home as it is while a process has it open. */
function snapshotMoved(home: TemporaryHome): Move {
  home.with((opened) => queue(opened, 0, 300));
  home.with(() => undefined);
  const opened = home.open();
  queue(opened, 300, 300);
  const lengthOf = (): number => statSync(fileOf(home, '-wal')).size;
  const [before, from] = [noteOf(opened.db), lengthOf()];
  opened.moveSnapshot();
  const [after, to] = [noteOf(opened.db), lengthOf()];
  assert.notEqual(before, after);
  const page = Number(opened.db.pragma('page_size', { simple: true }));
  const copy = join(home.root, 'killed');
  copyTree(home.directory, copy);
  opened.close();
  rmSync(home.directory, { recursive: true });
  copyTree(copy, home.directory);
  rmSync(copy, { recursive: true });
  return { home, before, after, log: [from, to], page };
}

describe('a move of the snapshot that is cut off', () => {
  it('leaves the snapshot before or the new one, and the next command moves it', async () => {
    const { home, before, after, log, page } = snapshotMoved(homes.get());
    const frame = frame_header_bytes + page;
    assert.equal((log[0] - log_header_bytes) % frame, 0);
    const frames = (log[1] - log[0]) / frame;
    assert.ok(frames > 3);
    const found = { before: 0, after: 0 };
    for (let at = 0; at <= frames; at += at < frames - 3 ? atEffort(6, 1) : 1) {
      // Between two pages, and within one.
      for (const part of at < frames ? [0, page / 2] : [0]) {
        const copy = home.copy();
        truncateSync(fileOf(copy, '-wal'), log[0] + at * frame + part);
        rmSync(fileOf(copy, '-shm'), { force: true });
        const opened = copy.open();
        const note = noteOf(opened.db);
        assert.ok(note === before || note === after, `${at} of ${frames} pages`);
        found[note === before ? 'before' : 'after']++;
        assert.deepEqual(countByState(opened.db), { queued: 600 });
        opened.close();
        // The same bytes are signed, whoever moves it.
        copy.with((next) => assert.equal(noteOf(next.db), after));
        copy.remove();
      }
    }
    assert.ok(found.before > 0 && found.after > 0);
    await home.with(async (opened) => assert.equal((await verifyHome(opened, { deep: true })).failure, null));
  });
});
