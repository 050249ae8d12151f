/**
 * `restore`: creates a home from an archive, in a directory that does not exist. Everything is created and verified in a staging
 * directory beside it, which is then renamed once. A kill before the rename leaves the staging directory, which the next restore
 * beside it removes. A kill after it leaves a complete home (the next command writes its witness file).
 */
import * as fs from 'node:fs';
import * as path from 'node:path';
import { randomBytes } from 'node:crypto';
import { sha256Hex } from '../../base/bytes.js';
import { fromUtf8 } from '../../base/text.js';
import { archive_bytes_max, checkpoint_file_bytes_max } from '../../base/limits.js';
import { isRefused, RefusalError, UnknownOutcome } from '../../base/refusal.js';
import { configCodec } from '../../codec/config.js';
import { decodeJson } from '../../codec/decode-json.js';
import type { Documents } from '../../codec/event.js';
import type { Via } from '../../codec/scalars.js';
import { controlName, controlStream, decideControl } from '../../domain/control.js';
import { keepBallast } from '../../home/ballast.js';
import {
  createFile,
  fileError,
  fsyncDirectory,
  makePrivateDirectory,
  placeDirectory,
  readInput,
  requireAbsent,
  requireOutsideHomes,
} from '../../home/files.js';
import { homePaths, type HomePaths, witnessDirectory } from '../../home/paths.js';
import { readWitness, writeWitness } from '../../home/witness-file.js';
import { contradiction } from '../../journal/against.js';
import { seed_bytes, type Signer, signerFromSeed } from '../../journal/keys.js';
import { leftOrigins } from '../../journal/lineage.js';
import { type Checkpoint, openCheckpoint, readCheckpoint } from '../../journal/note.js';
import { type Head, latestNote, loadPosition } from '../../journal/reader.js';
import { recordEvents } from '../../journal/stream.js';
import { type Command, JournalWriter } from '../../journal/writer.js';
import { storeFirstSnapshot } from '../../tables/connection.js';
import { schema, projectors } from '../../tables/projections.js';
import { readControl } from '../../tables/control.js';
import { type Db, openError, refuseNetworkFileSystem, storageError } from '../../store/database.js';
import { createProcessLock } from '../../store/process-lock.js';
import { configFault, signedConfiguration } from '../home/config.js';
import { makeStaging, namesIn, removeAbandoned, type Staging } from '../home/staging.js';
import { commandVia } from '../home/via.js';
import { witnessFiles } from '../home/witness.js';
import { programVersion, type World } from '../home/home.js';
import type { InitReport } from '../home/init.js';
import type { BackupOptions } from './backup.js';
import { checkHeadOf, type ExpectedHead, parseHead, type VerifyReport } from '../log/verify-home.js';
import { type Incoming, rebuildJournal, type Rebuilt, requireArchive, takeApart } from './incoming.js';

export interface RestoreOptions extends Pick<BackupOptions, 'onProgress' | 'bytes_max'> {
  readonly actor: string;
  readonly via?: Via | undefined;
  readonly expectHead?: string | undefined;
  readonly expectIdentity?: string | undefined;
  readonly against?: string | undefined;
  readonly reason?: string | undefined;
  readonly newToken?: boolean | undefined;
  /**
   * Whether the restored home replaces the one that was backed up: every copy of that one is then refused. Otherwise it is a branch. A function
   * is called when the archive has been opened.
   */
  readonly supersede?: boolean | (() => Promise<boolean>) | undefined;
  /** The passphrase of an encrypted archive. */
  readonly passphrase?: string | undefined;
}

type VerifyFacts = Pick<
  VerifyReport,
  'identity' | 'checkpoint' | 'signatures_checked' | 'elapsed_ms' | 'events' | 'head' | 'root'
>;

export interface RestoreReport extends VerifyFacts, Comparison, Pick<InitReport, 'home' | 'witness_fault'> {
  readonly valid: true;
  /** The contents of the archive. */
  readonly restored: Pick<VerifyFacts, 'events' | 'head' | 'root'>;
  readonly state: 'paused';
  /** Whether the home replaces the one that was backed up; otherwise it is a branch beside it. */
  readonly supersede: boolean;
}

const token_bytes = 32;

