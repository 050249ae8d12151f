/** Readings of files, one at a time: a file may take the memory of many missions. */
import { RefusalError } from '../../base/result.js';

/** Readings that wait for the one in progress. */
const waiting_max = 4;

export class OneAtATime {
  private last: Promise<unknown> = Promise.resolve();
  /** Those that run or wait. */
  private count = 0;

  /** Runs `read` after those before it. @throws RefusalError `busy` when too many wait, `interrupted` when the signal aborted meanwhile */
  async run<A>(read: () => Promise<A>, signal: AbortSignal): Promise<A> {
    if (this.count > waiting_max) throw busy();
    this.count++;
    const turn = this.last.then(() => {
      if (signal.aborted) throw new RefusalError({ code: 'interrupted', detail: 'nobody waits for this reading any more' });
      return read();
    });
    this.last = turn.catch(() => undefined);
    try {
      return await turn;
    } finally {
      this.count--;
    }
  }
}

const busy = (): RefusalError =>
  new RefusalError({
    code: 'busy',
    detail: `other files are being read, and ${waiting_max} readings wait; try again in a moment`,
    facts: { retry_after_s: 5 },
  });
