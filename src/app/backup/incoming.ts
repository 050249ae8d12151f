/**
 * Unpacks an archive, or a whole series (the manifests, the private files, and the snapshot of each part in the staging directory), and
 * builds a journal from its rows.
 */
import * as fs from 'node:fs';
import * as crypto from 'node:crypto';
import * as os from 'node:os';
import { setImmediate as turn } from 'node:timers/promises';
import { decryptInto, encrypted_ending, isEncrypted } from '../../archive/encrypted.js';
import { type Archive, openArchive } from '../../archive/read.js';
import { chunks, fileSource } from '../../archive/source.js';
import { canonicalJson } from '../../base/canonical-json.js';
import { sha256Hex } from '../../base/bytes.js';
import { parseJsonBytes } from '../../base/json.js';
import * as limits from '../../base/limits.js';
import { isRefused, RefusalError } from '../../base/refusal.js';
import { archived_files, type Manifest, manifest_name, manifestCodec, type ManifestJournal } from '../../codec/backup.js';
import { decode } from '../../codec/kit.js';
import type { Signer } from '../../journal/keys.js';
import { type Head, latestNote, readEntry, readHead } from '../../journal/reader.js';
import { leafOf, Tree } from '../../journal/tree.js';
import type { JournalReport } from '../../journal/join-ranges.js';
import { verifyJournal, verifyOpened } from '../../journal/verify.js';
import { rebuildingProjections } from '../../tables/projections.js';
import { type Db, openDatabase, openError } from '../../store/database.js';
import { migrate } from '../../store/migrations.js';
import { copyForeignRows } from '../../store/foreign-rows.js';
import { removeFile } from '../../home/files.js';
import type { Staging } from '../home/staging.js';
import { allEntries } from '../home/upgrade.js';

export interface Incoming {
  /** The journal as described in the manifest of the first part; null in an archive of the reference agent. */
  readonly journal: ManifestJournal | null;
  readonly private: Readonly<Record<'identity.key' | 'api.token' | 'config.json', Buffer>>;
  /** The snapshots in order, and the entries that each must hold. */
  readonly snapshots: readonly { readonly file: string; readonly first: number; readonly last: number | null }[];
  /** SHA-256 of all archives' bytes in order. */
  readonly sha256: string;
}

interface IncomingOptions {
  readonly bytes_max: number;
  /** The passphrase of an encrypted archive. */
  readonly passphrase?: string | undefined;
  readonly onProgress?: ((done: number) => void) | undefined;
}

const refused = (detail: string): RefusalError => new RefusalError('integrity', detail);

export async function takeApart(file: string, staging: Staging, options: IncomingOptions): Promise<Incoming> {
  const take = (part: string, n: number): Promise<TakenPart> =>
    takePart(part, { snapshot: staging.file(`part-${n}.sqlite3`), plain: staging.file(`part-${n}.zip`) }, options);
  const first = await take(file, 1);
  const series = first.manifest['@series'];
  const files = series === undefined ? [file] : seriesFiles(file, series.number, series.of);
  const parts = series === undefined || series.number === 1 ? [first] : [];
  options.onProgress?.(1 / files.length);
  for (let i = parts.length; i < files.length; i++) {
    parts.push(await take(files[i] ?? '', i + 1));
    options.onProgress?.((i + 1) / files.length);
  }
  const [lead = first] = parts;
  parts.forEach((part, i) => checkPart(part, lead, i, parts.length));
  return {
    journal: lead.manifest['@journal'] ?? null,
    private: lead.private,
    snapshots: parts.map(({ snapshot, manifest }) => ({
      file: snapshot,
      first: manifest['@series']?.first ?? 1,
      last: manifest['@series']?.last ?? null,
    })),
    sha256: sha256OfFile(...files),
  };
}

interface TakenPart {
  readonly file: string;
  readonly manifest: Manifest;
  readonly private: Incoming['private'];
  readonly snapshot: string;
}

const fileBytesMax = (bytes_max: number): number => bytes_max + limits.archive_overhead_bytes_max;

const open = (file: string, bytes_max: number, named = file): Promise<Archive> =>
  openArchive(file, { members: [...archived_files, manifest_name], bytes_max, file_bytes_max: fileBytesMax(bytes_max) }, named);

/** Refuses a file that is not an archive of a backup, or is encrypted without a passphrase given, before anything is created for it. */
export async function requireArchive(file: string, { bytes_max, passphrase }: IncomingOptions): Promise<void> {
  if (!isEncrypted(file, fileBytesMax(bytes_max))) return (await open(file, bytes_max)).close();
  if (passphrase !== undefined) return;
  const detail = `${file} is encrypted: its passphrase is needed`;
  throw new RefusalError('invalid', detail, { errors: [{ path: 'passphrase-file', message: 'is needed' }] });
}