export async function restoreHome(world: World, archive: string, options: RestoreOptions): Promise<RestoreReport> {
  const began = performance.now();
  const destination = world.directory;
  const expected = options.expectHead === undefined ? null : parseHead(options.expectHead);
  removeAbandoned(destination);
  requireAbsent(destination);
  requireOutsideHomes(destination);
  const bytes_max = options.bytes_max ?? archive_bytes_max;
  const { passphrase, supersede = false } = options;
  await requireArchive(path.resolve(archive), { bytes_max, passphrase });
  const staging = makeStaging(destination);
  try {
    refuseNetworkFileSystem(staging.directory);
    const incoming = await takeApart(path.resolve(archive), staging, {
      bytes_max,
      passphrase,
      onProgress: (done) => options.onProgress?.('extract', done),
    });
    const replaces = typeof supersede === 'function' ? await supersede() : supersede;
    const made = await makeHome(world, staging, incoming, { ...options, expected, supersede: replaces });
    for (const { file } of incoming.snapshots) fs.unlinkSync(file);
    fsyncDirectory(made.paths.directory);
    placeDirectory(made.paths.directory, destination);
    const faults = made.witnessFiles.map((file) => writeWitness(file, made.report.checkpoint));
    const witness_fault = faults.find((fault) => fault !== null) ?? null;
    return { ...made.report, home: destination, elapsed_ms: Math.round(performance.now() - began), witness_fault };
  } catch (error) {
    throw fileError(storageError(error, destination), destination);
  } finally {
    staging.remove();
  }
}

interface MakeOptions extends Omit<RestoreOptions, 'supersede'> {
  readonly expected: ExpectedHead | null;
  readonly supersede: boolean;
}

interface RestoredHome {
  readonly paths: HomePaths;
  readonly witnessFiles: readonly string[];
  readonly report: Omit<RestoreReport, 'home' | 'elapsed_ms' | 'witness_fault'>;
}

async function makeHome(world: World, staging: Staging, incoming: Incoming, options: MakeOptions): Promise<RestoredHome> {
  const paths = homePaths(staging.file('home'));
  const signer = signerOf(incoming, options.expectIdentity);
  const against = options.against === undefined ? undefined : readAgainst(options.against, signer.publicKey);
  makePrivateDirectory(paths.directory);
  writeFiles(paths, incoming, options.newToken ?? false);
  const { db, ...rebuilt } = await rebuildJournal(incoming, paths.journal, {
    signer,
    now: world.clock(),
    onProgress: options.onProgress,
  });
  try {
    fs.chmodSync(paths.journal, 0o600);
    checkExpectations(db, paths, rebuilt.head, options);
    const config = decodeJson(configCodec, incoming.private['config.json']);
    if (isRefused(config))
      throw new RefusalError('integrity', `config.json of the archive is not a configuration: ${config.left.detail}`);
    return record(world, db, { paths, signer, rebuilt, incoming, options, against });
  } catch (error) {
    // The whole journal is given up, so a commit of unknown outcome has made nothing.
    throw openError(error instanceof UnknownOutcome ? error.cause : error, paths.journal);
  } finally {
    db.close();
  }
}

function signerOf(incoming: Incoming, expectIdentity: string | undefined): Signer {
  const seed = incoming.private['identity.key'];
  if (seed.length !== seed_bytes)
    throw new RefusalError('integrity', `identity.key has ${seed.length} bytes instead of ${seed_bytes}`);
  const signer = signerFromSeed(seed);
  if ([undefined, signer.identity, signer.publicKey.toString('hex')].includes(expectIdentity)) return signer;
  throw new RefusalError('integrity', `the archive belongs to ${signer.identity}, not to the identity that was expected`);
}

function writeFiles(paths: HomePaths, incoming: Incoming, newToken: boolean): void {
  const token = incoming.private['api.token'];
  if (!/^[A-Za-z0-9_-]{43}$/.test(token.toString('latin1')))
    throw new RefusalError('integrity', 'api.token is not 43 characters of base64url');
  createFile(paths.identityKey, incoming.private['identity.key']);
  createFile(paths.apiToken, newToken ? Buffer.from(randomBytes(token_bytes).toString('base64url')) : token);
  createFile(paths.config, incoming.private['config.json']);
  createProcessLock(paths.lock, programVersion).release();
  fs.chmodSync(paths.lock, 0o600);
  keepBallast(paths.ballast);
}

function checkExpectations(db: Db, paths: HomePaths, head: Head, { expected }: MakeOptions): void {
  const fault = configFault(db, paths);
  if (fault !== null) throw new RefusalError('integrity', `config.json is not the configuration that the journal signs`);
  const failure = expected === null ? null : checkHeadOf(db, head, expected);
  if (failure !== null) throw new RefusalError(failure.code, failure.detail);
}

interface Recording {
  readonly paths: HomePaths;
  readonly signer: Signer;
  readonly rebuilt: Rebuilt;
  readonly incoming: Incoming;
  readonly options: MakeOptions;
  readonly against: Checkpoint | undefined;
}

