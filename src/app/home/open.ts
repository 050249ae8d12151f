/**
 * Opens a home. This is the composition root of every command: permissions, process lock, key, database, head, projections,
 * configuration, witness. Any mismatch fails closed and names the command that repairs it.
 */
import { errorCode, type Refusal, RefusalError } from '../../base/refusal.js';
import { compareVersions } from '../../base/version.js';
import { returnBallast } from '../../home/ballast.js';
import { witnessDirectory, witnessFile } from '../../home/paths.js';
import { readWitness, removeWitnessTemporaries } from '../../home/witness-file.js';
import { type Signer, signerFromSeed } from '../../journal/keys.js';
import { checkHead, latestNote, type LoadedTree, readHead } from '../../journal/reader.js';
import { JournalWriter, ReadOnlyWriter } from '../../journal/writer.js';
import { readControl } from '../../tables/control.js';
import { connectionOf } from '../../tables/connection.js';
import { homeProjectors } from '../../tables/projectors.js';
import { type Db, openDatabase, storageError } from '../../store/database.js';
import { hasForeignTrigger } from '../../store/migrations.js';
import { newerProgram, unknown_version } from '../../store/process-lock.js';
import { takeReaderLock } from '../../store/reader-lock.js';
import { appendFault, checkConfig, checkCurrent, damageOf, load, proofFault, throwIf, tolerable } from './checks.js';
import { configFault, readConfig } from './config.js';
import { type CheckedFiles, checkFiles, hasLog, openJournal, quickCheck, readSeed } from './files.js';
import {
  type Home,
  type OpenOptions,
  programVersion,
  type Tolerable,
  toleratedRollback,
  type Upgrade,
  type WitnessFault,
  type World,
} from './home.js';
import { bringUpToDate, checkTables, namingTables, refuseUnknownTables, takeHome, type TakenHome } from './upgrade.js';
import { bringWitnessUp, isBehind, rememberDamage, remembered, witnessFault, witnessFilesOf } from './witness.js';
import { existsSync, statSync } from 'node:fs';
import { projectors } from '../../tables/projections.js';
import { copyJournal } from './staging.js';

/** Opens a home; one that cannot be written is opened for reading. */
export function openHome(world: World, options: OpenOptions = {}): Home {
  const files = checkFiles(world, options);
  const { unwritable } = files;
  if (unwritable !== null) return openUnwritable(world, options, files, unwritable);
  try {
    return openWritable(world, options, files);
  } catch (error) {
    // The disk failed, or has become read-only, since the files were checked.
    if (!(error instanceof RefusalError) || error.refusal.code !== 'not_writable') throw error;
    return openUnwritable(world, options, files, error.refusal);
  }
}

function openWritable(world: World, options: OpenOptions, { paths, permissions }: CheckedFiles): Home {
  const taken = takeHome(world, paths, options.lock);
  let db: Db | null = null;
  try {
    const signer = signerFromSeed(readSeed(paths));
    db = openJournal(paths);
    if (taken.isUnclean && !taken.isChecked) quickCheck(db);
    return compose({ world, options, paths, signer, db, permissions, witnessLeft: taken.witnessLeft, taken });
  } catch (error) {
    const named = namingTables(error, db, 'journal.sqlite3');
    db?.close();
    taken.lock.release();
    throw named;
  }
}

interface Reading {
  /** Opens the journal of a home that a version of this program has written last; null where the lock names none. */
  readonly open: (version: string | null) => ReadableJournal;
  /** Returns what else is known of the home. */
  readonly more?: (journal: ReadableJournal, version: string | null) => Partial<ReadParts>;
}

/** Opens a home to which nothing is written, under a lock that keeps other processes from upgrading it. */
export function openForReading(
  world: World,
  options: OpenOptions,
  { paths, permissions }: Omit<CheckedFiles, 'unwritable'>,
  { open, more = () => ({}) }: Reading,
): Home {
  const lock = takeReaderLock(paths.lock);
  let journal: ReadableJournal | null = null;
  const close = (): void => {
    journal?.close();
    lock.release();
  };
  try {
    journal = open(lock.version);
    const { db, isOutdated } = journal;
    const signer = signerFromSeed(readSeed(paths));
    const known = { world, options, paths, permissions, signer, db, isOutdated, close };
    return composeRead({ ...known, ...more(journal, lock.version) });
  } catch (error) {
    close();
    throw storageError(error, 'journal.sqlite3');
  }
}

