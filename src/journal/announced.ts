/** What the followers of a journal are told of its entries. The writer keeps this of its newest entries, which nobody has to read back. */
import { feed_page_entries_max } from '../base/limits.js';
import type { Entry } from '../codec/entry.js';

export interface Announced extends Pick<Entry, 'sequence' | 'time' | 'stream'> {
  /** The event's type; empty for an event that this program does not know. */
  readonly type: string;
}

export const announcedOf = ({ sequence, time, stream, event }: Entry): Announced => ({
  sequence,
  time,
  stream,
  type: event?.type ?? '',
});

export class Announcements {
  /** The number of entries that the writer has committed. */
  total = 0;
  /** The newest committed entries of this writer, with none missing between them. */
  private committed: readonly Announced[] = [];
  private appended: Announced[] = [];

  /** Begins a transaction. */
  begin(): void {
    this.appended = [];
  }

  append(entry: Announced): void {
    this.appended.push(entry);
  }

  /** Undoes what the transaction appended after an entry. */
  undo(sequence: number): void {
    this.appended = this.appended.filter((entry) => entry.sequence <= sequence);
  }

  /** Ends the transaction. */
  commit(): void {
    const [first] = this.appended;
    if (first === undefined) return;
    this.total += this.appended.length;
    // An entry of another process may lie between this transaction and the one before.
    const kept = this.committed.at(-1)?.sequence === first.sequence - 1 ? this.committed : [];
    this.committed = [...kept, ...this.appended].slice(-feed_page_entries_max);
  }

  /** Returns the entries after a sequence; none if the one that follows it is not kept. */
  after(sequence: number): readonly Announced[] {
    const first = this.committed[0]?.sequence ?? Number.POSITIVE_INFINITY;
    return sequence + 1 < first ? [] : this.committed.slice(sequence + 1 - first);
  }
}
