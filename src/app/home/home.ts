/**
 * Opens a home. This is the composition root of every command: permissions, process lock, key, database, head, projections,
 * configuration, witness. Any mismatch fails closed and names the command that repairs it.
 */
import * as fs from 'node:fs';
import { RefusalError } from '../../base/result.js';
import type { Clock } from '../../base/time.js';
import type { Config } from '../../codec/config.js';
import { returnBallast } from '../../home/ballast.js';
import { homePaths, witnessDirectory, witnessFile, type HomePaths } from '../../home/paths.js';
import { readWitness, removeWitnessTemporaries, type WitnessRead } from '../../home/witness-file.js';
import { signerFromSeed, type Signer } from '../../journal/keys.js';
import { checkHead, type Loaded } from '../../journal/position.js';
import { latestNote, readHead } from '../../journal/reader.js';
import { AppendQueue } from '../../journal/queue.js';
import { JournalWriter, type Command } from '../../journal/writer.js';
import { areCurrent, projectors } from '../../projection/projections.js';
import { requireAllRows } from '../../rows/all-rows.js';
import { connectionOf } from '../../rows/connection.js';
import { readControl } from '../../rows/control.js';
import type { Damage } from '../../rows/damage.js';
import { tolerantProjector } from '../../rows/projectors.js';
import { refuseNetworkFileSystem, storageError, type Db } from '../../store/database.js';
import { remakeProcessLock, takeProcessLock, type ProcessLock } from '../../store/process-lock.js';
import { appendFault, damageOf, load, throwIf, tolerable } from './checks.js';
import type { Tolerable } from './damage-faults.js';
import { describeDaemon } from './daemon-file.js';
import { readConfig, settledConfigFault } from './config-file.js';
import { programVersion } from './program.js';
import { checkAfterUncleanStop, openJournal, readSeed } from './open-journal.js';
import { checkPermissions, checkPresence } from './presence.js';
import { ReadOnlyWriter } from './read-only-writer.js';
import { refuseReferenceHome } from './foreign-home.js';
import { bringUpToDate } from './upgrade.js';
import { bringWitnessUp, witnessFault } from './witness.js';
import type { Refusal } from '../../base/refusal.js';

export interface World {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly directory: string;
}

export interface OpenOptions {
  readonly lock?: 'command' | 'daemon';
  /** Faults that this command inspects or repairs. */
  readonly tolerate?: readonly Tolerable[];
}

export interface NewerHome {
  /** The version in the process lock; null when it is not newer than this program. */
  readonly version: string | null;
  readonly detail: string;
}

export interface Home {
  /** Whether this is a home of the reference agent, opened for reading: `db` is a copy in memory and has no checkpoint. */
  readonly isReference: boolean;
  /** Data that a newer version of this program wrote, when the home is opened read-only for that reason. */
  readonly newer: NewerHome | null;
  readonly paths: HomePaths;
  readonly world: World;
  readonly signer: Signer;
  readonly db: Db;
  readonly writer: JournalWriter;
  /** Decides and records: immediately in a command, batched with other commands in the daemon. */
  readonly transact: <A>(command: Command<A>) => Promise<A>;
  /** Returns the configuration in force. @throws RefusalError when the file is not the signed one */
  readonly config: () => Config;
  readonly faults: Readonly<Record<Tolerable, Refusal | null>>;
  /** The damage that the command tolerates, found at opening and since. */
  readonly damage: Damage;
  readonly witness: WitnessRead;
  readonly uncleanStop: boolean;
  /** Brings the witness file up to the newest checkpoint; returns why that failed, or null. */
  readonly updateWitness: () => string | null;
  readonly close: () => void;
}

