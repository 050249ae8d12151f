/**
 * `backup`: writes the private files and a snapshot of the journal into one archive, or into a series beyond the archive's limit.
 * Everything is completed in a staging directory and then linked to its name. A kill leaves, depending on the step:
 * - the staging directory, which the next backup into the same directory removes, even when that backup is refused because the archive
 * exists; that in the home, which the next backup of the home removes, and the next command that has the home to itself;
 * - between the links of a series, which go from the last part to the first: parts that `restore` refuses as incomplete.
 */
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { encrypted_ending, encryptInto, type Encryption } from '../../archive/encrypted.js';
import { archived, type ArchiveMember, writeArchive } from '../../archive/write.js';
import {
  archive_bytes_max,
  archive_manifest_bytes_max,
  archive_series_max,
  checkpoint_file_bytes_max,
  config_file_bytes_max,
  entry_body_bytes_max,
  foreign_body_bytes_max,
  simulation_outcome_bytes_max,
  token_file_bytes_max,
} from '../../base/limits.js';
import { canonicalJson } from '../../base/canonical-json.js';
import { Fault, invalid, RefusalError } from '../../base/refusal.js';
import { sha256Hex } from '../../base/bytes.js';
import { type Manifest, manifest_name, type ManifestJournal, type ManifestSeries } from '../../codec/backup.js';
import { fileError, linkNew, removeTemporary, requireAbsent } from '../../home/files.js';
import { isWithin } from '../../home/paths.js';
import { readRegularFile } from '../../home/regular-file.js';
import { blobsReferredTo } from '../../journal/blob-uses.js';
import { readCheckpoint } from '../../journal/note.js';
import { integrityFailure, latestNote, readHead, rowsAfter, storedHash } from '../../journal/reader.js';
import { verifyJournal } from '../../journal/verify.js';
import { type Db, storageError } from '../../store/database.js';
import { createSnapshot, type Snapshot } from '../../store/snapshot.js';
import { signedConfiguration } from '../home/config.js';
import type { Home } from '../home/home.js';
import { makeStaging, removeAbandoned, type Staging } from '../home/staging.js';
import { cosignatureFault } from '../log/checkpoint.js';
import { requireTool } from '../tools/tools.js';
import { sha256OfFile } from './incoming.js';

/** The most bytes of bodies, blobs and checkpoints that are copied between two checks of a part's size, plus one entry. */
export const snapshot_step_bytes_max = 1_048_576;
/** The most entries that are copied between two checks. */
const snapshot_step_entries_max = 256;

const page_bytes = 4_096;
const tables = 3;
/** SQLite leaves at most a page unused for each row. */
const unused_bytes_max = (snapshot_step_entries_max + 1) * tables * page_bytes;
/** The largest blob is a simulation's outcome; an entry of schema 1 has none. */
const entry_bytes_max =
  Math.max(entry_body_bytes_max + simulation_outcome_bytes_max, foreign_body_bytes_max) + checkpoint_file_bytes_max;
/** The other members of an archive: the configuration, the key, the token and the manifest. */
const files_bytes_max = config_file_bytes_max + 2 * token_file_bytes_max + archive_manifest_bytes_max;
/** A part of a series is closed when its snapshot comes this close to the limit: more than a step, an entry with its blob and the other members add. */
export const archive_part_margin_bytes = snapshot_step_bytes_max + entry_bytes_max + unused_bytes_max + files_bytes_max;
/** Base-2 logarithm of the cost of scrypt for an encrypted backup, as age writes it. */
const age_work_factor = 18;

export interface BackupReport {
  /** One archive, or the archives of a series in order. */
  readonly path?: string;
  readonly paths?: readonly string[];
  /** SHA-256 of the archive's bytes; for a series, of all its archives' bytes in order. */
  readonly sha256: string;
  readonly bytes: number;
  readonly events: number;
  readonly head: string;
  readonly root: string;
  readonly contains_private_key: true;
  readonly warnings: readonly string[];
}

