/** An entry that a mission's record points to. */
import type { Entry } from '../../codec/entry.js';
import { integrityFailure } from '../../journal/position.js';
import { readEntry } from '../../journal/reader.js';
import type { Db } from '../../store/database.js';

/** @throws RefusalError `integrity` when the entry is not there */
export function requireEntry(db: Db, sequence: number): Entry {
  const entry = readEntry(db, sequence);
  if (entry === null) throw integrityFailure(`entry ${sequence} is missing`, sequence);
  return entry;
}
