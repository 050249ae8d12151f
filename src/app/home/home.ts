/**
 * Opens a home. This is the composition root of every command: permissions, process lock, key, database, head, projections,
 * configuration, witness. Any mismatch fails closed and names the command that repairs it.
 */
import type { Config } from '../../codec/config.js';
import { returnBallast } from '../../home/ballast.js';
import { homePaths, witnessDirectory, witnessFile, type HomePaths } from '../../home/paths.js';
import { readWitness, removeWitnessTemporaries, type WitnessRead } from '../../home/witness-file.js';
import { signerFromSeed, type Signer } from '../../journal/keys.js';
import { checkHead, type Loaded } from '../../journal/position.js';
import { latestNote, readHead } from '../../journal/reader.js';
import { AppendQueue } from '../../journal/queue.js';
import { JournalWriter, type Command } from '../../journal/writer.js';
import { projectors } from '../../projection/projections.js';
import { connectionOf } from '../../rows/connection.js';
import type { Damage } from '../../rows/damage.js';
import { tolerantProjector } from '../../rows/projectors.js';
import { refuseNetworkFileSystem, storageError, type Db } from '../../store/database.js';
import { hasForeignTrigger } from '../../store/migrations.js';
import { appendFault, checkConfig, checkCurrent, damageOf, load, throwIf, tolerable } from './checks.js';
import type { Tolerable } from './damage-faults.js';
import { readConfig, settledConfigFault } from './config-file.js';
import { openJournal, quickCheck, readSeed } from './open-journal.js';
import { checkPermissions, checkPresence } from './presence.js';
import { ReadOnlyWriter } from './read-only-writer.js';
import { refuseReferenceHome } from './foreign-home.js';
import { checkEntries, unchecked } from './entries.js';
import { takeHome, type TakenHome } from './take-home.js';
import { checkTables, refuseUnknownTables, type Upgrade } from './upgrade.js';
import type { OpenOptions, World } from './world.js';
import { bringWitnessUp, isBehind, witnessFault, witnessFilesOf } from './witness.js';
import type { Refusal } from '../../base/refusal.js';

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
  /** The older version that wrote the tables, when the home is opened as it is. */
  readonly older: string | null;
  /** What was done to the home of an older version when it was opened, or to its copy that is inspected in its place. */
  readonly upgrade: Upgrade | null;
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
  const taken = takeHome(world, paths, options.lock);
  let db: Db | null = null;
  try {
    const signer = signerFromSeed(readSeed(paths));
    db = openJournal(paths);
    if (taken.isUnclean && !taken.isChecked) quickCheck(db);
    return compose({ world, options, paths, signer, db, permissions, witnessLeft: taken.witnessLeft, taken });
  } catch (error) {
    db?.close();
    taken.lock.release();
    throw storageError(error, 'journal.sqlite3');
  }
}

interface InspectParts {
  readonly world: World;
  readonly options: OpenOptions;
  readonly paths: HomePaths;
  readonly signer: Signer;
  readonly db: Db;
  readonly permissions: Refusal | null;
  /** Temporary files beside the witness file that no process writes. */
  readonly witnessLeft: readonly string[];
}

interface Parts extends InspectParts {
  readonly taken: TakenHome;
}

export interface Inspected {
  readonly loaded: Loaded;
  readonly witness: WitnessRead;
  readonly faults: Home['faults'];
}

/** Checks the home. @throws RefusalError for a fault that the command does not tolerate */
export function inspect({ world, options, paths, signer, db, permissions, witnessLeft }: InspectParts): Inspected {
  const tolerated = options.tolerate ?? [];
  refuseUnknownTables(db);
  const schema = tolerable(tolerated.includes('schema'), () => checkTables(db));
  const first = load(db, signer, tolerated);
  const witnessPath = witnessFile(witnessDirectory(world.env), first.loaded.position.origin);
  removeWitnessTemporaries(witnessPath, witnessLeft);
  const witness = readWitness(witnessPath);
  // One snapshot for all comparisons, because another process may commit between two reads. It is taken after the witness was
  // read, so that the journal is never behind an honest witness.
  const { loaded, ...compared } = db.transaction(() => {
    const { loaded, fault } = readHead(db).size === first.loaded.position.head.size ? first : load(db, signer, tolerated);
    const head = fault ?? tolerable(tolerated.includes('head'), () => checkHead(db, loaded, signer.publicKey));
    const current = schema ?? tolerable(tolerated.includes('tables'), () => checkCurrent(db, loaded));
    const { entries, tables } =
      head === null ? checkEntries(db, { world, options, signer, loaded, tables: current === null }) : unchecked;
    return {
      loaded,
      head,
      entries: tolerable(tolerated.includes('entries'), () => throwIf(entries)),
      tables: current ?? tolerable(tolerated.includes('tables'), () => throwIf(tables)),
      witness: tolerable(tolerated.includes('witness'), () => throwIf(witnessFault(db, loaded.position.head, signer, witness))),
    };
  })();
  const { config, entries } = checkConfig(() => settledConfigFault(db, paths), tolerated);
  return { loaded, witness, faults: { ...compared, permissions, schema, config, entries: compared.entries ?? entries } };
}

function compose(parts: Parts): Home {
  const { world, options, paths, signer, db, taken } = parts;
  const connection = connectionOf(db);
  connection.publicKey = signer.publicKey;
  const { loaded, witness, faults } = inspect(parts);
  const { head, entries, schema, tables } = faults;
  const damage = damageOf(options.tolerate ?? [], [head, entries, schema, tables]);
  connection.damage = damage;
  const { origin } = loaded.position;
  const writer = writerOf(db, signer, world, loaded, faults);
  const files = witnessFilesOf(db, signer, world, writer);
  // A witness file that contradicts this journal is left unchanged. After an accepted rollback it follows the new origin.
  const isContradicted = (): boolean => head !== null || (faults.witness !== null && writer.origin === origin);
  const updateWitness = (): string | null => {
    const faults = isContradicted() ? [] : files().map((file) => bringWitnessUp(db, signer, file));
    return faults.find((fault) => fault !== null) ?? null;
  };
  return {
    isReference: false,
    newer: null,
    older: null,
    upgrade: taken.upgrade,
    paths,
    world,
    signer,
    db,
    writer,
    transact: transactor(writer, options.lock ?? 'command'),
    config: () => readConfig(db, paths),
    faults,
    damage,
    witness,
    uncleanStop: taken.isUnclean,
    updateWitness,
    close: () => {
      try {
        const note = latestNote(db)?.note;
        if (files().some((file) => isBehind(file, note))) updateWitness();
      } catch {
        // The journal can no longer be read, which the command has reported. The next close updates the witness.
      } finally {
        db.close();
        returnBallast(paths.ballast);
        taken.lock.release();
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

/** Returns the writer. It refuses to append with damage at the head that a new checkpoint would sign, and with a foreign trigger. */
function writerOf(db: Db, signer: Signer, { clock }: World, loaded: Loaded, { head, schema }: Home['faults']): JournalWriter {
  const own = projectors.map(tolerantProjector);
  const fault = appendFault(db, loaded, signer, head) ?? (schema !== null && hasForeignTrigger(db) ? schema : null);
  return fault === null
    ? new JournalWriter(db, signer, own, clock, loaded)
    : new ReadOnlyWriter(db, signer, own, clock, loaded, fault);
}
