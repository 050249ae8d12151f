/** Steps that follow a commit. An error in one of them says what is recorded, so that nobody takes the command for undone. */
import { RecordedFault } from '../../base/fault.js';
import type { Refusal } from '../../base/refusal.js';
import { RefusalError } from '../../base/result.js';
import { emptyLog, isFull, type Db } from '../../store/database.js';

export interface Recorded {
  /** What is recorded, as a clause: `the erasure of mission … is recorded`. */
  readonly recorded: string;
  /** The command that completes it, or null. */
  readonly remains: string | null;
}

/** Returns the result of a step that follows a commit. @throws RefusalError or RecordedFault that says what is recorded */
export function afterCommit<A>({ recorded, remains }: Recorded, failed: string, step: () => A): A {
  try {
    return step();
  } catch (error) {
    const why = error instanceof RefusalError ? error.refusal : isFull(error) ? fullDisk : null;
    if (why === null) throw new RecordedFault(`${recorded}, but ${failed}`, remains, error);
    const { detail, hint = remains ?? undefined, ...refusal } = why;
    throw new RefusalError({
      ...refusal,
      detail: `${recorded}, but ${failed}: ${detail}`,
      ...(hint === undefined ? {} : { hint }),
    });
  }
}

const fullDisk: Refusal = { code: 'storage_full', detail: 'no space left on the disk' };

/**
 * Empties the journal's write-ahead log after an erasure: until then the log, or the database, still holds the erased text. Returns
 * a warning when another process is reading the journal.
 * @param what the erased text
 */
export function emptyLogAfter(done: Recorded, db: Db, what: string): readonly string[] {
  const failed = `the journal's write-ahead log could not be emptied, so its files may still hold ${what}`;
  if (afterCommit(done, failed, () => emptyLog(db))) return [];
  const { recorded, remains } = done;
  return [`${recorded}, but another process is reading the journal, whose files hold ${what} until you repeat ${remains ?? ''}`];
}
