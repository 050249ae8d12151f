/** A process that is killed at any write of a move of the snapshot leaves the snapshot before or the new one. */
import assert from 'node:assert/strict';
import { cpSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import type { Home } from '../../src/app/home/home.js';
import { verifyHome } from '../../src/app/log/verify-home.js';
import type { Db } from '../../src/store/database.js';
import { countByState } from '../../src/tables/missions.js';
import { atEffort } from '../support/effort.js';
import { homeForEach, submit, type TemporaryHome } from '../support/app/temporary-home.js';

const homes = homeForEach();
/** Of a write-ahead log, and of each page in it. */
const [log_header_bytes, frame_header_bytes] = [32, 24];

const noteOf = (db: Db): unknown => db.prepare('SELECT note FROM snapshot').pluck().get();
const fileOf = ({ directory }: TemporaryHome, suffix = ''): string => join(directory, `journal.sqlite3${suffix}`);

/** Queues missions in one commit. */
function queue({ writer }: Home, from: number, count: number): void {
  writer.transact((tx) => {
    for (let n = from; n < from + count; n++) submit(n)(tx);
  });
}

interface Move {
  readonly home: TemporaryHome;
  readonly before: unknown;
  readonly after: unknown;
  /** Bytes of the log before and after. */
  readonly log: readonly [before: number, after: number];
  readonly page: number;
}

/** Moves the snapshot, and leaves the home as it is while a process has it open. */
function moved(home: TemporaryHome): Move {
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
  cpSync(home.directory, copy, { recursive: true });
  opened.close();
  rmSync(home.directory, { recursive: true });
  cpSync(copy, home.directory, { recursive: true });
  rmSync(copy, { recursive: true });
  return { home, before, after, log: [from, to], page };
}

describe('a move of the snapshot that is cut off', () => {
  it('leaves the snapshot before or the new one, and the next command moves it', async () => {
    const { home, before, after, log, page } = moved(homes.get());
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
