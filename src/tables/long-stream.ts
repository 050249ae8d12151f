/** The entries of a stream that is too long to be read while others wait: it is read in parts, and each part once. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sequencesByIndex } from '../journal/stream.js';
import { newWalk } from '../state/proven.js';
import type { Db } from '../store/database.js';
import { connectionOf } from './connection.js';
import { reading } from './read.js';

const part_entries = 500;

export class LongStream {
  private walk = newWalk();

  constructor(
    private readonly db: Db,
    private readonly name: string,
  ) {}

  /** Resolves with what `readSequences` returns. Each of the entries is to be proven where it is read. */
  async sequencesAfter(after: number): Promise<readonly number[]> {
    for (;;) {
      const found = reading(this.db, () => this.readOn(after));
      if (found !== null) return found;
      await nextTurn();
    }
  }

  private readOn(after: number): number[] | null {
    const { proven } = connectionOf(this.db);
    if (proven === null) return sequencesByIndex(this.db, this.name, after);
    const { walk } = this;
    // Begins again after damage, which may be repaired.
    this.walk = newWalk();
    const found = proven.sequencesOf(this.name, after, walk, part_entries);
    this.walk = walk;
    return found;
  }
}