/**
 * Opens a home that cannot be written. Nothing is written to its witness file either: whoever writes to it keeps that.
 * @param unwritable the refusal of every attempt to write
 */
const openUnwritable = (world: World, options: OpenOptions, files: Omit<CheckedFiles, 'unwritable'>, unwritable: Refusal): Home =>
  openForReading(world, options, files, {
    open: (version) => openReadable(files.paths, olderVersion(version) !== null),
    more: ({ db }, version) => {
      const from = olderVersion(version);
      const upgrade: Upgrade | null = from === null ? null : { from, state: 'pending', ...bringUpToDate(db, world.clock()) };
      db.pragma('query_only = ON');
      return { upgrade, unwritable };
    },
  });

/** Returns the version that wrote the home, if it is an older one. @throws RefusalError `newer_version` */
function olderVersion(version: string | null): string | null {
  const order = compareVersions(version ?? programVersion, programVersion);
  if (version !== null && order > 0) throw newerProgram(version, programVersion);
  return order < 0 && version !== unknown_version ? version : null;
}

interface ReadParts
  extends Omit<InspectParts, 'witnessLeft'>,
    Pick<Home, 'close'>,
    Partial<Pick<Home, 'isOutdated' | 'newer' | 'older' | 'unwritable' | 'uncleanStop' | 'upgrade'>> {
  /** The refusal of every attempt to write. */
  readonly refusal?: Refusal;
}

/** Returns a home that was checked, and to which nothing is written. The files beside the journal are left to others. */
function composeRead({ options, unwritable = null, ...parts }: ReadParts): Home {
  const { db, signer } = parts;
  const tolerated = options.tolerate ?? [];
  const tolerate: readonly Tolerable[] = unwritable === null ? tolerated : [...tolerated, 'witness'];
  const connection = connectionOf(db);
  connection.publicKey = signer.publicKey;
  const { loaded, witness, faults } = inspect({ ...parts, options: { ...options, tolerate }, witnessLeft: [] });
  const { head, entries, schema, tables } = faults;
  const damage = damageOf(tolerated, [head, entries, schema, tables]);
  connection.damage = damage;
  const home = onlyReadHome({ ...parts, unwritable, loaded, faults, damage, witness });
  if (!tolerated.includes('witness') && toleratedRollback(home) === null) throwIf(faults.witness);
  return home;
}

interface InspectParts extends Pick<Home, 'world' | 'signer' | 'db'>, Pick<CheckedFiles, 'paths' | 'permissions'> {
  readonly options: OpenOptions;
  /** Temporary files beside the witness file that no process writes. */
  readonly witnessLeft: readonly string[];
  /** What is checked: what commands rely on, the home as it is, or one of another version, whose tables differ. */
  readonly checks?: 'relied on' | 'as it is' | 'of another version';
  /** Returns why config.json is not the configuration in force, or null. */
  readonly configFault?: () => Refusal | null;
}

interface Parts extends InspectParts {
  readonly taken: TakenHome;
}