export interface BackupOptions {
  readonly onProgress?: ((stage: string, done: number) => void) | undefined;
  /** Limit of one archive in bytes, uncompressed; tests use a small one. */
  readonly bytes_max?: number | undefined;
  /** Encrypts each archive in the age format, as NAME.zip.age. */
  readonly passphrase?: string | undefined;
  /** Base-2 logarithm of scrypt's cost for the passphrase; tests use a small one. */
  readonly work_factor?: number | undefined;
}

export async function backupHome(home: Home, output: string, options: BackupOptions = {}): Promise<BackupReport> {
  const destination = archiveName(path.resolve(output), options);
  const warnings = requireTool(home.db, 'backup');
  refusePlace(path.dirname(destination), home.paths.directory);
  removeAbandoned(destination);
  removeAbandoned(home.paths.backup);
  requireAbsent(destination);
  await refuseDamaged(home, options);
  const staging = makeStaging(destination);
  // Nothing of an encrypted backup reaches the place of its archive in clear.
  const plain = options.passphrase === undefined ? null : makeStaging(plainPlace(home));
  try {
    return { ...(await write(home, destination, { staging, plain: plain ?? staging }, options)), warnings };
  } catch (error) {
    throw fileError(storageError(error, destination), destination);
  } finally {
    staging.remove();
    plain?.remove();
  }
}

/** An archive beside what it holds is lost with it, and a mistyped directory is not made: the archive would be where nobody looks for it. */
function refusePlace(directory: string, home: string): void {
  try {
    if (!isWithin(fs.realpathSync(directory), home)) return;
  } catch (error) {
    throw fileError(error, directory);
  }
  throw new RefusalError(invalid('archive', `it would be in the home ${home} and lost with it; name another directory`));
}

/** The place of what is staged in clear: the home, or where a private copy of its journal is read too. */
const plainPlace = ({ unwritable, paths }: Home): string =>
  unwritable === null ? paths.backup : path.join(os.tmpdir(), path.basename(paths.backup));

const archiveName = (name: string, { passphrase }: BackupOptions): string =>
  passphrase === undefined || name.endsWith(encrypted_ending) ? name : `${name}${encrypted_ending}`;

/** Refuses to copy a damaged journal over the only good copies. */
async function refuseDamaged(home: Home, { onProgress }: BackupOptions): Promise<void> {
  const { failure } = await verifyJournal(home.db.name, home.signer.publicKey, {
    deep: false,
    threads: os.availableParallelism(),
    onProgress: (verified, total) => onProgress?.('verify', verified / total),
  });
  if (failure !== null) throw integrityFailure(`the journal is damaged, entry ${failure.sequence}: ${failure.detail}`);
  const cosignature = cosignatureFault(home.db);
  if (cosignature !== null) throw integrityFailure(cosignature.detail, cosignature.size);
}

type Report = Omit<BackupReport, 'warnings'>;

interface Places {
  readonly staging: Staging;
  /** The place of the snapshots. */
  readonly plain: Staging;
}

async function write(home: Home, destination: string, { staging, plain }: Places, options: BackupOptions): Promise<Report> {
  const { bytes_max = archive_bytes_max, onProgress, passphrase, work_factor = age_work_factor } = options;
  const encryption = passphrase === undefined ? null : { passphrase, work_factor };
  const snapshots = await writeSnapshots(home.db, {
    bytes_max,
    file: (n) => plain.file(`journal-${n}.sqlite3`),
    onProgress: (copied, total) => onProgress?.('copy', copied / total),
  });
  const checkpoint = readCheckpoint(snapshots.checkpoint);
  if (checkpoint === null) throw integrityFailure('the newest checkpoint cannot be read');
  const { parts, head } = snapshots;
  const root = checkpoint.root.toString('hex');
  if (parts.length > archive_series_max)
    throw new RefusalError('too_large', `the journal would need more than ${archive_series_max} archives`);
  const paths = parts.map((_, i) => (parts.length === 1 ? destination : partPath(destination, i + 1)));
  for (const file of paths) requireAbsent(file);
  const files = readPrivateFiles(home, snapshots.config_hash);
  const journal = { events: head.size, head: head.hash, root, checkpoint: snapshots.checkpoint };
  const archives: string[] = [];
  for (const [i, part] of parts.entries()) {
    const file = staging.file(`archive-${i + 1}.zip`);
    const series = parts.length === 1 ? null : { number: i + 1, of: parts.length, first: part.first, last: part.last };
    await writePartArchive(file, { files, snapshot: part.file, journal, series, bytes_max, encryption });
    fs.unlinkSync(part.file);
    archives.push(file);
    onProgress?.('archive', (i + 1) / parts.length);
  }
  const report = {
    ...(paths.length === 1 ? { path: destination } : { paths }),
    sha256: sha256OfFile(...archives),
    bytes: archives.reduce((sum, file) => sum + fs.statSync(file).size, 0),
    events: head.size,
    head: head.hash,
    root,
    contains_private_key: true,
  } as const;
  // Last of all: a backup that fails leaves no archive.
  linkAll(archives, paths);
  return report;
}

