/** Runs the migrations and rebuilds the projections that this program version needs, in one transaction at open. */
import { journal_tables, tableMissing } from '../../base/damage.js';
import { errorCode, type Refusal, RefusalError } from '../../base/refusal.js';
import type { Entry } from '../../codec/entry.js';
import { type HomePaths, witnessDirectory } from '../../home/paths.js';
import { entryOf, integrityFailure } from '../../journal/reader.js';
import {
  isOfThisVersion,
  projectionDdls,
  projectionTableFault,
  projectors,
  rebuildProjections,
  refuseNewerProjections,
} from '../../tables/projections.js';
import { type Db, openDatabase, openError, retryWhileBusy, storageError } from '../../store/database.js';
import { appliedMigrations, foreignObject, isMigrated, migrate } from '../../store/migrations.js';
import { clearAfterKill, describeDaemon, onLentBallast, quickCheck } from './files.js';
import { type OpenOptions, programVersion, type Upgrade, type UpgradeSteps, type World } from './home.js';
import * as fs from 'node:fs';
import { witnessTemporaries } from '../../home/witness-file.js';
import { hasDaemon, type LockOptions, type ProcessLock, remakeProcessLock, takeProcessLock } from '../../store/process-lock.js';
import { refuseUnreleasedFile } from '../../store/unreleased.js';

const noJournal = (db: Db): RefusalError =>
  new RefusalError(
    journalTableFault(db) ?? { code: 'integrity', detail: 'journal.sqlite3 holds no journal that this program made' },
  );

