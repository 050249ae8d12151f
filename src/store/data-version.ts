/**
 * SQLite's `data_version`, a number that changes when another connection commits. Reading it locks the file for a few
 * microseconds. One request needs it twice: to check that its token is still valid, and that a cached response is still current.
 */
import type { Db } from './database.js';

interface DataVersion {
  /** Reads the number now. */
  readonly now: () => unknown;
  /** Returns the number last read for the same request, or reads it now. */
  readonly lately: () => unknown;
}

const readers = new WeakMap<Db, DataVersion>();

/** Returns the connection's only reader. */
export function dataVersionOf(db: Db): DataVersion {
  const known = readers.get(db) ?? makeReader(db);
  readers.set(db, known);
  return known;
}

function makeReader(db: Db): DataVersion {
  const statement = db.prepare<[], unknown>('PRAGMA data_version').pluck();
  let last: unknown = null;
  // Runs after the promises that are ready, so before anything else is read from a socket.
  const forget = (): void => void (last = null);
  const now = (): unknown => {
    if (last === null) process.nextTick(forget);
    last = statement.get();
    return last;
  };
  return { now, lately: () => last ?? statement.get() };
}
