/**
 * Opens a home that an older version wrote last, for `doctor`: the upgrade is tried on a copy of the journal, which is then inspected in place
 * of the home. The home stays as it is, so that the older version still works on it.
 */
import type { Refusal } from '../../base/refusal.js';
import { compareVersions } from '../../base/version.js';
import { homePaths, type HomePaths } from '../../home/paths.js';
import { signerFromSeed } from '../../journal/keys.js';
import { connectionOf } from '../../rows/connection.js';
import { openDatabase, refuseNetworkFileSystem, storageError, type Db } from '../../store/database.js';
import { isAlone, unknown_version } from '../../store/process-lock.js';
import { takeReaderLock, type ReaderLock } from '../../store/reader-lock.js';
import { refuseUnreleasedFile } from '../../store/unreleased.js';
import { onlyReadHome } from './as-is.js';
import { damageOf, tolerable } from './checks.js';
import { copyJournal, type JournalCopy } from './copy.js';
import { refuseReferenceHome } from './foreign-home.js';
import { inspect, openHome, type Home } from './home.js';
import type { OpenOptions, World } from './world.js';
import { hasLog, quickCheck, readSeed } from './open-journal.js';
import { checkPermissions, checkPresence } from './presence.js';
import { programVersion } from './program.js';
import { bringUpToDate } from './upgrade.js';

/** Opens a home of this version as `openHome` does, and inspects the upgrade of one of an older version. */
export const openForDoctor = (world: World, options: OpenOptions = {}): Home =>
  openBeforeUpgrade(world, options) ?? openHome(world, options);

/** Returns null unless an older version wrote the home last. @throws RefusalError as the upgrade would */
function openBeforeUpgrade(world: World, options: OpenOptions): Home | null {
  const paths = homePaths(world.directory);
  if (!isOlder(recordedVersion(paths.lock))) return null;
  refuseUnreleasedFile(paths.journal);
  const tolerated = options.tolerate ?? [];
  refuseReferenceHome(paths);
  checkPresence(paths, tolerated);
  const permissions = tolerable(tolerated.includes('permissions'), () => checkPermissions(paths));
  refuseNetworkFileSystem(paths.directory);
  const alone = isAlone(paths.lock);
  const lock = takeReaderLock(paths.lock);
  try {
    // Another process may have upgraded the home meanwhile.
    const home = isOlder(lock.version) ? tried({ world, options, paths, permissions, lock, alone, from: lock.version }) : null;
    if (home === null) lock.release();
    return home;
  } catch (error) {
    lock.release();
    throw storageError(error, 'journal.sqlite3');
  }
}

function recordedVersion(file: string): string | null {
  const { version, release } = takeReaderLock(file);
  release();
  return version;
}

/** A version that is not known says nothing about the tables: the next command brings them up to date. */
const isOlder = (version: string | null): version is string =>
  version !== null && version !== unknown_version && compareVersions(version, programVersion) < 0;

interface Parts {
  readonly world: World;
  readonly options: OpenOptions;
  readonly paths: HomePaths;
  readonly permissions: Refusal | null;
  readonly lock: ReaderLock;
  /** Whether no other process has the home open. */
  readonly alone: boolean;
  readonly from: string;
}

function tried(parts: Parts): Home {
  const copy = copyJournal(parts.paths.journal);
  let db: Db | null = null;
  try {
    db = openDatabase(copy.file);
    return compose(parts, copy, db);
  } catch (error) {
    db?.close();
    copy.remove();
    throw error;
  }
}

function compose({ world, options, paths, permissions, lock, alone, from }: Parts, copy: JournalCopy, db: Db): Home {
  const isUnclean = alone && hasLog(paths);
  if (isUnclean) quickCheck(db);
  const steps = bringUpToDate(db, world.clock());
  const signer = signerFromSeed(readSeed(paths));
  const connection = connectionOf(db);
  connection.publicKey = signer.publicKey;
  // The files beside the journal belong to processes of the older version.
  const { loaded, witness, faults } = inspect({ world, options, paths, signer, db, permissions, witnessLeft: [] });
  const damage = damageOf(options.tolerate ?? [], [faults.head, faults.entries, faults.schema, faults.tables]);
  connection.damage = damage;
  return onlyReadHome({
    older: null,
    upgrade: { from, state: alone ? 'pending' : 'blocked', ...steps },
    paths,
    world,
    signer,
    db,
    loaded,
    faults,
    damage,
    witness,
    uncleanStop: isUnclean,
    close: () => {
      db.close();
      copy.remove();
      lock.release();
    },
  });
}
