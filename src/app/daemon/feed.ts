/**
 * The feed of the daemon. Each follower pulls its items one by one. The journal is read once for all followers that
 * have what was recorded before. One that is further behind reads pages from the journal, so that a slow
 * follower costs no more than a fast one and none misses an entry. Each follower gets only the newest progress of a mission.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FeedEntry, FeedProgress } from '../../codec/api-journal.js';
import { announcedOf, entriesPage, type EntryNotice, feed_page_entries_max } from '../../journal/feed.js';
import { integrityFailure, readHead } from '../../journal/reader.js';
import { type Db, storageError } from '../../store/database.js';
import { isUuid } from '../missions/record.js';

/** A progress item, and the sequence of the entry that it follows: the newest one at that time. */
interface Heard {
  readonly item: ProgressItem;
  readonly after: number;
}

/** How the feed ended; null while it is active. */
export type FeedEnd = { readonly error: unknown } | 'stopped' | null;

export class DaemonFeed {
  private readonly runs = new Map<string, { readonly leasedAt: number; latest: Heard | null }>();
  private readonly followers = new Set<Follower>();
  private ended: FeedEnd = null;

  /**
   * @param last sequence of the newest entry, after which `take` continues
   * @param committed returns the sequence of the newest entry that this process knows of, whether or not it was sent to followers
   */
  constructor(
    private readonly db: Db,
    private last: number,
    private readonly committed: () => number,
  ) {}

  /** Returns the sequence of the newest entry that was sent to followers. */
  readonly newest = (): number => this.last;

  /**
   * Returns the items in order: the entries after `after`, then new ones as they are recorded, with the current progress and each
   * change of it. Ends when the signal aborts or the daemon stops.
   * @param after a sequence; one that this journal does not have yet counts as the newest
   */
  readonly follow = (after: number, signal: AbortSignal): AsyncIterable<FeedItem> =>
    this.items(new Follower(Math.min(after, Math.max(this.last, readHead(this.db).size))), signal);

  private async *items(follower: Follower, signal: AbortSignal): AsyncGenerator<FeedItem, void, undefined> {
    for (const { latest } of this.runs.values()) if (latest !== null) follower.hear(latest);
    this.followers.add(follower);
    signal.addEventListener('abort', follower.wake);
    try {
      while (!signal.aborted) {
        const item = follower.next();
        if (item !== null) yield item;
        else if (this.ended !== null && this.ended !== 'stopped') throw this.ended.error;
        else if (this.ended !== null) return;
        else if (follower.last < this.last) await this.readPage(follower, signal);
        else await follower.news();
      }
    } finally {
      signal.removeEventListener('abort', follower.wake);
      this.followers.delete(follower);
    }
  }

  /** Reads a page in a separate turn of the event loop, so that many followers far behind do not delay all others. */
  private async readPage(follower: Follower, signal: AbortSignal): Promise<void> {
    await nextTurn();
    if (signal.aborted || this.ended !== null) return;
    const { last } = follower;
    try {
      follower.page = entriesPage(this.db, last)
        .map((entry) => itemOf(announcedOf(entry)))
        .filter((item) => item.sequence <= this.last);
    } catch (error) {
      throw storageError(error, 'journal.sqlite3');
    }
    if (follower.page.length === 0) throw integrityFailure(`entry ${last + 1} is missing`, last + 1);
  }

  take(entry: EntryNotice): EntryItem {
    const item = itemOf(entry);
    this.last = item.sequence;
    if (item.mission !== null && endsAttempt(item) && item.sequence > (this.runs.get(item.mission)?.leasedAt ?? 0))
      this.runs.delete(item.mission);
    for (const follower of this.followers) follower.take(item);
    return item;
  }

  /** Accepts progress of a mission from its lease until the entry that ends the attempt. */
  begin(mission: string, leasedAt: number): void {
    this.runs.set(mission, { leasedAt, latest: null });
  }

  /** Accepts no more progress of an attempt that has ended, whether or not an entry records the end. */
  finish(mission: string, leasedAt: number): void {
    if (this.runs.get(mission)?.leasedAt === leasedAt) this.runs.delete(mission);
  }

  progress(item: ProgressItem): void {
    const run = this.runs.get(item.mission);
    if (run === undefined) return;
    const heard = { item, after: Math.max(this.last, this.committed()) };
    run.latest = heard;
    for (const follower of this.followers) follower.hear(heard);
  }

  /** Ends all followers: normally, or with the error that ended the feed. */
  close(end: NonNullable<FeedEnd>): void {
    this.ended ??= end;
    for (const follower of this.followers) follower.wake();
  }
}

/** What a follower has not been given yet. */
class Follower {
  /** The entries that come next: a page that was read, or what was recorded while the follower had everything before it. */
  page: EntryItem[] = [];
  private readonly heard = new Map<string, Heard>();
  private onWake: () => void = () => undefined;

  /** @param last sequence of the last entry that was given */
  constructor(public last: number) {}

  readonly wake = (): void => this.onWake();

  /** Resolves at the next call of `wake`. */
  news(): Promise<void> {
    return new Promise((resolve) => (this.onWake = resolve));
  }

  /** Keeps an entry that was recorded, if it is the next one and there is room; otherwise it is read again. */
  take(item: EntryItem): void {
    const isNext = (this.page.at(-1)?.sequence ?? this.last) === item.sequence - 1;
    if (isNext && this.page.length < feed_page_entries_max) this.page.push(item);
    this.wake();
  }

  hear(heard: Heard): void {
    const { mission } = heard.item;
    // Deleted and set again, so that the missions are in the order of their newest progress.
    this.heard.delete(mission);
    this.heard.set(mission, heard);
    this.wake();
  }

  /** Returns the item that comes next, or null while there is none. */
  next(): FeedItem | null {
    for (const [mission, { item, after }] of this.heard) {
      if (after > this.last) continue;
      this.heard.delete(mission);
      return item;
    }
    const item = this.page.shift() ?? null;
    if (item !== null) this.last = item.sequence;
    return item;
  }
}

/** A journal entry; `event` is the event's type. */
interface EntryItem extends Omit<FeedEntry, 'type'> {
  readonly type: 'entry';
  /** The event's type; empty for a type that this program does not know. */
  readonly event: string;
}

interface ProgressItem extends FeedProgress {
  readonly type: 'progress';
}

export type FeedItem = EntryItem | ProgressItem;

/** The events that end an attempt, after which it reports no more progress. */
const ends = new Set(['mission.produced', 'mission.failed', 'mission.cancelled', 'mission.recovered']);

const endsAttempt = ({ event }: EntryItem): boolean => ends.has(event);

const itemOf = ({ sequence, time, stream, type }: EntryNotice): EntryItem => ({
  type: 'entry',
  sequence,
  time,
  stream,
  event: type,
  mission: isUuid(stream) ? stream : null,
});
