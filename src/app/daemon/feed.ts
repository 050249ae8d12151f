/**
 * The feed of the daemon. The journal is read once for all followers, and each follower pulls its items one by one. The newest
 * entries are in memory, shared by all followers. A follower that is further behind reads pages from the journal, so that a slow
 * follower costs no more than a fast one and none misses an entry. Each follower gets only the newest progress of a mission.
 */
import { feed_recent_max } from '../../base/limits.js';
import { announcedOf, type Announced } from '../../journal/announced.js';
import { entriesPage } from '../../journal/feed.js';
import { readHead } from '../../journal/reader.js';
import type { Db } from '../../store/database.js';
import { endsAttempt, itemOf, type EntryItem, type FeedItem, type ProgressItem } from './feed-item.js';
import { Follower } from './follower.js';

/** A progress item, and the sequence of the entry that it follows: the newest one at that time. */
export interface Heard {
  readonly item: ProgressItem;
  readonly after: number;
}

interface Run {
  readonly leasedAt: number;
  latest: Heard | null;
}

/** How the feed ended; null while it is active. */
export type FeedEnd = { readonly error: unknown } | 'stopped' | null;

export class DaemonFeed {
  /** The newest entries without gaps, in ascending order. */
  private recent: EntryItem[] = [];
  private readonly runs = new Map<string, Run>();
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

  get end(): FeedEnd {
    return this.ended;
  }

  /**
   * Returns the items in order: the entries after `after`, then new ones as they are recorded, with the current progress and each
   * change of it. Ends when the signal aborts or the daemon stops.
   * @param after a sequence; one that this journal does not have yet counts as the newest
   */
  readonly follow = (after: number, signal: AbortSignal): AsyncIterableIterator<FeedItem> => {
    const follower = new Follower(this, Math.min(after, Math.max(this.last, readHead(this.db).size)), signal, () =>
      this.followers.delete(follower),
    );
    for (const { latest } of this.runs.values()) if (latest !== null) follower.hear(latest);
    if (!signal.aborted) this.followers.add(follower);
    return follower;
  };

  /** The current number of followers. */
  get following(): number {
    return this.followers.size;
  }

  take(entry: Announced): EntryItem {
    const item = itemOf(entry);
    this.last = item.sequence;
    this.recent.push(item);
    // Cut rarely, so that the cost per entry is negligible.
    if (this.recent.length > 2 * feed_recent_max) this.recent = this.recent.slice(-feed_recent_max);
    if (item.mission !== null && endsAttempt(item) && item.sequence > (this.runs.get(item.mission)?.leasedAt ?? 0))
      this.runs.delete(item.mission);
    for (const follower of this.followers) follower.wake();
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

  /** Returns the entry after a sequence if it is in memory; `behind` if it must be read, null if it is not recorded yet. */
  next(sequence: number): EntryItem | 'behind' | null {
    if (sequence >= this.last) return null;
    const first = this.recent[0]?.sequence ?? this.last + 1;
    return this.recent[sequence + 1 - first] ?? 'behind';
  }

  /** Reads a page of entries after a sequence, up to the newest one that was sent to followers. */
  read(sequence: number): EntryItem[] {
    return entriesPage(this.db, sequence)
      .map((entry) => itemOf(announcedOf(entry)))
      .filter((item) => item.sequence <= this.last);
  }
}
