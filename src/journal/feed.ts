/**
 * The feed: entries in order from a sequence on, first those already there, then live ones. `PRAGMA data_version` tells that
 * another process committed, without reading a page; entries of this process are found by the same poll, or at once when poked.
 */
import { feed_page_entries_max, feed_work_ms_max } from '../base/limits.js';
import type { Entry, StoredEntry } from '../codec/entry.js';
import type { Db } from '../store/database.js';
import { entryOf, readHead } from './reader.js';

const poll_ms = 100;

export interface Feed {
  readonly stop: () => void;
  /** Looks for new entries once this turn of the loop is over, not only at the next poll. */
  readonly poke: () => void;
}

/** Calls `onEntry` for every entry after `sequence`, each once and in order. What a poll throws ends the feed with `onError`. */
export function followFeed(db: Db, sequence: number, onEntry: (entry: Entry) => void, onError: (error: unknown) => void): Feed {
  let last = sequence;
  let version: unknown = null;
  let soon: NodeJS.Immediate | null = null;
  const dataVersion = db.prepare('PRAGMA data_version').pluck();
  const look = (): void => {
    const now = dataVersion.get();
    if (now === version && readHead(db).size === last) return;
    version = now;
    const page = entriesPage(db, last);
    for (const entry of page) {
      last = entry.sequence;
      onEntry(entry);
    }
    // Perhaps there are more, which get a turn of the loop of their own.
    if (page.length > 0) poke();
  };
  const stop = (): void => {
    clearInterval(timer);
    if (soon !== null) clearImmediate(soon);
    isStopped = true;
  };
  const guarded = (): void => {
    try {
      look();
    } catch (error) {
      stop();
      onError(error);
    }
  };
  const poke = (): void => {
    if (isStopped) return;
    soon ??= setImmediate(() => {
      soon = null;
      guarded();
    });
  };
  let isStopped = false;
  const timer = setInterval(guarded, poll_ms);
  return { stop, poke };
}

/** Some entries after a sequence, in order, at least one where there is one: as many as can be read without blocking for long. */
export function entriesPage(db: Db, sequence: number): Entry[] {
  const rows = db.prepare<[number, number], StoredEntry>(
    'SELECT seq, mission, body, hash, signature FROM events WHERE seq > ? ORDER BY seq LIMIT ?',
  );
  const end = performance.now() + feed_work_ms_max;
  const page: Entry[] = [];
  for (const row of rows.iterate(sequence, feed_page_entries_max)) {
    page.push(entryOf(row));
    if (performance.now() > end) break;
  }
  return page;
}
