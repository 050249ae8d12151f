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
import { encrypted_ending } from '../../archive/encrypted.js';
import { sha256Hex } from '../../base/hash.js';
import { age_work_factor } from '../../base/encryption-limits.js';
import { archive_bytes_max, archive_series_max } from '../../base/limits.js';
import { RefusalError } from '../../base/result.js';
import { fileError, linkNew, requireAbsent } from '../../home/files.js';
import { readRegularFile } from '../../home/regular-file.js';
import { readCheckpoint } from '../../journal/note.js';
import { integrityFailure } from '../../journal/position.js';
import { verifyJournal } from '../../journal/verify.js';
import { cosignatureFault } from '../log/cosignatures.js';
import { storageError } from '../../store/database.js';
import type { Home } from '../home/home.js';
import { requireTool } from '../tools/require.js';
import { sha256OfFile } from './file-hash.js';
import { writePart, type PrivateFiles } from './archive-part.js';
import { writeSnapshots } from './snapshot.js';
import { makeStaging, removeAbandoned, type Staging } from '../home/staging.js';

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
  removeAbandoned(destination);
  removeAbandoned(home.paths.backup);
  requireAbsent(destination);
  await refuseDamaged(home, options);
  const staging = makeStaging(destination);
  // Nothing of an encrypted backup reaches the place of its archive in clear.
  const plain = options.passphrase === undefined ? null : makeStaging(home.paths.backup);
  try {
    return { ...(await write(home, destination, { staging, plain: plain ?? staging }, options)), warnings };
  } catch (error) {
    throw fileError(storageError(error, 'the backup'), destination);
  } finally {
    staging.remove();
    plain?.remove();
  }
}

const archiveName = (name: string, { passphrase }: BackupOptions): string =>
  passphrase === undefined || name.endsWith(encrypted_ending) ? name : `${name}${encrypted_ending}`;

/** Refuses to copy a damaged journal over the only good copies. */
async function refuseDamaged(home: Home, { onProgress }: BackupOptions): Promise<void> {
  const { failure } = await verifyJournal(home.paths.journal, home.signer.publicKey, {
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
    throw new RefusalError({ code: 'too_large', detail: `the journal would need more than ${archive_series_max} archives` });
  const paths = parts.map((_, i) => (parts.length === 1 ? destination : partPath(destination, i + 1)));
  for (const file of paths) requireAbsent(file);
  const files = readPrivateFiles(home, snapshots.config_hash);
  const journal = { events: head.size, head: head.hash, root, checkpoint: snapshots.checkpoint };
  const archives: string[] = [];
  for (const [i, part] of parts.entries()) {
    const file = staging.file(`archive-${i + 1}.zip`);
    const series = parts.length === 1 ? null : { number: i + 1, of: parts.length, first: part.first, last: part.last };
    await writePart(file, { files, snapshot: part.file, journal, series, bytes_max, encryption });
    fs.rmSync(part.file);
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
    throw new RefusalError({ code: 'conflict', detail });
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
    for (const name of linked) fs.rmSync(name, { force: true });
    throw error;
  }
}
