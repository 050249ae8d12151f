/**
 * Opening a home, the composition root of every command: permissions, process lock, key, database, head, projections,
 * configuration, witness. Whatever does not fit fails closed, with the command that mends it.
 */
import * as fs from 'node:fs';
import { RefusalError } from '../base/result.js';
import type { Clock } from '../base/time.js';
import type { Config } from '../codec/config.js';
import { permissionFault, removeTemporaries } from '../home/files.js';
import { homePaths, witnessDirectory, witnessFile, type HomePaths } from '../home/paths.js';
import { readWitness, writeWitness, type WitnessRead } from '../home/witness-file.js';
import { contradiction } from '../journal/against.js';
import { seed_bytes, signerFromSeed, type Signer } from '../journal/keys.js';
import { openCheckpoint } from '../journal/note.js';
import { checkHead, integrityFailure, loadPosition, type Loaded } from '../journal/position.js';
import { latestNote, readHead } from '../journal/reader.js';
import { JournalWriter } from '../journal/writer.js';
import { areCurrent, projectors } from '../projection/projections.js';
import { openDatabase, refuseNetworkFileSystem, type Db } from '../store/database.js';
import { takeProcessLock, type ProcessLock } from '../store/process-lock.js';
import { describeDaemon } from './daemon-file.js';
import { configFault, readConfig } from './config-file.js';
import { programVersion } from './program.js';
import { bringUpToDate } from './upgrade.js';
import type { Refusal } from '../base/refusal.js';

export interface World {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly directory: string;
}

export interface OpenOptions {
  readonly lock?: 'command' | 'daemon';
  /** Faults that this command is there to look at or to mend. */
  readonly tolerate?: readonly ('config' | 'witness' | 'head')[];
}

export interface Home {
  readonly paths: HomePaths;
  readonly world: World;
  readonly signer: Signer;
  readonly db: Db;
  readonly writer: JournalWriter;
  /** The configuration in force; @throws RefusalError when the file is not the signed one. */
  readonly config: () => Config;
  readonly faults: { readonly config: Refusal | null; readonly witness: Refusal | null; readonly head: Refusal | null };
  readonly witness: WitnessRead;
  readonly uncleanStop: boolean;
  /** Brings the witness file up to the newest checkpoint; answers why not. */
  readonly updateWitness: () => string | null;
  readonly close: () => void;
}

