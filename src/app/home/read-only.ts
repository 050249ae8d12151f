/**
 * Opens a home to which nothing is written: as it is, so that `verify` finds what other commands would find; for `doctor` one of an older
 * version, whose upgrade is tried on a copy of the journal; and one of a newer version, of which the known entries are read.
 */
import Database from 'better-sqlite3';
import { errorCode } from '../../base/fault.js';
import type { Refusal } from '../../base/refusal.js';
import { RefusalError } from '../../base/result.js';
import { compareVersions } from '../../base/version.js';
import type { Entry } from '../../codec/entry.js';
import { ballastSize, returnBallast } from '../../home/ballast.js';
import { homePaths, type HomePaths } from '../../home/paths.js';
import { signerFromSeed } from '../../journal/keys.js';
import { integrityFailure } from '../../journal/position.js';
import { readLeniently } from '../../journal/reader.js';
import { rebuildProjections } from '../../tables/projections.js';
import { type Db, openDatabase, storageError } from '../../store/database.js';
import { migrate } from '../../store/migrations.js';
import { isAlone, newerProgram, unknown_version } from '../../store/process-lock.js';
import { type ReaderLock, takeReaderLock } from '../../store/reader-lock.js';
import { refuseUnreleasedFile } from '../../store/unreleased.js';
import { configFault } from './config.js';
import { checkFiles, hasLog, openJournal, quickCheck, readSeed, refuseIrregularLock } from './files.js';
import type { Home, OpenOptions } from './home.js';
import { composeRead, openHome, openReadable, type ReadableJournal } from './open.js';
import { copyJournal, type JournalCopy, withCopy } from './staging.js';
import { allEntries, bringUpToDate } from './upgrade.js';
import { programVersion, type World } from './world.js';

/** @throws RefusalError as `openHome` does, for what `options` do not tolerate */
export function openAsIs(world: World, options: OpenOptions): Home {
  const { paths, permissions, unwritable } = checkFiles(world, options);
  // The log that a killed process left is not taken into the journal here, so that the next command still checks it.
  const readonly = unwritable === null && hasLog(paths) && isAlone(paths.lock);
  const lock = takeReaderLock(paths.lock);
  const ballast = ballastSize(paths.ballast);
  let journal: ReadableJournal | null = null;
  const close = (): void => {
    journal?.close();
    if (ballastSize(paths.ballast) !== ballast) returnBallast(paths.ballast);
    lock.release();
  };
  try {
    const order = compareVersions(lock.version ?? programVersion, programVersion);
    if (order !== 0) refuseUnreleasedFile(paths.journal);
    if (lock.version !== null && order > 0) throw newerProgram(lock.version, programVersion);
    const signer = signerFromSeed(readSeed(paths));
    journal = unwritable === null ? openUnchanged(paths, readonly) : openReadable(paths);
    const { db } = journal;
    const older = order < 0 ? lock.version : null;
    const checks = older === null ? 'as it is' : 'of another version';
    return composeRead({ world, options, paths, signer, db, permissions, unwritable, older, checks, close });
  } catch (error) {
    close();
    throw storageError(error, 'journal.sqlite3');
  }
}

function openUnchanged(paths: HomePaths, readonly: boolean): ReadableJournal {
  try {
    const db = openJournal(paths, { readonly, queryOnly: true });
    return { db, close: () => void db.close(), isOutdated: () => false };
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
  const { lock: file, journal } = homePaths(world.directory);
  if (!isOlderVersion(recordedVersion(file))) return null;
  refuseUnreleasedFile(journal);
  const { paths, permissions, unwritable } = checkFiles(world, options);
  if (unwritable !== null) return null;
  const alone = isAlone(paths.lock);
  const lock = takeReaderLock(paths.lock);
  try {
    // Another process may have upgraded the home meanwhile.
    const home = isOlderVersion(lock.version)
      ? tried({ world, options, paths, permissions, lock, alone, from: lock.version })
      : null;
    if (home === null) lock.release();
    return home;
  } catch (error) {
    lock.release();
    throw storageError(error, 'journal.sqlite3');
  }
}

function recordedVersion(file: string): string | null {
  refuseIrregularLock(file);
  const { version, release } = takeReaderLock(file);
  release();
  return version;
}

/** A version that is not known says nothing about the tables: the next command brings them up to date. */
const isOlderVersion = (version: string | null): version is string =>
  version !== null && version !== unknown_version && compareVersions(version, programVersion) < 0;

interface TriedParts {
  readonly world: World;
  readonly options: OpenOptions;
  readonly paths: HomePaths;
  readonly permissions: Refusal | null;
  readonly lock: ReaderLock;
  /** Whether no other process has the home open. */
  readonly alone: boolean;
  readonly from: string;
}

function tried(parts: TriedParts): Home {
  const copy = copyJournal(parts.paths.journal);
  let db: Db | null = null;
  try {
    db = openDatabase(copy.file);
    return composeTried(parts, copy, db);
  } catch (error) {
    db?.close();
    copy.remove();
    throw error;
  }
}

function composeTried({ world, options, paths, permissions, lock, alone, from }: TriedParts, copy: JournalCopy, db: Db): Home {
  const isUnclean = alone && hasLog(paths);
  if (isUnclean) quickCheck(db);
  const steps = bringUpToDate(db, world.clock());
  const signer = signerFromSeed(readSeed(paths));
  return composeRead({
    world,
    options,
    paths,
    signer,
    db,
    permissions,
    upgrade: { from, state: alone ? 'pending' : 'blocked', ...steps },
    uncleanStop: isUnclean,
    close: () => {
      db.close();
      copy.remove();
      lock.release();
    },
  });
}

/**
 * Opens a home that `openHome` refused because a newer version wrote it. Changes neither its files nor its witness.
 * @param why that refusal, which is returned for every attempt to write
 */
export function openNewerHome(world: World, options: OpenOptions, why: Refusal): Home {
  const { paths, permissions } = checkFiles(world, options);
  const lock = takeReaderLock(paths.lock);
  try {
    const signer = signerFromSeed(readSeed(paths));
    const { db, isConfigKnown } = withCopy(paths.journal, (copy) => readJournal(copy, world, why));
    const close = (): void => {
      db.close();
      lock.release();
    };
    const newer = { version: lock.version === programVersion ? null : lock.version, detail: why.detail };
    try {
      return composeRead({
        world,
        options,
        paths,
        signer,
        db,
        permissions,
        newer,
        close,
        refusal: why,
        checks: 'of another version',
        // An unknown control entry may have brought another configuration into force.
        configFault: () => (isConfigKnown ? configFault(db, paths) : null),
      });
    } catch (error) {
      db.close();
      throw error;
    }
  } catch (error) {
    lock.release();
    throw storageError(error, 'journal.sqlite3');
  }
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
function readJournal(copy: string, { clock }: World, why: Refusal): { readonly db: Db; readonly isConfigKnown: boolean } {
  const db = new Database('');
  try {
    db.pragma('trusted_schema = OFF');
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
    throw readError(error, why);
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
function readError(error: unknown, why: Refusal): unknown {
  const code = errorCode(error);
  if (code.startsWith('SQLITE_CONSTRAINT'))
    return integrityFailure(
      `journal.sqlite3 holds rows that do not belong to a journal: ${error instanceof Error ? error.message : ''}`,
    );
  return code === 'SQLITE_ERROR' ? new RefusalError(why) : error;
}
