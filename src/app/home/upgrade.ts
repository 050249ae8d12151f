/** Runs the migrations and rebuilds the projections that this program version needs, in one transaction at open. */
import type { Db } from '../../store/database.js';
import { retryWhileBusy, storageError } from '../../store/database.js';
import { RefusalError } from '../../base/result.js';
import { appliedMigrations, foreignObject, isMigrated, migrate } from '../../store/migrations.js';
import { entryOf } from '../../journal/reader.js';
import {
  projectionDdls,
  projectionRows,
  projectors,
  rebuildProjections,
  refuseNewerProjections,
} from '../../projection/projections.js';
import type { Entry } from '../../codec/entry.js';
import type { HomePaths } from '../../home/paths.js';
import { integrityFailure } from '../../journal/position.js';
import { checkAfterUncleanStop, hasLog, openJournal } from './open-journal.js';

const noJournal = (): RefusalError => integrityFailure('journal.sqlite3 holds no journal that this program made');

/** Returns whether the projections are exactly those of this version. */
export const isOfThisVersion = (db: Db): boolean => {
  const rows = projectionRows(db);
  return (
    rows.length === projectors.length && projectors.every((p) => rows.some((r) => r.name === p.name && r.version === p.version))
  );
};

/**
 * Brings a journal that an older version wrote up to date. A kill leaves it unchanged, and the next open repeats the work. No other
 * process has the home open. Returns whether the last one was killed; the journal was then checked first.
 */
export function upgradeJournal(paths: HomePaths, now: number): boolean {
  const isUnclean = hasLog(paths);
  const db = openJournal(paths);
  try {
    if (isUnclean) checkAfterUncleanStop(db, paths);
    bringUpToDate(db, now);
    return isUnclean;
  } catch (error) {
    throw storageError(error, 'journal.sqlite3');
  } finally {
    db.close();
  }
}

function bringUpToDate(db: Db, now: number): void {
  if (isMigrated(db) && isOfThisVersion(db)) return;
  if (appliedMigrations(db).size === 0) throw noJournal();
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

/**
 * Checks that the tables are exactly those of this version. Nothing is brought up to date here: another version in a table is an
 * alteration, because the process lock names this version.
 * @throws RefusalError `newer_version`, `integrity`
 */
export function checkTables(db: Db): void {
  refuseUnknownTables(db);
  if (!isMigrated(db)) throw integrityFailure('the table migration lacks a migration of this version');
  const hint = 'agent-cli rebuild';
  const foreign = foreignObject(db, projectionDdls);
  if (foreign !== null)
    throw new RefusalError({ code: 'integrity', detail: `the database's schema is not ours: ${foreign}`, hint });
  if (!isOfThisVersion(db)) throw new RefusalError({ code: 'integrity', detail: 'the table projection was altered', hint });
}

/** @throws RefusalError `newer_version` for tables of a newer version, `integrity` for those of no version of this program */
export function refuseUnknownTables(db: Db): void {
  if (appliedMigrations(db).size === 0) throw noJournal();
  refuseNewerProjections(db);
}

/** Drops and replays every projection in one transaction; returns the number of entries. */
export function rebuildAll(db: Db, onProgress: (applied: number) => void): number {
  retryWhileBusy(() => db.exec('BEGIN IMMEDIATE'));
  try {
    const applied = rebuildProjections(db, allEntries(db), onProgress);
    checkTables(db);
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
