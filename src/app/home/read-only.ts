/**
 * Opens a home to which nothing is written: as it is, so that `verify` finds what other commands would find; for `doctor` one of an older
 * version, whose upgrade is tried on a copy of the journal; and one of a newer version, of which the known entries are read.
 */
import { errorCode, type Refusal, RefusalError } from '../../base/refusal.js';
import { compareVersions } from '../../base/version.js';
import type { Entry } from '../../codec/entry.js';
import { ballastSize, returnBallast } from '../../home/ballast.js';
import type { HomePaths } from '../../home/paths.js';
import { integrityFailure, readLeniently } from '../../journal/reader.js';
import { rebuildProjections } from '../../tables/projections.js';
import type { Db } from '../../store/database.js';
import { migrate } from '../../store/migrations.js';
import { isAlone, newerProgram, unknown_version } from '../../store/process-lock.js';
import { takeReaderLock } from '../../store/reader-lock.js';
import { Database } from '../../store/sqlite.js';
import { refuseUnreleasedFile } from '../../store/unreleased.js';
import { configFault } from './config.js';
import { checkFiles, hasLog, openJournal } from './files.js';
import { type Home, type OpenOptions, programVersion, type Upgrade, type World } from './home.js';
import { openForReading, openHome, openReadable, type ReadableJournal } from './open.js';
import { withCopy } from './staging.js';
import { allEntries, bringUpToDate } from './upgrade.js';

/** @throws RefusalError as `openHome` does, for what `options` do not tolerate */
export function openAsIs(world: World, options: OpenOptions): Home {
  const files = checkFiles(world, options);
  const { paths, unwritable } = files;
  // The log that a killed process left is not taken into the journal here, so that the next command still checks it.
  const readonly = unwritable === null && hasLog(paths) && isAlone(paths.lock);
  return openForReading(world, options, files, {
    open: (version) => {
      const order = compareVersions(version ?? programVersion, programVersion);
      if (order !== 0) refuseUnreleasedFile(paths.journal);
      if (version !== null && order > 0) throw newerProgram(version, programVersion);
      return unwritable === null ? openUnchanged(paths, readonly) : openReadable(paths);
    },
    more: (_, version) => {
      const older = compareVersions(version ?? programVersion, programVersion) < 0 ? version : null;
      return { unwritable, older, checks: older === null ? 'as it is' : 'of another version' };
    },
  });
}

function openUnchanged(paths: HomePaths, readonly: boolean): ReadableJournal {
  const ballast = ballastSize(paths.ballast);
  try {
    const db = openJournal(paths, { readonly, queryOnly: true });
    const close = (): void => {
      db.close();
      if (ballastSize(paths.ballast) !== ballast) returnBallast(paths.ballast);
    };
    return { db, close, isOutdated: () => false };
  } catch (error) {
    if (!(error instanceof RefusalError) || error.refusal.code !== 'not_writable') throw error;
    return openReadable(paths);
  }
}

/** Opens a home of this version as `openHome` does, and inspects the upgrade of one of an older version. */
export const openForDoctor = (world: World, options: OpenOptions = {}): Home =>
  openBeforeUpgrade(world, options) ?? openHome(world, options);

/** Returns null unless an older version wrote the home last, and this one can write it. @throws RefusalError as the upgrade would */
function openBeforeUpgrade(world: World, options: OpenOptions): Home | null {
  const files = checkFiles(world, options);
  const { paths, unwritable } = files;
  if (!isOlderVersion(recordedVersion(paths.lock))) return null;
  refuseUnreleasedFile(paths.journal);
  if (unwritable !== null) return null;
  const isUnused = isAlone(paths.lock);
  return openForReading(world, options, files, {
    open: () => openReadable(paths, true),
    more: ({ db }, from) => {
      const steps = bringUpToDate(db, world.clock());
      // Another process may have upgraded the home meanwhile.
      const upgrade: Upgrade | null = isOlderVersion(from) ? { from, state: isUnused ? 'pending' : 'blocked', ...steps } : null;
      return { upgrade, uncleanStop: isUnused && hasLog(paths) };
    },
  });
}

function recordedVersion(file: string): string | null {
  const { version, release } = takeReaderLock(file);
  release();
  return version;
}

/** A version that is not known says nothing about the tables: the next command brings them up to date. */
const isOlderVersion = (version: string | null): version is string =>
  version !== null && version !== unknown_version && compareVersions(version, programVersion) < 0;

/**
 * Opens a home that `openHome` refused because a newer version wrote it. Changes neither its files nor its witness.
 * @param refusal that refusal, which is returned for every attempt to write
 */
export function openNewerHome(world: World, options: OpenOptions, refusal: Refusal): Home {
  const files = checkFiles(world, options);
  const { paths } = files;
  let isConfigKnown = true;
  return openForReading(world, options, files, {
    open: () => {
      const read = withCopy(paths.journal, (copy) => readJournal(copy, world, refusal));
      ({ isConfigKnown } = read);
      return { db: read.db, close: () => void read.db.close(), isOutdated: () => false };
    },
    more: ({ db }, version) => ({
      newer: { version: version === programVersion ? null : version },
      refusal,
      checks: 'of another version',
      // An unknown control entry may have brought another configuration into force.
      configFault: () => (isConfigKnown ? configFault(db, paths) : null),
    }),
  });
}

/** The columns that every version of the journal has. No other table is read. */
const columns = {
  events: 'seq, mission, body, hash, signature',
  checkpoint: 'size, note',
  blob: 'hash, salt, bytes',
  tile: 'level, n, hashes',
} as const;

/**
 * Copies the journal's rows into a temporary SQLite database in the system's temporary directory, which is deleted when it is
 * closed.
 */
function readJournal(copy: string, { clock }: World, refusal: Refusal): { readonly db: Db; readonly isConfigKnown: boolean } {
  const db = new Database('');
  try {
    db.pragma('trusted_schema = OFF');
    db.pragma('cell_size_check = ON');
    db.prepare('ATTACH ? AS newer').run(copy);
    db.exec('BEGIN');
    migrate(db, clock());
    for (const [table, names] of Object.entries(columns))
      db.exec(`INSERT INTO main.${table}(${names}) SELECT ${names} FROM newer.${table} ORDER BY 1, 2`);
    // Detach first: otherwise a table name that this database lacks would refer to the newer database.
    db.exec('COMMIT; DETACH newer; BEGIN');
    readLeniently(db);
    let isConfigKnown = true;
    const watched = watching(allEntries(db), ({ stream, event }) => {
      if (stream === '@control' && event === null) isConfigKnown = false;
    });
    rebuildProjections(db, watched);
    db.exec('COMMIT');
    return { db, isConfigKnown };
  } catch (error) {
    db.close();
    throw readError(error, refusal);
  }
}

function* watching(entries: Iterable<Entry>, watch: (entry: Entry) => void): Generator<Entry> {
  for (const entry of entries) {
    watch(entry);
    yield entry;
  }
}

/**
 * Returns the error to report: tables that lack a column are too new to read; rows that break this version's constraints are
 * damaged.
 */
function readError(error: unknown, refusal: Refusal): unknown {
  const code = errorCode(error);
  if (code.startsWith('SQLITE_CONSTRAINT'))
    return integrityFailure(
      `journal.sqlite3 holds rows that do not belong to a journal: ${error instanceof Error ? error.message : ''}`,
    );
  return code === 'SQLITE_ERROR' ? new RefusalError(refusal) : error;
}
