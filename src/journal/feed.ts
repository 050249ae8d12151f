/**
 * The feed: what followers are told of the entries, in order from a sequence on, first of the stored ones, then of new ones as they are
 * recorded. `PRAGMA data_version` shows without reading a page that another process committed; entries of this process are found by the
 * same poll, or at once when poked.
 */
import type { Entry, StoredEntry } from '../codec/entry.js';
import { dataVersion, type Db, prepared } from '../store/database.js';
import { entryOf, readHead } from './reader.js';

export const feed_page_entries_max = 200;
/** Time to work on a page of the feed before the event loop continues. */
const feed_work_ms_max = 4;

const poll_ms = 100;

/** What the followers are told of an entry. */
export interface EntryNotice extends Pick<Entry, 'sequence' | 'time' | 'stream'> {
  /** The event's type; empty for an event that this program does not know. */
  readonly type: string;
}

export const announcedOf = ({ sequence, time, stream, event }: Entry): EntryNotice => ({
  sequence,
  time,
  stream,
  type: event?.type ?? '',
});

export interface Feed {
  readonly stop: () => void;
  /** Passes on all entries that exist now, and stops. */
  readonly finish: () => void;
  /** Reads new entries after this turn of the event loop, without waiting for the next poll. */
  readonly poke: () => void;
}

/** Calls `onEntry` for every entry after `sequence`, each once and in order. An error in a poll ends the feed with `onError`. */
export const followFeed = (
  db: Db,
  sequence: number,
  onEntry: (entry: EntryNotice) => void,
  onError: (error: unknown) => void,
): Feed => new Following(db, sequence, onEntry, onError);

class Following implements Feed {
  private version: number | undefined;
  private soon: NodeJS.Immediate | null = null;
  private isStopped = false;
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly db: Db,
    private last: number,
    private readonly onEntry: (entry: EntryNotice) => void,
    private readonly onError: (error: unknown) => void,
  ) {
    this.timer = setInterval(() => {
      if (this.look()) this.poke();
    }, poll_ms);
  }

  stop(): void {
    this.isStopped = true;
    clearInterval(this.timer);
    if (this.soon !== null) clearImmediate(this.soon);
  }

  finish(): void {
    if (!this.isStopped) while (this.look());
    this.stop();
  }

  poke(): void {
    if (this.isStopped) return;
    this.soon ??= setImmediate(() => {
      this.soon = null;
      // The next page is read in another turn of the event loop.
      if (this.look()) this.poke();
    });
  }

  /** Returns whether there were new entries; then there may be more. */
  private look(): boolean {
    try {
      const version = dataVersion(this.db);
      if (version === this.version && readHead(this.db).size === this.last) return false;
      this.version = version;
      const page = entriesPage(this.db, this.last);
      for (const entry of page) {
        this.last = entry.sequence;
        this.onEntry(announcedOf(entry));
      }
      return page.length > 0;
    } catch (error) {
      this.stop();
      this.onError(error);
      return false;
    }
  }
}

/** Returns entries after a sequence, in order: as many as can be read without blocking for long, and at least one if there is one. */
export function entriesPage(db: Db, sequence: number): Entry[] {
  const rows = prepared<[number, number], StoredEntry>(
    db,
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
