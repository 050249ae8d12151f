/** Checks that run when a home is opened. Some commands tolerate their refusals. */
import type { Refusal } from '../../base/refusal.js';
import { RefusalError } from '../../base/result.js';
import type { Signer } from '../../journal/keys.js';
import { claimedPosition, loadPosition, type Loaded } from '../../journal/position.js';
import type { Db } from '../../store/database.js';

/** Faults that a command may inspect or repair. */
export type Tolerable = 'config' | 'witness' | 'head' | 'permissions' | 'schema' | 'entries' | 'tables';

/**
 * Returns the loaded position. When loading fails and the command tolerates it, returns the position that the journal claims,
 * with the refusal.
 */
export function load(
  db: Db,
  signer: Signer,
  tolerated: readonly Tolerable[],
): { readonly loaded: Loaded; readonly fault: Refusal | null } {
  try {
    return { loaded: loadPosition(db, signer.publicKey), fault: null };
  } catch (error) {
    if (!tolerated.includes('head') || !isFault(error)) throw error;
    return { loaded: claimedPosition(db, signer.publicKey), fault: error.refusal };
  }
}

/** Runs a check and returns its refusal if the command tolerates it. @throws RefusalError otherwise */
export function tolerable(tolerated: boolean, check: () => void): Refusal | null {
  try {
    check();
    return null;
  } catch (error) {
    if (tolerated && isFault(error)) return error.refusal;
    throw error;
  }
}

/** Whether the error is a fault. Data that a newer version wrote is not one: no command here can inspect or repair it. */
const isFault = (error: unknown): error is RefusalError =>
  error instanceof RefusalError && error.refusal.code !== 'newer_version';

export const throwIf = (refusal: Refusal | null): void => {
  if (refusal !== null) throw new RefusalError(refusal);
};