export function openHome(world: World, options: OpenOptions = {}): Home {
  const paths = homePaths(world.directory);
  const tolerated = options.tolerate ?? [];
  refuseReferenceHome(paths);
  checkPresence(paths, tolerated);
  const permissions = tolerable(tolerated.includes('permissions'), () => checkPermissions(paths));
  refuseNetworkFileSystem(paths.directory);
  // The lock file holds only a version, so a lost one is recreated.
  if (!fs.existsSync(paths.lock)) remakeProcessLock(paths.lock, programVersion);
  const lock = takeProcessLock(paths.lock, programVersion, options.lock ?? 'command', () => describeDaemon(paths.daemon));
  const unclean = lock.wasAlone && (fs.statSync(`${paths.journal}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
  let db: Db | null = null;
  try {
    const signer = signerFromSeed(readSeed(paths));
    db = openJournal(paths);
    if (unclean) checkAfterUncleanStop(db, paths);
    return compose({ world, options, paths, lock, signer, db, unclean, permissions });
  } catch (error) {
    db?.close();
    lock.release();
    throw storageError(error, 'journal.sqlite3');
  }
}

interface Parts {
  readonly world: World;
  readonly options: OpenOptions;
  readonly paths: HomePaths;
  readonly lock: ProcessLock;
  readonly signer: Signer;
  readonly db: Db;
  readonly unclean: boolean;
  readonly permissions: Refusal | null;
}

function compose({ world, options, paths, lock, signer, db, unclean, permissions }: Parts): Home {
  const tolerated = options.tolerate ?? [];
  bringUpToDate(db, world.clock());
  const connection = connectionOf(db);
  connection.publicKey = signer.publicKey;
  const first = load(db, signer, tolerated);
  const { origin } = first.loaded.position;
  const witnessPath = witnessFile(witnessDirectory(world.env), origin);
  // No other process has the home open, so any temporary file was left by a killed command, even one that had already closed its
  // log.
  if (lock.wasAlone) removeWitnessTemporaries(witnessPath);
  const witness = readWitness(witnessPath);
  // One snapshot for all comparisons, because another process may commit between two reads. It is taken after the witness was
  // read, so that the journal is never behind an honest witness.
  const { loaded, head, seen, tables } = db.transaction(() => {
    const { loaded, fault } = readHead(db).size === first.loaded.position.head.size ? first : load(db, signer, tolerated);
    return {
      loaded,
      head: fault ?? tolerable(tolerated.includes('head'), () => checkHead(db, loaded, signer.publicKey)),
      tables: tolerable(tolerated.includes('tables'), () => checkTables(db, loaded)),
      seen: tolerable(tolerated.includes('witness'), () => throwIf(witnessFault(db, loaded.position.head, signer, witness))),
    };
  })();
  const { config, entries } = checkConfig(db, paths, lock.wasAlone, tolerated);
  const damage = damageOf(tolerated, [head, entries, tables]);
  connection.damage = damage;
  const writer = writerOf(db, signer, world, loaded, head);
  // A witness file that contradicts this journal is left unchanged. After an accepted rollback a new origin has its own file.
  const updateWitness = (): string | null =>
    head !== null || (seen !== null && writer.origin === origin)
      ? null
      : bringWitnessUp(db, signer, witnessFile(witnessDirectory(world.env), writer.origin));
  const openedWith = witness.status === 'read' ? witness.note : '';
  return {
    isReference: false,
    newer: null,
    paths,
    world,
    signer,
    db,
    writer,
    transact: transactor(writer, options.lock ?? 'command'),
    config: () => readConfig(db, paths),
    faults: { config, witness: seen, head, permissions, entries, tables },
    damage,
    witness,
    uncleanStop: unclean,
    updateWitness,
    close: () => {
      try {
        if (latestNote(db)?.note !== openedWith) updateWitness();
      } catch {
        // The journal can no longer be read, which the command has reported. The next close updates the witness.
      } finally {
        db.close();
        returnBallast(paths.ballast);
        lock.release();
      }
    },
  };
}

/**
 * Returns the transact function. It is asynchronous in the daemon, where callers share commits and wait for a lock without
 * blocking the loop.
 */
function transactor(writer: JournalWriter, lock: 'command' | 'daemon'): Home['transact'] {
  if (lock === 'command') return async (command) => writer.transact(command);
  const queue = new AppendQueue(writer);
  return (command) => queue.submit(command);
}

/** Returns the writer. With damage at the head that a new checkpoint would sign, it refuses to append. */
function writerOf(db: Db, signer: Signer, { clock }: World, loaded: Loaded, head: Refusal | null): JournalWriter {
  const own = projectors.map(tolerantProjector);
  const fault = appendFault(db, loaded, signer, head);
  return fault === null
    ? new JournalWriter(db, signer, own, clock, loaded)
    : new ReadOnlyWriter(db, signer, own, clock, loaded, fault);
}

/** Compares config.json with the signed configuration. An entry that sets one and is damaged is a fault of the entries. */
function checkConfig(
  db: Db,
  paths: HomePaths,
  alone: boolean,
  tolerated: readonly Tolerable[],
): Readonly<Record<'config' | 'entries', Refusal | null>> {
  let fault: Refusal | null = null;
  const entries = tolerable(tolerated.includes('entries'), () => void (fault = settledConfigFault(db, paths, alone)));
  return { config: tolerable(tolerated.includes('config'), () => throwIf(fault)), entries };
}

function checkTables(db: Db, { position: { head } }: Loaded): void {
  if (!areCurrent(db, head)) {
    const detail = 'the projections are not at the newest entry';
    throw new RefusalError({ code: 'integrity', detail, hint: 'agent-cli rebuild' });
  }
  readControl(db);
  requireAllRows(db);
}
