/**
 * Creates a home. The files appear one by one, each complete, and config.json last: its presence means that the home is complete.
 * A kill at any step leaves nothing, or a partial home with no acknowledged data; the next `init` continues from it.
 */
import * as fs from 'node:fs';
import { randomBytes } from 'node:crypto';
import { errorCode, Fault, RefusalError, unwrap } from '../../base/refusal.js';
import { sha256Hex } from '../../base/bytes.js';
import { configCodec, configText } from '../../codec/config.js';
import { decode } from '../../codec/kit.js';
import { controlName, controlStream, decideControl } from '../../domain/control.js';
import { keepBallast } from '../../home/ballast.js';
import {
  createNamed,
  fileError,
  makePrivateDirectory,
  removeTemporaries,
  requireOutsideHomes,
  restrictDirectory,
} from '../../home/files.js';
import { homePaths, witnessDirectory, witnessFile, type HomePaths } from '../../home/paths.js';
import { targetOf } from '../../home/permission-fault.js';
import { readRegularFile } from '../../home/regular-file.js';
import { readWitness, writeWitness } from '../../home/witness-file.js';
import { seed_bytes, signerFromSeed, type Signer } from '../../journal/keys.js';
import { openCheckpoint } from '../../journal/note.js';
import { type Head, latestNote, type LoadedTree, loadPosition, readBlob } from '../../journal/reader.js';
import { sodium } from '../../journal/sodium.js';
import { recordEvents } from '../../journal/stream.js';
import { JournalWriter, type Transaction } from '../../journal/writer.js';
import { readControl } from '../../tables/control.js';
import { projectors, rebuildProjections } from '../../tables/projections.js';
import { type Db, loadSqlite, openDatabase, openError, refuseNetworkFileSystem } from '../../store/database.js';
import { migrate } from '../../store/migrations.js';
import { createProcessLock } from '../../store/process-lock.js';
import { afterCommit } from './recording.js';
import { type World, programVersion } from './home.js';

export type InitReport = Readonly<ReturnType<typeof report>>;

const token_bytes = 32;

export function initHome(world: World): InitReport {
  const paths = homePaths(world.directory);
  // A place of the witness file that cannot be used is refused before a key is made.
  witnessDirectory(world.env);
  loadSqlite();
  sodium();
  try {
    requireOutsideHomes(paths.directory);
    claimDirectory(paths);
  } catch (error) {
    throw fileError(error, paths.directory);
  }
  refuseNetworkFileSystem(paths.directory);
  const lock = createProcessLock(paths.lock, programVersion);
  let db: Db | null = null;
  try {
    if (fs.existsSync(paths.config)) throw alreadyThere(paths);
    removeTemporaries(paths.directory, ['identity.key', 'api.token', 'config.json', 'ballast']);
    fs.chmodSync(paths.lock, 0o600);
    if (!fs.existsSync(paths.identityKey)) createNamed(paths.identityKey, randomBytes(seed_bytes));
    if (!fs.existsSync(paths.apiToken)) createNamed(paths.apiToken, Buffer.from(randomBytes(token_bytes).toString('base64url')));
    const signer = signerFromSeed(readRegularFile(paths.identityKey));
    db = openDatabase(paths.journal, { create: true });
    fs.chmodSync(paths.journal, 0o600);
    const head = beginJournal(db, signer, world);
    finish(db, paths);
    return report(db, signer, paths, world, head);
  } catch (error) {
    throw openError(error, paths.journal);
  } finally {
    db?.close();
    lock.release();
  }
}

/** Creates what the home lacks once its first entry is recorded; the next `init` continues here. */
function finish(db: Db, paths: HomePaths): void {
  const done = { recorded: 'the first entry of the journal is recorded', remains: 'agent-cli init' };
  afterCommit(done, 'the home is not complete yet', () => {
    keepBallast(paths.ballast);
    createNamed(paths.config, signedConfig(db));
  });
}

const own_files =
  /^(?:identity\.key|api\.token|ballast|journal\.sqlite3|lock\.sqlite3|notices\.sqlite3)(?:-wal|-shm|-journal|\.tmp-[0-9a-f]{12})?$|^config\.json\.tmp-[0-9a-f]{12}$/;

