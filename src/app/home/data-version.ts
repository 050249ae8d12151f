/**
 * SQLite's `data_version`: another number once another connection committed. Asking takes locks of the file, a few microseconds, and
 * one request wants to know it twice: whether its token is still one, and whether the answer of a moment ago still stands.
 */
import type { Db } from '../../store/database.js';

export interface DataVersion {
  /** Asks now. */
  readonly now: () => unknown;
  /** What was asked last where that was for the same request, otherwise asks now. */
  readonly lately: () => unknown;
}

const readers = new WeakMap<Db, DataVersion>();

/** The one reader of a connection. */
export function dataVersionOf(db: Db): DataVersion {
  const known = readers.get(db) ?? makeReader(db);
  readers.set(db, known);
  return known;
}

function makeReader(db: Db): DataVersion {
  const statement = db.prepare<[], unknown>('PRAGMA data_version').pluck();
  let last: unknown = null;
  // Comes when the promises that are ready have run, so before anything else is read from a socket.
  const forget = (): void => void (last = null);
  const now = (): unknown => {
    if (last === null) process.nextTick(forget);
    last = statement.get();
    return last;
  };
  return { now, lately: () => last ?? statement.get() };
}