/** The files in the staging directory for one part: its snapshot, and the decrypted archive. */
interface PartFiles {
  readonly snapshot: string;
  readonly plain: string;
}

async function takePart(file: string, { snapshot, plain }: PartFiles, options: IncomingOptions): Promise<TakenPart> {
  await requireArchive(file, options);
  const { bytes_max, passphrase } = options;
  if (passphrase === undefined || !isEncrypted(file, fileBytesMax(bytes_max)))
    return await takeArchive(file, await open(file, bytes_max), snapshot);
  await decryptInto(file, plain, passphrase, fileBytesMax(bytes_max));
  try {
    return await takeArchive(file, await open(plain, bytes_max, file), snapshot);
  } finally {
    removeFile(plain);
  }
}

async function takeArchive(file: string, archive: Archive, snapshot: string): Promise<TakenPart> {
  try {
    const manifest = readManifest(await archive.read(manifest_name, limits.archive_manifest_bytes_max));
    const read = async (name: 'identity.key' | 'api.token' | 'config.json', most: number): Promise<Buffer> => {
      const bytes = await archive.read(name, most);
      if (sha256Hex(bytes) !== manifest[name]) throw mismatch(name);
      return bytes;
    };
    return {
      file,
      manifest,
      private: {
        'identity.key': await read('identity.key', limits.token_file_bytes_max),
        'api.token': await read('api.token', limits.token_file_bytes_max),
        'config.json': await read('config.json', limits.config_file_bytes_max),
      },
      snapshot: await extractSnapshot(archive, snapshot, manifest),
    };
  } finally {
    archive.close();
  }
}

const mismatch = (name: string): RefusalError => refused(`${name} is not the one that the manifest names`);

function readManifest(bytes: Buffer): Manifest {
  const parsed = parseJsonBytes(bytes);
  if (isRefused(parsed)) throw refused(`the manifest is not strict JSON: ${parsed.left.detail}`);
  const manifest = decode(manifestCodec, parsed.right);
  if (isRefused(manifest)) throw refused(`the manifest is not one of a backup: ${manifest.left.detail}`);
  if (!Buffer.from(canonicalJson(parsed.right)).equals(bytes)) throw refused('the manifest is not in canonical form');
  return manifest.right;
}

async function extractSnapshot(archive: Archive, to: string, manifest: Manifest): Promise<string> {
  removeFile(to);
  const fd = fs.openSync(to, 'wx', 0o600);
  const hash = crypto.createHash('sha256');
  try {
    await archive.extract('journal.sqlite3', (chunk) => {
      hash.update(chunk);
      fs.writeFileSync(fd, chunk);
    });
  } finally {
    fs.closeSync(fd);
  }
  if (hash.digest('hex') !== manifest['journal.sqlite3']) throw mismatch('journal.sqlite3');
  return to;
}

/** Returns the files of a series, given the name of any of them. */
function seriesFiles(file: string, number: number, of: number): string[] {
  const encrypted = file.endsWith(encrypted_ending) ? encrypted_ending : '';
  const endingOf = (n: number): string => `.${String(n).padStart(3, '0')}.zip${encrypted}`;
  const ending = endingOf(number);
  if (!file.endsWith(ending)) {
    const detail = `${file} is part ${number} of ${of}; keep the names that backup gave to the parts (NAME${ending})`;
    throw new RefusalError('invalid', detail);
  }
  const stem = file.slice(0, -ending.length);
  const files = Array.from({ length: of }, (_, i) => `${stem}${endingOf(i + 1)}`);
  const missing = files.find((each) => !fs.existsSync(each));
  if (missing !== undefined) throw new RefusalError('not_found', `the series has ${of} archives, and ${missing} is missing`);
  return files;
}

/** Checks that all parts describe one journal and one home, in order and without a gap. */
function checkPart(part: TakenPart, lead: TakenPart, i: number, of: number): void {
  const series = part.manifest['@series'];
  if (of === 1 && series === undefined) return;
  const journal = part.manifest['@journal'];
  if (series === undefined || journal === undefined || series.number !== i + 1 || series.of !== of)
    throw refused(`${part.file} is not part ${i + 1} of ${of} of this series`);
  const isSame = canonicalJson(journal) === canonicalJson(lead.manifest['@journal'] ?? {});
  const sameFiles = (['identity.key', 'api.token', 'config.json'] as const).every(
    (name) => part.manifest[name] === lead.manifest[name],
  );
  if (!isSame || !sameFiles) throw refused(`${part.file} and ${lead.file} belong to different backups`);
}