/** Checks the home. @throws RefusalError for a fault that the command does not tolerate */
function inspect(parts: InspectParts) {
  const { world, options, paths, signer, db, permissions, witnessLeft, checks = 'relied on' } = parts;
  const tolerated = options.tolerate ?? [];
  const isOther = checks === 'of another version';
  refuseUnknownTables(db);
  const schema = tolerable(tolerated.includes('schema'), () => isOther || checkTables(db));
  const first = load(db, signer, tolerated);
  const witnessPath = witnessFile(witnessDirectory(world.env), first.loaded.position.origin);
  removeWitnessTemporaries(witnessPath, witnessLeft);
  const witness = readWitness(witnessPath);
  // One snapshot for all comparisons, because another process may commit between two reads. It is taken after the witness was
  // read, so that the journal is never behind an honest witness.
  const { loaded, ...compared } = db.transaction(() => {
    const { loaded, fault } = readHead(db).size === first.loaded.position.head.size ? first : load(db, signer, tolerated);
    const head = fault ?? tolerable(tolerated.includes('head'), () => checkHead(db, loaded, signer.publicKey));
    const current = schema ?? tolerable(tolerated.includes('tables'), () => isOther || checkCurrent(db));
    const damage = checks === 'relied on' ? damageIn(parts, loaded, head === null && current === null) : null;
    const isOfTables = damage?.facts?.['table'] !== undefined;
    const known = current ?? tolerable(tolerated.includes('tables'), () => throwIf(isOfTables ? damage : null));
    const entries = tolerable(tolerated.includes('entries'), () => throwIf(isOfTables ? null : damage));
    // Every command relies on the control row.
    const control = (): void => void (known === null && entries === null && !isOther && readControl(db));
    return {
      loaded,
      head,
      entries,
      tables: known ?? tolerable(tolerated.includes('tables'), control),
      witness: tolerable(tolerated.includes('witness'), () => throwIf(witnessFault(db, loaded.position.head, signer, witness))),
    };
  })();
  const { config, entries } = checkConfig(parts.configFault ?? (() => configFault(db, paths)), tolerated);
  return { loaded, witness, faults: { ...compared, permissions, schema, config, entries: compared.entries ?? entries } };
}

/** Returns the damage of the journal that is remembered, or that is found where what is relied on can be proven; null for none. */
function damageIn(
  { world, db, options, signer }: InspectParts,
  { position: { origin } }: LoadedTree,
  isProvable: boolean,
): Refusal | null {
  const before = remembered({ world, origin }).damage;
  const damage = before ?? (isProvable ? proofFault(db, { options, signer }) : null);
  if (damage !== null) rememberDamage({ world, origin }, damage);
  return damage;
}

/** What holds of a home unless more is known of it. */
const usual = { isReference: false, newer: null, older: null, upgrade: null, uncleanStop: false, isOutdated: () => false };

/** Returns the inode of a file; null where it is gone or cannot be looked at, which is no sign of another file. */
function inodeOf(file: string): number | null {
  try {
    return statSync(file).ino;
  } catch {
    return null;
  }
}

