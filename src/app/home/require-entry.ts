/** The entry that a mission's record points to. */
import type { Entry } from '../../codec/entry.js';
import { integrityFailure } from '../../journal/position.js';
import { readEntry } from '../../journal/reader.js';
import type { Db } from '../../store/database.js';

/** Returns the entry. @throws RefusalError `integrity` when it is missing */
export function requireEntry(db: Db, sequence: number): Entry {
  const entry = readEntry(db, sequence);
  if (entry === null) throw integrityFailure(`entry ${sequence} is missing`, sequence);
  return entry;
}