/**
 * Records the restore. The first entry of the new incarnation names what was restored and what it is behind, and pauses the home. Then the
 * snapshot of the state is stored, for which the next command would have to read all entries.
 */
function record(world: World, db: Db, { paths, signer, rebuilt, incoming, options, against }: Recording): RestoredHome {
  const { head, root, report } = rebuilt;
  const { behind, compared } = behindOf(db, head, { world, publicKey: signer.publicKey, against });
  const incarnation = randomBytes(16).toString('hex');
  const writer = new JournalWriter(db, signer, projectors, world.clock, loadPosition(db, signer.publicKey));
  const { actor, via, reason = '', supersede } = options;
  const restoring: Command<unknown> = (tx) => {
    tx.beginIncarnation(incarnation);
    const text = incoming.private['config.json'];
    const hasText = signedConfiguration(tx.db)?.config_blob !== null;
    const config = hasText ? {} : { config_hash: sha256Hex(text), config_blob: tx.putBlob(text) };
    const { size: events, hash } = head;
    const restored = {
      archive_sha256: incoming.sha256,
      events,
      head: hash,
      root,
      behind,
      incarnation,
      reason,
      actor,
      ...(supersede ? { supersede } : {}),
      ...config,
    };
    return recordEvents(tx, controlStream, controlName, decideControl(readControl(tx.db), { type: 'restore', ...restored }));
  };
  writer.transact(via === undefined ? restoring : commandVia(restoring, via));
  storeFirstSnapshot(db, {
    signer,
    schema,
    waits: true,
    onProgress: (done, size) => options.onProgress?.('snapshot', done / size),
  });
  db.pragma('wal_checkpoint(TRUNCATE)');
  const checkpoint = latestNote(db)?.note ?? '';
  return {
    paths,
    witnessFiles: witnessFiles(db, signer, world, writer.at),
    report: {
      valid: true,
      identity: signer.identity,
      events: writer.head.size,
      head: writer.head.hash,
      root: readCheckpoint(checkpoint)?.root.toString('hex') ?? '',
      checkpoint,
      signatures_checked: report.signatures_checked,
      restored: { events: head.size, head: head.hash, root },
      behind,
      compared,
      state: 'paused',
      supersede,
    },
  };
}

type Behind = Documents['journal.restored']['behind'];

interface BehindOptions {
  readonly world: World;
  readonly publicKey: Buffer;
  /** A checkpoint that the operator names in addition to the witness files. */
  readonly against?: Checkpoint | undefined;
}

interface Comparison {
  readonly behind: Behind;
  /** Number of checkpoints kept elsewhere that the archive was compared with; if it is 0, a null `behind` proves nothing. */
  readonly compared: number;
}

/**
 * Returns how many entries are missing, from a checkpoint of the archive's own origin that is ahead. A checkpoint of another
 * origin belongs to another continuation (an earlier restore of the same home): its size says nothing about the entries missing
 * here.
 */
function behindOf(db: Db, head: Head, { world, publicKey, against }: BehindOptions): Comparison {
  const { position } = loadPosition(db, publicKey);
  const own = position.origin;
  // The log left these knowingly, by an earlier restore or an accepted rollback.
  const left = new Set(leftOrigins(db, publicKey, position).left);
  const known = witnesses(witnessDirectory(world.env), publicKey).filter(({ origin }) => !left.has(origin));
  if (against !== undefined) known.push(against);
  const refuting = known
    .filter((checkpoint) => contradiction(db, head, publicKey, checkpoint) !== null)
    .toSorted((a, b) => b.size - a.size);
  const ahead = refuting.find(({ origin }) => origin === own);
  const other = ahead ?? refuting[0];
  const entries = ahead === undefined ? 0 : Math.max(0, ahead.size - head.size);
  return { behind: other === undefined ? null : { entries, checkpoint: other.note }, compared: known.length };
}

/** Returns the checkpoints of all witness files, each once: the files of several origins may hold the same one. */
function witnesses(directory: string, publicKey: Buffer): Checkpoint[] {
  const notes = new Set(
    namesIn(directory).flatMap((name) => {
      const read = /^[0-9a-f]{64}$/.test(name) ? readWitness(path.join(directory, name)) : null;
      return read?.status === 'read' ? [read.note] : [];
    }),
  );
  return [...notes].flatMap((note) => openCheckpoint(note, publicKey) ?? []);
}

function readAgainst(file: string, publicKey: Buffer): Checkpoint {
  const note = fromUtf8(readInput(file, checkpoint_file_bytes_max));
  const checkpoint = note === null ? null : openCheckpoint(note, publicKey);
  if (checkpoint !== null) return checkpoint;
  throw new RefusalError('verification_failed', `${file} is not a checkpoint that the archive's key signed`);
}