function compose(parts: Parts): Home {
  const { world, options, paths, signer, db, taken } = parts;
  const connection = connectionOf(db);
  connection.publicKey = signer.publicKey;
  const { loaded, witness, faults } = inspect(parts);
  const { head, entries, schema, tables } = faults;
  const damage = damageOf(options.tolerate ?? [], [head, entries, schema, tables]);
  const { origin } = loaded.position;
  connection.damage = {
    ...damage,
    report: (refusal) => {
      rememberDamage({ world, origin }, refusal);
      damage.report(refusal);
    },
  };
  const inode = inodeOf(paths.journal);
  const writer = writerOf(db, signer, world, loaded, faults);
  const files = witnessFilesOf(db, signer, world, writer);
  // A home that is known to be damaged may be a copy of a good one, whose witness file it would contradict; a witness file that contradicts
  // this journal is left unchanged too. After an accepted rollback the files follow the new origin.
  const isUnsound = (): boolean =>
    [faults.witness, entries, schema, tables].some((fault) => fault !== null) || connection.damage.found().length > 0;
  const updateWitness = (): WitnessFault | null => {
    if (head !== null || (writer.origin === origin && isUnsound())) return null;
    const faults = files().map((file, i) => bringWitnessUp(db, signer, file, i === 0));
    return faults.find((fault) => fault !== null) ?? null;
  };
  return {
    ...usual,
    upgrade: taken.upgrade,
    unwritable: null,
    paths,
    world,
    signer,
    db,
    writer,
    transact: async (command) => writer.transact(command),
    config: () => readConfig(db, paths),
    faults,
    damage,
    witness,
    uncleanStop: taken.isUnclean,
    isOutdated: () => (inodeOf(paths.journal) ?? inode) !== inode,
    updateWitness,
    moveSnapshot: () => moveSnapshot(db),
    close: () => {
      while (moveSnapshot(db));
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
 * Moves the snapshot of the state; returns whether many entries follow it still. When it cannot be stored now, a later call or the next command
 * does it.
 */
function moveSnapshot(db: Db): boolean {
  if (!db.open) return false;
  try {
    return connectionOf(db).flush();
  } catch (error) {
    // What is damaged was reported to whoever read it.
    if (errorCode(error) === '' && !(error instanceof RefusalError)) throw error;
    return false;
  }
}

/** Returns the writer. It refuses to append with damage at the head that a new checkpoint would sign, and with a foreign trigger. */
function writerOf(db: Db, signer: Signer, { clock }: World, loaded: LoadedTree, { head, schema }: Home['faults']): JournalWriter {
  const fault = appendFault(db, loaded, signer, head) ?? (schema !== null && hasForeignTrigger(db) ? schema : null);
  return fault === null
    ? new JournalWriter(db, signer, homeProjectors, clock, loaded)
    : new ReadOnlyWriter(db, signer, homeProjectors, clock, loaded, fault);
}

// What a home to which nothing is written has in common, whyever it is so, and how the journal of one that cannot be written is opened.

const onlyRead: Refusal = { code: 'wrong_state', detail: 'the home was opened for reading only' };

type HomePart = 'paths' | 'world' | 'signer' | 'db' | 'faults' | 'damage' | 'witness' | 'close';
type HomeFacts = Partial<Pick<Home, 'isReference' | 'newer' | 'older' | 'upgrade' | 'unwritable' | 'isOutdated' | 'uncleanStop'>>;

/** Returns a home to which nothing is written. @param refusal of every attempt to write */
export function onlyReadHome({
  loaded,
  refusal,
  ...given
}: Pick<Home, HomePart> & HomeFacts & { readonly loaded: LoadedTree; readonly refusal?: Refusal }): Home {
  const { db, signer, world, paths, unwritable = null } = given;
  const reason = refusal ?? unwritable ?? onlyRead;
  return {
    ...usual,
    ...given,
    unwritable,
    writer: new ReadOnlyWriter(db, signer, projectors, world.clock, loaded, reason),
    transact: () => Promise.reject(new RefusalError(reason)),
    config: () => readConfig(db, paths),
    updateWitness: () => null,
    moveSnapshot: () => false,
  };
}

/** `close` closes the database, and deletes it if it is a copy. */
export type ReadableJournal = Pick<Home, 'db' | 'close' | 'isOutdated'>;

/**
 * Opens a journal that cannot be written. SQLite reads the file where it finds the shared memory and the log, which are there while another
 * process has the journal open; otherwise it would have to create them, so that a private copy is read. The binding of SQLite knows no
 * `immutable`, which would ignore what the log holds.
 */
export function openReadable({ journal }: Home['paths'], isCopied = false): ReadableJournal {
  const isInUse = ['-wal', '-shm'].every((suffix) => existsSync(`${journal}${suffix}`));
  const direct = isInUse && !isCopied ? openDirectly(journal) : null;
  return direct ?? openCopy(journal);
}

/** Returns null where SQLite cannot read the file as it is, for example because the last process that had it open has just ended. */
function openDirectly(journal: string): ReadableJournal | null {
  try {
    const db = openDatabase(journal, { readonly: true });
    return { db, close: () => void db.close(), isOutdated: () => false };
  } catch (error) {
    if (error instanceof RefusalError) return null;
    throw error;
  }
}

function openCopy(journal: string): ReadableJournal {
  const copy = copyJournal(journal);
  let db: Db | null = null;
  const close = (): void => {
    db?.close();
    copy.remove();
  };
  try {
    const isUnclean = hasLog({ journal: copy.file });
    db = openDatabase(copy.file);
    if (isUnclean) quickCheck(db);
    return { db, close, isOutdated: () => !copy.isCurrent() };
  } catch (error) {
    close();
    throw error;
  }
}
