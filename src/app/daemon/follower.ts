/** A follower of the feed: an iterator that holds a position in the journal, a page of entries, and the newest progress. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { integrityFailure } from '../../journal/position.js';
import { storageError } from '../../store/database.js';
import type { DaemonFeed, Heard } from './feed.js';
import type { EntryItem, FeedItem, ProgressItem } from './feed-item.js';

const over: IteratorResult<FeedItem> = { done: true, value: undefined };

export class Follower implements AsyncIterableIterator<FeedItem> {
  private page: EntryItem[] = [];
  private readonly heard = new Map<string, Heard>();
  private turn: Promise<unknown> = Promise.resolve();
  private onWake: (() => void) | null = null;
  private isOver = false;

  constructor(
    private readonly feed: DaemonFeed,
    /** Sequence of the last entry that was returned. */
    private last: number,
    private readonly signal: AbortSignal,
    private readonly onEnd: () => void,
  ) {
    signal.addEventListener('abort', this.finish, { once: true });
    this.isOver = signal.aborted;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<FeedItem>> {
    const answer = this.turn.then(() => this.advance());
    this.turn = answer.catch(() => undefined);
    return answer;
  }

  async return(): Promise<IteratorResult<FeedItem>> {
    this.finish();
    return over;
  }

  wake(): void {
    this.onWake?.();
    this.onWake = null;
  }

  hear(heard: Heard): void {
    const { mission } = heard.item;
    // Deleted and set again, so that the missions are in the order of their newest progress.
    this.heard.delete(mission);
    this.heard.set(mission, heard);
    this.wake();
  }

  private readonly finish = (): void => {
    if (this.isOver) return;
    this.isOver = true;
    this.page = [];
    this.signal.removeEventListener('abort', this.finish);
    this.onEnd();
    this.wake();
  };

  private async advance(): Promise<IteratorResult<FeedItem>> {
    for (;;) {
      if (this.isOver) return over;
      const value = this.progress() ?? this.entry();
      if (value !== null && value !== 'behind') return { done: false, value };
      const { end } = this.feed;
      if (end !== null) {
        this.finish();
        if (end === 'stopped') return over;
        throw end.error;
      }
      if (value === 'behind') await this.readPage();
      else await new Promise<void>((resolve) => (this.onWake = resolve));
    }
  }

  /** Reads a page in a separate turn of the event loop, so that many followers far behind do not delay all others. */
  private async readPage(): Promise<void> {
    await nextTurn();
    if (this.isOver || this.feed.end !== null) return;
    try {
      this.page = this.feed.read(this.last);
    } catch (error) {
      this.finish();
      throw storageError(error, 'journal.sqlite3');
    }
    if (this.page.length > 0) return;
    this.finish();
    throw integrityFailure(`entry ${this.last + 1} is missing`, this.last + 1);
  }

  private progress(): ProgressItem | null {
    for (const [mission, { item, after }] of this.heard) {
      if (after > this.last) continue;
      this.heard.delete(mission);
      return item;
    }
    return null;
  }

  private entry(): EntryItem | 'behind' | null {
    const item = this.page.shift() ?? this.feed.next(this.last);
    if (item === null || item === 'behind') return item;
    this.last = item.sequence;
    return item;
  }
}
