/** What surrounds a commit: room on a full disk before it, and the steps after it, whose errors say what is recorded. */
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode, noSpace, RecordedFault, RecordedRefusal, type Refusal, RefusalError } from '../../base/refusal.js';
import { spendBallast } from '../../home/ballast.js';
import { type Db, emptyLog, isFull, storageError } from '../../store/database.js';
import type { Home } from './home.js';

export interface RecordedPart {
  /** What is recorded, as a clause: `the erasure of mission … is recorded`. */
  readonly recorded: string;
  /** The command that completes it, or null. */
  readonly remains: string | null;
}

/** Returns the result of a step that follows a commit. @throws RecordedRefusal or RecordedFault that says what is recorded */
export function afterCommit<A>({ recorded, remains }: RecordedPart, failed: string, step: () => A): A {
  try {
    return step();
  } catch (error) {
    const cause = causeAfter(error);
    if (cause === null) throw new RecordedFault(`${recorded}, but ${failed}`, remains, error);
    const { detail, hint = remains ?? undefined, ...refusal } = cause;
    throw new RecordedRefusal({
      ...refusal,
      detail: `${recorded}, but ${failed}: ${detail}`,
      ...(hint === undefined ? {} : { hint }),
    });
  }
}

/** Returns why a step failed, without what `storageError` says of a command that recorded nothing; null for what nobody expects. */
function causeAfter(error: unknown): Refusal | null {
  if (isFull(error)) return { code: 'storage_full', detail: noSpace(errorCode(error)) };
  const named = storageError(error, 'the home');
  return named instanceof RefusalError ? named.refusal : null;
}

/**
 * Empties the journal's write-ahead log after an erasure: until then the log, or the database, still holds the erased text. Returns
 * a warning when another process is reading the journal.
 * @param what the erased text
 */
export function emptyLogAfter(done: RecordedPart, db: Db, what: string): readonly string[] {
  const failed = `the journal's write-ahead log could not be emptied, so its files may still hold ${what}`;
  if (afterCommit(done, failed, () => emptyLog(db))) return [];
  const { recorded, remains } = done;
  return [`${recorded}, but another process is reading the journal, whose files hold ${what} until you repeat ${remains ?? ''}`];
}

export const isFullDisk = (error: unknown): error is RefusalError =>
  error instanceof RefusalError && error.refusal.code === 'storage_full';

/** Records an end of work. On a full disk it uses half of the ballast, once until that is filled again: the other half is for a pause. */
export async function onBallast<A>({ paths }: Pick<Home, 'paths'>, record: () => Promise<A>): Promise<A> {
  try {
    return await record();
  } catch (error) {
    if (!isFullDisk(error) || !spendBallast(paths.ballast)) throw error;
    return await record();
  }
}

/** Tries to record an outcome. Each waits `append_busy_ms_max` for the write lock: together they take as long as the lease. */
export const outcome_busy_tries_max = 120;

const pause_ms = 100;

/**
 * Retries an attempt while another process holds the write lock for longer than a command waits for it. Each attempt has its own
 * wait. Once the signal has aborted, at most one more attempt follows.
 */
export async function patiently<A>(attempt: () => Promise<A>, signal: AbortSignal | undefined): Promise<A> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      const isBusy = error instanceof RefusalError && error.refusal.code === 'in_use';
      if (!isBusy || tries >= outcome_busy_tries_max || signal?.aborted === true) throw error;
      await sleep(pause_ms);
    }
  }
}
