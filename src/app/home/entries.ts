/** Checks the entries of a home before a command relies on them (docs/decisions/0009). */
import type { Refusal } from '../../base/refusal.js';
import { checkWhole, isSmall } from '../../journal/whole-check.js';
import { extentsFault } from './extents.js';
import type { Db } from '../../store/database.js';

export interface EntriesCheck {
  /** Why an entry is not what was signed, or null. */
  readonly entries: Refusal | null;
  /** Why a table does not have the rows that the entries produce, or null. */
  readonly tables: Refusal | null;
}

export const unchecked: EntriesCheck = { entries: null, tables: null };

/** Call it in the transaction that reads what was checked. */
export function checkEntries(db: Db, publicKey: Buffer): EntriesCheck {
  if (!isSmall(db)) return unchecked;
  const { failure, streams } = checkWhole(db, publicKey);
  return { entries: failure, tables: failure === null ? extentsFault(db, streams) : null };
}
