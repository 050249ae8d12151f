/**
 * Bounds how much of all large bodies is written in one turn of the event loop. The operating system takes megabytes at once for each
 * client, also for one that does not read, and writing them to many clients would hold every other request.
 */
import { setImmediate } from 'node:timers';

interface Writer {
  readonly bytes: number;
  readonly go: () => void;
}

export class Turns {
  private left: number;
  private readonly waiting: Writer[] = [];
  private isScheduled = false;

  constructor(private readonly turn_bytes: number) {
    this.left = turn_bytes;
  }

  /** Resolves when this many bytes may be written, in the order of the calls. A turn has room for at least one call. */
  take(bytes: number): Promise<void> {
    this.schedule();
    if (this.waiting.length === 0 && this.spend(bytes)) return Promise.resolve();
    return new Promise((go) => void this.waiting.push({ bytes, go }));
  }

  private spend(bytes: number): boolean {
    if (this.left < bytes && this.left < this.turn_bytes) return false;
    this.left -= bytes;
    return true;
  }

  /** Begins the next turn after other events of the loop. */
  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      this.left = this.turn_bytes;
      let served = 0;
      for (const { bytes, go } of this.waiting) {
        if (!this.spend(bytes)) break;
        served++;
        go();
      }
      this.waiting.splice(0, served);
      if (this.waiting.length > 0) this.schedule();
    });
  }
}
