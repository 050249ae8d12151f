/**
 * Opens a home for verification: nothing is brought up to date, repaired or written, so that what is verified is what other commands
 * would find.
 */
import { RefusalError } from '../../base/result.js';
import type { Refusal } from '../../base/refusal.js';
import { compareVersions } from '../../base/version.js';
import { ballastSize, returnBallast } from '../../home/ballast.js';
import { homePaths, witnessDirectory, witnessFile, type HomePaths } from '../../home/paths.js';
import { readWitness } from '../../home/witness-file.js';
import { signerFromSeed, type Signer } from '../../journal/keys.js';
import { checkHead, type Loaded } from '../../journal/position.js';
import { projectors } from '../../projection/projections.js';
import { connectionOf } from '../../rows/connection.js';
import { refuseNetworkFileSystem, storageError, type Db } from '../../store/database.js';
import { isAlone, newerProgram } from '../../store/process-lock.js';
import { takeReaderLock } from '../../store/reader-lock.js';
import { refuseUnreleasedFile } from '../../store/unreleased.js';
import { checkConfig, checkCurrent, damageOf, load, throwIf, tolerable } from './checks.js';
import { configFault, readConfig } from './config-file.js';
import { refuseReferenceHome } from './foreign-home.js';
import type { Home } from './home.js';
import type { OpenOptions, World } from './world.js';
import { hasLog, openJournal, readSeed } from './open-journal.js';
import { checkPermissions, checkPresence } from './presence.js';
import { programVersion } from './program.js';
import { ReadOnlyWriter } from './read-only-writer.js';
import { checkTables, refuseUnknownTables } from './upgrade.js';
import { witnessFault } from './witness.js';

const onlyRead: Refusal = { code: 'wrong_state', detail: 'the home was opened for reading only' };

/** @throws RefusalError as `openHome` does, for what `options` do not tolerate */
export function openAsIs(world: World, options: OpenOptions): Home {
  const paths = homePaths(world.directory);
  const tolerated = options.tolerate ?? [];
  refuseReferenceHome(paths);
  checkPresence(paths, tolerated);
  const permissions = tolerable(tolerated.includes('permissions'), () => checkPermissions(paths));
  refuseNetworkFileSystem(paths.directory);
  // The log that a killed process left is not taken into the journal here, so that the next command still checks it.
  const readonly = hasLog(paths) && isAlone(paths.lock);
  const lock = takeReaderLock(paths.lock);
  const ballast = ballastSize(paths.ballast);
  let db: Db | null = null;
  const close = (): void => {
    db?.close();
    if (ballastSize(paths.ballast) !== ballast) returnBallast(paths.ballast);
    lock.release();
  };
  try {
    const order = compareVersions(lock.version ?? programVersion, programVersion);
    if (order !== 0) refuseUnreleasedFile(paths.journal);
    if (lock.version !== null && order > 0) throw newerProgram(lock.version, programVersion);
    const signer = signerFromSeed(readSeed(paths));
    db = openJournal(paths, { readonly, queryOnly: true });
    refuseUnknownTables(db);
    return compose({ world, tolerated, paths, signer, db, permissions, older: order < 0 ? lock.version : null, close });
  } catch (error) {
    close();
    throw storageError(error, 'journal.sqlite3');
  }
}

interface Parts {
  readonly world: World;
  readonly tolerated: NonNullable<OpenOptions['tolerate']>;
  readonly paths: HomePaths;
  readonly signer: Signer;
  readonly db: Db;
  readonly permissions: Refusal | null;
  readonly older: string | null;
  readonly close: () => void;
}

function compose({ world, tolerated, paths, signer, db, permissions, older, close }: Parts): Home {
  const isOlder = older !== null;
  const connection = connectionOf(db);
  connection.publicKey = signer.publicKey;
  const schema = tolerable(tolerated.includes('schema'), () => isOlder || checkTables(db));
  const { origin } = load(db, signer, tolerated).loaded.position;
  const witness = readWitness(witnessFile(witnessDirectory(world.env), origin));
  // One snapshot for all comparisons, taken after the witness was read, so that the journal is never behind an honest witness.
  const { loaded, head, seen, tables } = db.transaction(() => {
    const { loaded, fault } = load(db, signer, tolerated);
    return {
      loaded,
      head: fault ?? tolerable(tolerated.includes('head'), () => checkHead(db, loaded, signer.publicKey)),
      tables: schema ?? tolerable(tolerated.includes('tables'), () => isOlder || checkCurrent(db, loaded)),
      seen: tolerable(tolerated.includes('witness'), () => throwIf(witnessFault(db, loaded.position.head, signer, witness))),
    };
  })();
  const { config, entries } = checkConfig(() => configFault(db, paths), tolerated);
  const damage = damageOf(tolerated, [head, entries, schema, tables]);
  connection.damage = damage;
  const faults = { config, witness: seen, head, permissions, schema, entries, tables };
  const uncleanStop = false;
  return onlyReadHome({ older, upgrade: null, paths, world, signer, db, loaded, faults, damage, witness, uncleanStop, close });
}

type Given =
  | 'older'
  | 'upgrade'
  | 'paths'
  | 'world'
  | 'signer'
  | 'db'
  | 'faults'
  | 'damage'
  | 'witness'
  | 'uncleanStop'
  | 'close';

/** Returns a home to which nothing is written. */
export function onlyReadHome({ loaded, ...given }: Pick<Home, Given> & { readonly loaded: Loaded }): Home {
  const { db, signer, world, paths } = given;
  return {
    ...given,
    isReference: false,
    newer: null,
    writer: new ReadOnlyWriter(db, signer, projectors, world.clock, loaded, onlyRead),
    transact: () => Promise.reject(new RefusalError(onlyRead)),
    config: () => readConfig(db, paths),
    updateWitness: () => null,
  };
}