/** Returns the refusal for the first table of the journal itself that is missing, or null. Its migrations must have been applied. */
function journalTableFault(db: Db): Refusal | null {
  const names = new Set(db.prepare<[], string>("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all());
  const missing = journal_tables.find((table) => !names.has(table));
  return missing === undefined ? null : tableMissing('journal.sqlite3', missing);
}

/** Says what an upgrade did, or would do, to the journal. */
export function stepsInWords({ migrations, isRebuilt }: UpgradeSteps, entries: number): string {
  const steps = [
    ...(migrations.length === 0 ? [] : [`applies ${migrations.join(' and ')}`]),
    ...(isRebuilt ? [`rebuilds the tables from ${entries === 1 ? '1 entry' : `${entries} entries`}`] : []),
  ];
  return steps.length === 0 ? 'records the version and changes nothing else' : steps.join(' and ');
}

/** Returns what people must know of an upgrade that opening the home has just done, or null. */
export const upgradeNotice = (upgrade: Upgrade | null): string | null =>
  upgrade?.state === 'done'
    ? `this home was upgraded from version ${upgrade.from} to ${programVersion}; version ${upgrade.from} refuses it from now on`
    : null;

/**
 * Brings a journal that an older version wrote up to date. A kill leaves it unchanged, and the next open repeats the work. No other
 * process has the home open. Returns also whether the last one was killed; the journal was then checked first.
 */
function upgradeJournal(paths: HomePaths, now: number): UpgradeSteps & { readonly wasUnclean: boolean } {
  const wasUnclean = clearAfterKill(paths);
  const db = openDatabase(paths.journal);
  try {
    if (wasUnclean) quickCheck(db);
    return { wasUnclean, ...bringUpToDate(db, now) };
  } catch (error) {
    throw openError(error, paths.journal);
  } finally {
    db.close();
  }
}

/** Applies missing migrations and rebuilds tables of another version, in one transaction. */
export function bringUpToDate(db: Db, now: number): UpgradeSteps {
  if (isMigrated(db) && isOfThisVersion(db)) return { migrations: [], isRebuilt: false };
  if (appliedMigrations(db).size === 0) throw noJournal(db);
  const update = db.transaction(() => {
    const migrations = migrate(db, now);
    refuseNewerProjections(db);
    const isRebuilt = !isOfThisVersion(db);
    if (isRebuilt) rebuildProjections(db, allEntries(db));
    return { migrations, isRebuilt };
  });
  return retryWhileBusy(() => update.immediate());
}

/**
 * Checks that the tables, which are of no newer version, are exactly those of this one. Nothing is brought up to date here: another version in a table is an
 * alteration, because the process lock names this version.
 * @throws RefusalError `integrity`
 */
export function checkTables(db: Db): void {
  if (!isMigrated(db)) throw integrityFailure('the table migration lacks a migration of this version');
  const hint = 'agent-cli rebuild';
  const missing = projectionTableFault(db);
  if (missing !== null) throw new RefusalError(missing);
  const foreign = foreignObject(db, projectionDdls);
  if (foreign !== null)
    throw new RefusalError('integrity', `the database's schema differs from what agent-cli creates: ${foreign}`, { hint });
  if (!isOfThisVersion(db)) throw new RefusalError('integrity', 'the table projection was altered', { hint });
}

/** @throws RefusalError `newer_version` for tables of a newer version, `integrity` for those of no version of this program */
export function refuseUnknownTables(db: Db): void {
  const missing = journalTableFault(db);
  if (missing !== null) throw new RefusalError(missing);
  if (appliedMigrations(db).size === 0) throw noJournal(db);
  refuseNewerProjections(db);
}

/** Returns the error to report, as `storageError` does: damage of the file with the tables that it is in. */
export function namingTables(error: unknown, db: Db | null, what: string): unknown {
  const tables = db !== null && errorCode(error).startsWith('SQLITE_CORRUPT') ? unreadableTables(db) : [];
  return storageError(error, tables.length === 0 ? what : `table ${tables.join(', ')} of journal.sqlite3`, db?.name);
}

/** Returns the tables of which SQLite cannot read every row. */
const unreadableTables = (db: Db): readonly string[] =>
  known_tables.filter((table) => {
    try {
      db.prepare<[], number>(`SELECT count(*) FROM ${table} NOT INDEXED WHERE rowid IS NOT NULL`).pluck().get();
      return false;
    } catch (error) {
      return errorCode(error).startsWith('SQLITE_CORRUPT');
    }
  });

const known_tables: readonly string[] = [...journal_tables, ...projectors.flatMap(({ tables }) => tables)];

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

// Takes a home for this process: the process lock, and what is done while no other process has the home.

export interface TakenHome {
  readonly lock: ProcessLock;
  readonly upgrade: Upgrade | null;
  /** Whether the last process was killed while it had the journal open. */
  readonly isUnclean: boolean;
  /** Whether the journal was already checked for that reason. */
  readonly isChecked: boolean;
  /** Temporary files beside the witness file; those of this home were left by killed processes. */
  readonly witnessLeft: readonly string[];
}

export const isServed = ({ paths }: { readonly paths: HomePaths }): boolean => hasDaemon(paths.lock);

export function takeHome(world: World, paths: HomePaths, mode: OpenOptions['lock'] = 'command'): TakenHome {
  // The lock file holds only a version, so a lost one is recreated.
  if (!fs.existsSync(paths.lock)) remakeProcessLock(paths.lock);
  const found: { -readonly [name in keyof Omit<TakenHome, 'lock'>]: TakenHome[name] } = {
    upgrade: null,
    isUnclean: false,
    isChecked: false,
    witnessLeft: [],
  };
  const options: LockOptions = {
    version: programVersion,
    mode,
    describeHolder: () => describeDaemon(paths.daemon),
    whileAlone: () => {
      found.witnessLeft = witnessTemporaries(witnessDirectory(world.env));
      found.isUnclean ||= clearAfterKill(paths);
    },
    upgrade: (from) => {
      refuseUnreleasedFile(paths.journal);
      found.witnessLeft = witnessTemporaries(witnessDirectory(world.env));
      const { wasUnclean, ...steps } = upgradeJournal(paths, world.clock());
      found.isUnclean ||= wasUnclean;
      found.isChecked = true;
      if (from !== null) found.upgrade = { from, state: 'done', ...steps };
    },
  };
  // On a full disk all of it is run again, on the ballast's room.
  try {
    const lock = onLentBallast(paths, () => takeProcessLock(paths.lock, options));
    return { lock, ...found };
  } catch (error) {
    if (error instanceof RefusalError && error.refusal.code === 'newer_version') refuseUnreleasedFile(paths.journal);
    throw error;
  }
}
