/**
 * Unpacks an archive, or a whole series: the manifests, the private files, and the snapshot of each part in the staging
 * directory.
 */
import * as fs from 'node:fs';
import * as crypto from 'node:crypto';
import { decryptInto, encrypted_ending, isEncrypted } from '../../archive/encrypted.js';
import { type Archive, openArchive } from '../../archive/read.js';
import { canonicalJson } from '../../base/canonical-json.js';
import { sha256Hex } from '../../base/bytes.js';
import { parseJsonBytes } from '../../base/json.js';
import * as limits from '../../base/limits.js';
import { isRefused, RefusalError } from '../../base/refusal.js';
import { archived_files, type Manifest, manifest_name, manifestCodec, type ManifestJournal } from '../../codec/backup.js';
import { decode } from '../../codec/kit.js';
import type { Staging } from '../home/staging.js';

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
    fs.rmSync(plain, { force: true });
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
  fs.rmSync(to, { force: true });
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

const chunk_bytes = 1_048_576;

/** Returns the hexadecimal SHA-256 of the bytes of the files, one after another. */
export function sha256OfFile(...files: readonly string[]): string {
  const hash = crypto.createHash('sha256');
  const chunk = Buffer.alloc(chunk_bytes);
  for (const file of files) {
    const fd = fs.openSync(file, 'r');
    try {
      for (let read = fs.readSync(fd, chunk); read > 0; read = fs.readSync(fd, chunk)) hash.update(chunk.subarray(0, read));
    } finally {
      fs.closeSync(fd);
    }
  }
  return hash.digest('hex');
}