const number_digits = 3;

/** `NAME.zip` → `NAME.001.zip`, `NAME.zip.age` → `NAME.001.zip.age` */
export function partPath(destination: string, n: number): string {
  const ending = destination.endsWith(encrypted_ending) ? encrypted_ending : '';
  const name = destination.slice(0, destination.length - ending.length).replace(/\.zip$/, '');
  return `${name}.${String(n).padStart(number_digits, '0')}.zip${ending}`;
}

/**
 * Reads the private files once for all parts, so that all are of the same moment. The configuration must be the one that the
 * snapshot signs.
 */
function readPrivateFiles({ paths }: Home, config_hash: string): PrivateFiles {
  const config = readRegularFile(paths.config);
  if (sha256Hex(config) !== config_hash) {
    const detail = 'config.json was replaced while it was backed up; repeat the command';
    throw new RefusalError('conflict', detail);
  }
  const [key, token] = [readRegularFile(paths.identityKey), readRegularFile(paths.apiToken)];
  return { 'config.json': config, 'identity.key': key, 'api.token': token };
}

/** Links the files from the last to the first; when a name is taken, removes the links made so far. */
function linkAll(files: readonly string[], names: readonly string[]): void {
  const linked: string[] = [];
  try {
    for (let i = files.length - 1; i >= 0; i--) {
      linkNew(files[i] ?? '', names[i] ?? '');
      linked.push(names[i] ?? '');
    }
  } catch (error) {
    for (const name of linked) removeTemporary(name);
    throw error;
  }
}

type PrivateFiles = Readonly<Record<'config.json' | 'identity.key' | 'api.token', Buffer>>;

interface ArchivePart {
  readonly files: PrivateFiles;
  /** Path of the snapshot. */
  readonly snapshot: string;
  readonly journal: ManifestJournal;
  readonly series: ManifestSeries | null;
  readonly bytes_max: number;
  /** How the archive is encrypted; null for a plain one. */
  readonly encryption: Encryption | null;
}

/** Writes the archive. @param file a path at which nothing exists yet */
async function writePartArchive(file: string, part: ArchivePart): Promise<void> {
  const { files, snapshot, journal, series, bytes_max, encryption } = part;
  const manifest: Manifest = {
    'api.token': sha256Hex(files['api.token']),
    'config.json': sha256Hex(files['config.json']),
    'identity.key': sha256Hex(files['identity.key']),
    'journal.sqlite3': sha256OfFile(snapshot),
    '@journal': journal,
    ...(series === null ? {} : { '@series': series }),
  };
  const small = Object.entries({ ...files, [manifest_name]: Buffer.from(canonicalJson(manifest)) });
  const bytes = small.reduce((sum, [, content]) => sum + content.length, fs.statSync(snapshot).size);
  if (bytes > bytes_max) throw new RefusalError('too_large', `an archive would have more than ${bytes_max} bytes`);
  const others = small.map(([name, source]): ArchiveMember => ({ name, source }));
  const members = [...others.slice(0, -1), { name: 'journal.sqlite3', source: { file: snapshot } }, ...others.slice(-1)];
  fs.closeSync(fs.openSync(file, 'wx', 0o600));
  if (encryption === null) await writeArchive(file, members);
  else await encryptInto(file, archived(members), encryption);
}