export function openHome(world: World, options: OpenOptions = {}): Home {
  const paths = homePaths(world.directory);
  checkPresence(paths);
  checkPermissions(paths);
  refuseNetworkFileSystem(paths.directory);
  const lock = takeProcessLock(paths.lock, programVersion, options.lock ?? 'command', () => describeDaemon(paths.daemon));
  const unclean = lock.wasAlone && (fs.statSync(`${paths.journal}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
  let db: Db | null = null;
  try {
    const signer = signerFromSeed(readSeed(paths));
    db = openDatabase(paths.journal);
    if (unclean) checkAfterUncleanStop(db, paths);
    return compose({ world, options, paths, lock, signer, db, unclean });
  } catch (error) {
    db?.close();
    lock.release();
    throw error;
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
}

function compose({ world, options, paths, lock, signer, db, unclean }: Parts): Home {
  const tolerated = options.tolerate ?? [];
  bringUpToDate(db, world.clock());
  let loaded = loadPosition(db, signer.publicKey);
  const file = (): string => witnessFile(witnessDirectory(world.env), loaded.position.origin);
  const witness = readWitness(file());
  // Another process may have appended between the two reads; the journal read last is never behind an honest witness.
  if (readHead(db).size !== loaded.position.head.size) loaded = loadPosition(db, signer.publicKey);
  const head = tolerable(tolerated.includes('head'), () => checkConsistency(db, loaded, signer));
  const seen = tolerable(tolerated.includes('witness'), () => checkWitness(db, loaded, signer, witness));
  const config = tolerable(tolerated.includes('config'), () => throwIf(configFault(db, paths)));
  const writer = new JournalWriter(db, signer, projectors, world.clock, loaded);
  const updateWitness = (): string | null => {
    const latest = latestNote(db);
    return latest === undefined || seen !== null
      ? null
      : writeWitness(witnessFile(witnessDirectory(world.env), writer.origin), latest.note);
  };
  const openedWith = witness.status === 'read' ? witness.note : '';
  return {
    paths,
    world,
    signer,
    db,
    writer,
    config: () => readConfig(db, paths),
    faults: { config, witness: seen, head },
    witness,
    uncleanStop: unclean,
    updateWitness,
    close: () => {
      if (seen === null && head === null && latestNote(db)?.note !== openedWith) updateWitness();
      db.close();
      lock.release();
    },
  };
}

/** Runs a check; a refusal is kept when this command is there to look at it, and ends the command otherwise. */
function tolerable(tolerated: boolean, check: () => void): Refusal | null {
  try {
    check();
    return null;
  } catch (error) {
    if (tolerated && error instanceof RefusalError) return error.refusal;
    throw error;
  }
}

const throwIf = (refusal: Refusal | null): void => {
  if (refusal !== null) throw new RefusalError(refusal);
};

function checkConsistency(db: Db, loaded: Loaded, signer: Signer): void {
  checkHead(db, loaded, signer.publicKey);
  if (areCurrent(db, loaded.position.head)) return;
  throw new RefusalError({ code: 'integrity', detail: 'the projections are not at the newest entry', hint: 'agent-cli rebuild' });
}

function checkWitness(db: Db, { position }: Loaded, signer: Signer, witness: WitnessRead): void {
  if (witness.status !== 'read') return;
  const checkpoint = openCheckpoint(witness.note, signer.publicKey);
  // An unreadable witness proves nothing; doctor warns about it.
  if (checkpoint === null) return;
  throwIf(contradiction(db, position.head, signer.publicKey, checkpoint));
}

function checkPresence(paths: HomePaths): void {
  const { directory } = paths;
  if (
    fs.existsSync(paths.config) &&
    fs.existsSync(paths.journal) &&
    fs.existsSync(paths.identityKey) &&
    fs.existsSync(paths.lock)
  )
    return;
  const missing = [paths.identityKey, paths.apiToken, paths.config, paths.journal, paths.lock].filter(
    (file) => !fs.existsSync(file),
  );
  if (missing.length === 5) {
    const exists = fs.existsSync(directory);
    const detail = exists ? `${directory} is not a home` : `there is no home at ${directory}`;
    throw new RefusalError({ code: 'not_found', detail, hint: exists ? 'agent-cli init --help' : 'agent-cli init' });
  }
  if (missing.includes(paths.config) && isInterruptedInit(paths)) {
    throw new RefusalError({
      code: 'not_found',
      detail: `the making of ${directory} was interrupted`,
      hint: 'agent-cli init',
    });
  }
  throw integrityFailure(`${missing.map((file) => file.slice(directory.length + 1)).join(', ')} missing in ${directory}`);
}

/** Without a configuration and at most the first entry: init was killed and can go on. */
const isInterruptedInit = (paths: HomePaths): boolean => !fs.existsSync(paths.daemon) && !fs.existsSync(paths.ballast);

function checkPermissions(paths: HomePaths): void {
  for (const file of [paths.directory, paths.identityKey, paths.apiToken, paths.config, paths.journal, paths.lock]) {
    if (!fs.existsSync(file)) throw integrityFailure(`${file} is missing`);
    const fault = permissionFault(file);
    if (fault !== null) {
      const mode = file === paths.directory ? '700' : '600';
      throw new RefusalError({ code: 'integrity', detail: `${file} ${fault}`, hint: `chmod ${mode} ${file}` });
    }
  }
}

function readSeed(paths: HomePaths): Buffer {
  const seed = fs.readFileSync(paths.identityKey);
  if (seed.length !== seed_bytes) throw integrityFailure(`identity.key has ${seed.length} bytes instead of ${seed_bytes}`);
  return seed;
}

function checkAfterUncleanStop(db: Db, paths: HomePaths): void {
  removeTemporaries(paths.directory, ['config.json', 'api.token', 'daemon.json', 'identity.key']);
  const result = db.pragma('quick_check', { simple: true });
  if (result !== 'ok') throw integrityFailure(`the journal is damaged after an unclean stop: ${String(result)}`);
}