/** Claims a new directory, an empty one, or one that an interrupted init left. */
function claimDirectory(paths: HomePaths): void {
  const stat = fs.lstatSync(paths.directory, { throwIfNoEntry: false });
  if (stat === undefined) return makeDirectory(paths);
  if (stat.isSymbolicLink()) throw linkedHome(paths.directory);
  if (!stat.isDirectory()) throw new RefusalError('exists', `${paths.directory} exists and is not a directory`);
  if ([paths.identityKey, paths.journal].some((file) => fs.existsSync(file)) && fs.existsSync(paths.config))
    throw alreadyThere(paths);
  const foreign = fs.readdirSync(paths.directory).find((name) => !own_files.test(name));
  if (foreign !== undefined) {
    throw new RefusalError('exists', `${paths.directory} is not empty (${foreign}); a home needs a directory of its own`);
  }
  restrictDirectory(paths.directory);
}

function makeDirectory(paths: HomePaths): void {
  try {
    makePrivateDirectory(paths.directory);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST' || !fs.existsSync(paths.directory)) throw error;
    // Another init has just made it.
    claimDirectory(paths);
  }
}

function linkedHome(link: string): RefusalError {
  const detail = `${link} is a symbolic link to ${targetOf(link)}; a home is made under its real path`;
  return new RefusalError('exists', detail);
}

const alreadyThere = (paths: HomePaths): RefusalError =>
  new RefusalError('exists', `there is a home at ${paths.directory} already`, { hint: 'agent-cli doctor' });

function beginJournal(db: Db, signer: Signer, world: World): Head {
  db.exec('BEGIN IMMEDIATE');
  migrate(db, world.clock());
  if (db.prepare('SELECT 1 FROM projection').get() === undefined) rebuildProjections(db, []);
  db.exec('COMMIT');
  const loaded = loadPosition(db, signer.publicKey);
  if (loaded.position.head.size > 1) {
    throw new RefusalError('integrity', 'the directory holds a journal with entries but no config.json; nothing was changed', {
      hint: 'agent-cli configure --restore-signed',
    });
  }
  refuseLostJournal(loaded, signer, world);
  const writer = new JournalWriter(db, signer, projectors, world.clock, loaded);
  if (loaded.position.head.size === 0) writer.transact(firstEntry);
  return writer.head;
}

/**
 * Refuses a key whose journal is gone: that is not a new home, and a new first entry would rewind the witness that proves the
 * loss.
 */
function refuseLostJournal({ position }: LoadedTree, signer: Signer, world: World): void {
  const { head, origin } = position;
  const witness = readWitness(witnessFile(witnessDirectory(world.env), origin));
  const checkpoint = witness.status === 'read' ? openCheckpoint(witness.note, signer.publicKey) : null;
  if (checkpoint === null || checkpoint.size <= head.size) return;
  throw new RefusalError(
    'rollback',
    `the witness file covers ${checkpoint.size} entries signed with this key, but the journal here has ${head.size}; restore the journal, or choose another directory`,
  );
}

function firstEntry(tx: Transaction): void {
  const text = configText(unwrap(decode(configCodec, {})));
  tx.beginIncarnation(randomBytes(16).toString('hex'));
  const events = decideControl(readControl(tx.db), {
    type: 'initialise',
    config_hash: sha256Hex(text),
    config_blob: tx.putBlob(Buffer.from(text)),
  });
  recordEvents(tx, controlStream, controlName, events);
}

function signedConfig(db: Db): Buffer {
  const { config_blob } = readControl(db);
  const text = config_blob === null ? null : readBlob(db, config_blob);
  if (text === null) throw new Fault('the first entry holds no configuration');
  return text;
}

function report(db: Db, signer: Signer, paths: HomePaths, world: World, head: Head) {
  const done = { recorded: 'the home is complete', remains: 'agent-cli doctor' };
  const { latest, origin } = afterCommit(done, 'it could not be read again', () => ({
    latest: latestNote(db),
    origin: loadPosition(db, signer.publicKey).position.origin,
  }));
  const fault =
    latest === undefined ? 'no checkpoint' : writeWitness(witnessFile(witnessDirectory(world.env), origin), latest.note);
  return {
    identity: signer.identity,
    public_key: signer.publicKey.toString('hex'),
    home: paths.directory,
    token_file: paths.apiToken,
    events: head.size,
    head: head.hash,
    /** Why the witness file could not be written, or null. */
    witness_fault: fault,
  };
}