type Part = Readonly<Awaited<ReturnType<typeof writePart>>>;

interface SnapshotOptions {
  /** Limit of one archive in bytes, uncompressed. */
  readonly bytes_max: number;
  /** Path of the n-th snapshot. */
  readonly file: (n: number) => string;
  readonly onProgress?: ((copied: number, total: number) => void) | undefined;
}

/**
 * Writes the snapshots. The event loop runs between two steps, so that a signal is handled.
 * @param db read within one transaction, which excludes entries that other processes append meanwhile; nobody else uses the connection
 */
async function writeSnapshots(db: Db, options: SnapshotOptions) {
  db.exec('BEGIN');
  try {
    const head = readHead(db);
    const latest = latestNote(db);
    if (latest === undefined || latest.size !== head.size) throw integrityFailure('no checkpoint covers the newest entry');
    const parts: Part[] = [];
    for (let after = 0; after < head.size; after = parts.at(-1)?.last ?? head.size) {
      parts.push(await writePart(db, options.file(parts.length + 1), { ...options, after, total: head.size }));
    }
    return { parts, head, checkpoint: latest.note, config_hash: signedConfiguration(db)?.config_hash ?? '' };
  } finally {
    db.exec('ROLLBACK');
  }
}

interface PartOptions extends SnapshotOptions {
  readonly after: number;
  readonly total: number;
}

/** Returns the file with the first and the last sequence of the entries that it holds. */
async function writePart(db: Db, file: string, options: PartOptions) {
  const { after, total, bytes_max } = options;
  const full = bytes_max - Math.min(archive_part_margin_bytes, Math.floor(bytes_max / 2));
  const snapshot = createSnapshot(file);
  try {
    const copy = copier(db, snapshot, Math.min(snapshot_step_bytes_max, bytes_max / 8));
    let last = after;
    while (last < total && snapshot.bytes() < full) {
      last = copy(last, total);
      options.onProgress?.(last, total);
      await turn();
    }
    snapshot.finish();
    if (last === after) throw new Fault('a snapshot took no entry');
    return { file, first: after + 1, last };
  } catch (error) {
    snapshot.discard();
    throw error;
  }
}

/** Bytes of a row's hash, signature and stream, and SQLite's overhead. */
const row_bytes = 400;

/** Returns a function that copies the next entries with their checkpoints and blobs, and returns the last sequence copied. */
function copier(db: Db, { db: to }: Snapshot, step_bytes: number): (after: number, until: number) => number {
  const event = to.prepare('INSERT INTO events VALUES (?, ?, ?, ?, ?)');
  const note = to.prepare('INSERT INTO checkpoint VALUES (?, ?)');
  const blob = to.prepare('INSERT INTO blob VALUES (?, ?, ?)');
  const copied = new Set<string>();
  const notes = db.prepare<[number, number], { size: number; note: string }>(
    'SELECT size, note FROM checkpoint WHERE size > ? AND size <= ? ORDER BY size',
  );
  const readBlob = db.prepare<[string], { salt: Buffer; bytes: Buffer }>('SELECT salt, bytes FROM blob WHERE hash = ?');
  return (after, until) => {
    let [last, bytes] = [after, 0];
    for (const { seq, mission, body, hash, signature } of rowsAfter(
      db,
      after,
      Math.min(snapshot_step_entries_max, until - after),
    )) {
      if (storedHash(db, seq, body) !== hash) throw integrityFailure(`entry ${seq} does not match its hash`, seq);
      event.run(seq, mission, body, hash, signature);
      bytes += body.length + row_bytes;
      for (const reference of blobsReferredTo(body)) {
        const row = copied.has(reference) ? undefined : readBlob.get(reference);
        if (row !== undefined) blob.run(reference, row.salt, row.bytes);
        copied.add(reference);
        bytes += row?.bytes.length ?? 0;
      }
      for (const row of notes.all(last, seq)) {
        note.run(row.size, row.note);
        bytes += row.note.length;
      }
      last = seq;
      if (bytes > step_bytes) break;
    }
    return last;
  };
}
