/** Transactions that the reference agent's entries name. The format of its invoices is not known here. */
import { typeOf } from '../../codec/entry.js';
import { entryOf, rowsAfter } from '../../journal/reader.js';
import type { Db } from '../../store/database.js';

const page_entries = 100;

/**
 * Returns whether an entry of schema 1 names a transaction, in any member and with letters of any case. These entries come before all of
 * this program's.
 */
export function isNamedByReference(db: Db, transaction: string): boolean {
  const digits = transaction.slice(2).toLowerCase();
  for (let after = 0; ; ) {
    const rows = rowsAfter(db, after, page_entries);
    for (const row of rows) {
      if (typeOf(row.body) !== null) return false;
      if (entryOf(row, db).text.toLowerCase().includes(digits)) return true;
      after = row.seq;
    }
    if (rows.length < page_entries) return false;
  }
}
