/** Runs the migrations and rebuilds the projections that this program version needs, in one transaction at open. */
import type { Db } from '../../store/database.js';
import { retryWhileBusy, storageError } from '../../store/database.js';
import { RefusalError } from '../../base/result.js';
import { appliedMigrations, isMigrated, migrate } from '../../store/migrations.js';
import { entryOf } from '../../journal/reader.js';
import { projectionRows, projectors, rebuildProjections, refuseNewerProjections } from '../../projection/projections.js';
import type { Entry } from '../../codec/entry.js';

const isOfThisVersion = (db: Db): boolean => {
  const rows = projectionRows(db);
  return (
    rows.length === projectors.length && projectors.every((p) => rows.some((r) => r.name === p.name && r.version === p.version))
  );
};

/** Brings the tables up to date. A kill leaves them unchanged, and the next open repeats the work. */
export function bringUpToDate(db: Db, now: number): void {
  if (isMigrated(db) && isOfThisVersion(db)) return;
  if (appliedMigrations(db).size === 0)
    throw new RefusalError({ code: 'integrity', detail: 'journal.sqlite3 holds no journal that this program made' });
  retryWhileBusy(() => db.exec('BEGIN IMMEDIATE'));
  try {
    migrate(db, now);
    refuseNewerProjections(db);
    if (!isOfThisVersion(db)) rebuildProjections(db, allEntries(db));
    db.exec('COMMIT');
  } catch (error) {
    if (db.inTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

/** Drops and replays every projection in one transaction; returns the number of entries. */
export function rebuildAll(db: Db, onProgress: (applied: number) => void): number {
  retryWhileBusy(() => db.exec('BEGIN IMMEDIATE'));
  try {
    const applied = rebuildProjections(db, allEntries(db), onProgress);
    db.exec('COMMIT');
    return applied;
  } catch (error) {
    if (db.inTransaction) db.exec('ROLLBACK');
    throw storageError(error, 'the journal');
  }
}

const batch = 1_000;

/** Yields all entries in order, read in batches because better-sqlite3 allows no other statement while an iterator is open. */
export function* allEntries(db: Db): Generator<Entry> {
  const read = db.prepare<[number, number], Parameters<typeof entryOf>[0]>(
    'SELECT seq, mission, body, hash, signature FROM events WHERE seq > ? ORDER BY seq LIMIT ?',
  );
  for (let after = 0; ; after += batch) {
    const rows = read.all(after, batch);
    for (const row of rows) yield entryOf(row, db);
    if (rows.length < batch) return;
  }
}
