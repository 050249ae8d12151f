/**
 * Group commit: commands that arrive together are decided in one transaction, each in a savepoint, with one fsync for all; every
 * caller gets its result after the commit. There is no timer while idle, and waiting for another process's lock never blocks the event loop.
 */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { Fault } from '../base/refusal.js';
import { append_busy_ms_max } from '../base/limits.js';
import { isBusy, storageError } from '../store/database.js';
import type { Command, JournalWriter, Outcome } from './writer.js';

export const batch_commands_max = 100;
const batch_work_ms_max = 5;

interface Waiting {
  readonly command: Command<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

const jitter_ms_max = 15;

export class AppendQueue {
  private readonly waiting: Waiting[] = [];
  private draining = false;

  /** @param onFault called when the journal itself fails; nothing is recorded after that */
  constructor(
    private readonly writer: JournalWriter,
    private readonly onFault: (fault: Fault) => void = () => undefined,
  ) {}

  /** Resolves once what the command recorded is on the disk. @throws what the command throws, which undoes only that command */
  submit<A>(command: Command<A>): Promise<A> {
    return new Promise<A>((resolve, reject) => {
      this.waiting.push({ command, resolve: resolve as (value: unknown) => void, reject });
      if (this.draining) return;
      this.draining = true;
      // Commands that arrive in this turn of the event loop join the batch.
      setImmediate(() => void this.drain());
    });
  }

  private async drain(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, batch_commands_max);
      const left = await this.commit(batch);
      this.waiting.unshift(...left);
      // Other work of the process runs between two commits, however many commands are queued.
      if (this.waiting.length > 0) await nextTurn();
    }
    this.draining = false;
  }

  /** Commits a batch; returns the commands for which there was no time. */
  private async commit(batch: readonly Waiting[]): Promise<readonly Waiting[]> {
    let outcomes: Outcome<unknown>[];
    try {
      await this.lock();
      const end = performance.now() + batch_work_ms_max;
      outcomes = this.writer.run(
        batch.map((w) => w.command),
        () => performance.now() < end,
      );
    } catch (error) {
      for (const { reject } of batch) reject(error);
      if (error instanceof Fault) this.onFault(error);
      return [];
    }
    outcomes.forEach((outcome, i) => {
      if ('error' in outcome) batch[i]?.reject(outcome.error);
      else batch[i]?.resolve(outcome.value);
    });
    return batch.slice(outcomes.length);
  }

  private async lock(): Promise<void> {
    const end = performance.now() + append_busy_ms_max;
    for (;;) {
      try {
        return this.writer.begin();
      } catch (error) {
        if (!isBusy(error) || performance.now() > end) throw storageError(error, 'the journal');
        await sleep(1 + Math.floor(Math.random() * jitter_ms_max));
      }
    }
  }
}
