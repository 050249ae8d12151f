/**
 * The feed of the daemon: one look at the journal serves all who follow it. A follower is asked for its items one by one. The newest
 * entries stand in memory, once for all; whoever is further behind is given pages read from the journal, so that a follower costs
 * the same however slow it is, and none loses an entry. Of progress each sees the newest of a mission only.
 */
import type { Entry } from '../../codec/entry.js';
import { feed_recent_max } from '../../base/limits.js';
import { entriesPage } from '../../journal/feed.js';
import { readHead } from '../../journal/reader.js';
import type { Db } from '../../store/database.js';
import { endsAttempt, itemOf, type EntryItem, type FeedItem, type ProgressItem } from './feed-item.js';
import { Follower } from './follower.js';

/** Progress, which stands after the entry that was the newest then. */
export interface Heard {
  readonly item: ProgressItem;
  readonly after: number;
}

interface Run {
  readonly leasedAt: number;
  latest: Heard | null;
}

/** How the feed ended; null while it goes on. */
export type FeedEnd = { readonly error: unknown } | 'stopped' | null;

export class DaemonFeed {
  /** Without gaps; the last one is the newest. */
  private recent: EntryItem[] = [];
  private readonly runs = new Map<string, Run>();
  private readonly followers = new Set<Follower>();
  private ended: FeedEnd = null;

  /**
   * @param last sequence of the newest entry, after which `take` goes on
   * @param committed sequence of the newest entry that this process knows of, told or not
   */
  constructor(
    private readonly db: Db,
    private last: number,
    private readonly committed: () => number,
  ) {}

  /** Sequence of the newest entry that followers were told of. */
  readonly newest = (): number => this.last;

  get end(): FeedEnd {
    return this.ended;
  }

  /**
   * Items in order: first the entries after `after`, then those that come; progress as it is now and then becomes. It ends when the
   * signal aborts or the daemon stops. @param after a sequence that this journal does not have yet counts as the newest
   */
  readonly follow = (after: number, signal: AbortSignal): AsyncIterableIterator<FeedItem> => {
    const follower = new Follower(this, Math.min(after, Math.max(this.last, readHead(this.db).size)), signal, () =>
      this.followers.delete(follower),
    );
    for (const { latest } of this.runs.values()) if (latest !== null) follower.hear(latest);
    if (!signal.aborted) this.followers.add(follower);
    return follower;
  };

  /** How many follow now. */
  get following(): number {
    return this.followers.size;
  }

  take(entry: Entry): EntryItem {
    const item = itemOf(entry);
    this.last = item.sequence;
    this.recent.push(item);
    // Cut seldom, so that it costs nothing for each.
    if (this.recent.length > 2 * feed_recent_max) this.recent = this.recent.slice(-feed_recent_max);
    if (item.mission !== null && endsAttempt(item) && item.sequence > (this.runs.get(item.mission)?.leasedAt ?? 0))
      this.runs.delete(item.mission);
    for (const follower of this.followers) follower.wake();
    return item;
  }

  /** Progress of a mission is heard from its lease on, up to the entry that ends the attempt. */
  begin(mission: string, leasedAt: number): void {
    this.runs.set(mission, { leasedAt, latest: null });
  }

  /** The attempt has ended, with or without an entry that says so. */
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

  /** Followers end: without a word, or with the error that ended the feed. */
  close(end: NonNullable<FeedEnd>): void {
    this.ended ??= end;
    for (const follower of this.followers) follower.wake();
  }

  /** The entry after a sequence when it is in memory; `behind` when it has to be read, null when it has not come yet. */
  next(sequence: number): EntryItem | 'behind' | null {
    if (sequence >= this.last) return null;
    const first = this.recent[0]?.sequence ?? this.last + 1;
    return this.recent[sequence + 1 - first] ?? 'behind';
  }

  /** Some entries after a sequence, none that followers were not told of. */
  read(sequence: number): EntryItem[] {
    return entriesPage(this.db, sequence)
      .map(itemOf)
      .filter((item) => item.sequence <= this.last);
  }
}