/** Returns the hexadecimal SHA-256 of the bytes of the files, one after another. */
export function sha256OfFile(...files: readonly string[]): string {
  const hash = crypto.createHash('sha256');
  for (const file of files) {
    const source = fileSource(file, Infinity);
    try {
      for (const piece of chunks(source, 0, source.size)) hash.update(piece);
    } finally {
      source.close();
    }
  }
  return hash.digest('hex');
}

// Builds the journal of a restored home with this program's migrations from the rows of the archive, and verifies it to the last
// signature.

export interface RebuildOptions {
  readonly signer: Signer;
  readonly now: number;
  readonly onProgress?: ((stage: string, done: number) => void) | undefined;
}

export interface Rebuilt {
  readonly head: Head;
  readonly root: string;
  readonly report: JournalReport;
}

/** Builds the journal. The archive's checkpoints are verified before the older ones, without their cosignatures, are removed. @param file the path of the new journal, at which nothing exists yet */
export async function rebuildJournal(incoming: Incoming, file: string, options: RebuildOptions): Promise<{ db: Db } & Rebuilt> {
  const db = openDatabase(file, { create: true });
  try {
    await fill(db, incoming, options);
    const report = await verify(db, file, incoming, options);
    const { failure, head, root } = report;
    if (failure !== null) throw refused(failure.sequence === 0 ? failure.detail : `entry ${failure.sequence}: ${failure.detail}`);
    if (incoming.journal !== null) checkManifest(incoming.journal, head, root, report.checkpoint);
    db.exec('DELETE FROM checkpoint WHERE size < (SELECT max(size) FROM checkpoint)');
    return { db, head, root, report };
  } catch (error) {
    // Closing frees space on the disk, so whether it was full must be checked before.
    const failure = openError(error, file);
    db.close();
    throw failure;
  }
}

/** Copies the rows. No other process uses this database yet, so the event loop may run inside the transaction. */
async function fill(db: Db, incoming: Incoming, { signer, now, onProgress }: RebuildOptions): Promise<void> {
  db.exec('BEGIN IMMEDIATE');
  migrate(db, now);
  const total = incoming.journal?.events ?? 0;
  for (const { file, first, last } of incoming.snapshots) {
    const before = readHead(db).size;
    const copied = copyForeignRows(file, db, {
      onEntry: (sequence) => sequence % 1_000 === 0 && total > 0 && onProgress?.('copy', sequence / total),
    });
    for (const _ of copied) await turn();
    const after = readHead(db).size;
    if (before + 1 !== first || (last !== null && after !== last))
      throw refused(`a part of the series holds the entries ${before + 1} to ${after} instead of ${first} to ${String(last)}`);
  }
  const newest = readEntry(db, readHead(db).size);
  if (newest === null) throw refused('the archive holds no entry');
  if (newest.identity !== signer.identity) throw refused('identity.key is not the key of the journal beside it');
  for (const _ of growTree(db)) await turn();
  for (const _ of rebuildingProjections(db, allEntries(db))) await turn();
  db.exec('COMMIT');
}

const leaves_a_pause = 10_000;

function* growTree(db: Db): Generator<void> {
  const tree = new Tree();
  const rows = db.prepare<[], [string, string]>('SELECT hash, signature FROM events ORDER BY seq').raw();
  for (const [hash, signature] of rows.iterate()) {
    tree.append(leafOf(hash, signature, tree.size + 1));
    if (tree.size % leaves_a_pause === 0) yield;
  }
  tree.store(db);
  yield;
}

/**
 * Verifies the entries. Checkpoints cover this program's entries; none covers those of the reference agent (schema 1, no
 * incarnation) until the restore.
 */
async function verify(
  db: Db,
  file: string,
  { journal }: Incoming,
  { signer, onProgress }: RebuildOptions,
): Promise<JournalReport> {
  const progress = (verified: number, total: number): void => onProgress?.('verify', verified / total);
  if (journal !== null) {
    const threads = os.availableParallelism();
    return verifyJournal(file, signer.publicKey, { deep: true, threads, checkpoints: 'any', onProgress: progress });
  }
  if (latestNote(db) !== undefined || readEntry(db, readHead(db).size)?.incarnation !== null)
    throw refused('the manifest of an archive of this program must name its journal');
  return verifyOpened(db, signer.publicKey, { deep: true, checkpoints: 'absent', onProgress: progress });
}

function checkManifest(said: ManifestJournal, head: Head, root: string, checkpoint: string): void {
  if (said.events !== head.size || said.head !== head.hash)
    throw refused(
      `the manifest names the head ${said.events}:${said.head.slice(0, 16)}, the journal has ${head.size}:${head.hash.slice(0, 16)}`,
    );
  if (said.root !== root || said.checkpoint !== checkpoint)
    throw refused('the manifest names another root or checkpoint than the journal has');
}
