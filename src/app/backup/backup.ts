/**
 * `backup`: the private files and a snapshot of the journal in one archive, or in a series beyond its limit. Everything is made
 * whole in a staging directory and then linked to its name; what a kill leaves at each step:
 * - before the first link: the staging directory, which the next backup to the same path removes;
 * - between the links of a series, which go from the last part to the first: parts that `restore` refuses as incomplete.
 */
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { canonicalJson } from '../../base/canonical-json.js';
import { sha256Hex } from '../../base/hash.js';
import { archive_bytes_max, archive_series_max } from '../../base/limits.js';
import { ok, RefusalError, type Result } from '../../base/result.js';
import { writeArchive } from '../../archive/write.js';
import { manifest_name, type Manifest, type ManifestSeries } from '../../codec/backup.js';
import { fileError, linkNew, requireAbsent } from '../../home/files.js';
import { readCheckpoint } from '../../journal/note.js';
import { integrityFailure } from '../../journal/position.js';
import { verifyJournal } from '../../journal/verify.js';
import { storageError } from '../../store/database.js';
import type { Home } from '../home.js';
import { requireTool } from '../tools/require.js';
import { sha256OfFile } from './file-hash.js';
import { writeSnapshots, type Part, type Snapshots } from './snapshot.js';
import { makeStaging, type Staging } from './staging.js';

export interface BackupReport {
  /** One archive, or those of a series in order. */
  readonly path?: string;
  readonly paths?: readonly string[];
  /** SHA-256 of the archive's bytes; of a series, of all its archives' bytes in order. */
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
  /** Of one archive, uncompressed and counted on its bytes; tests make it small. */
  readonly bytes_max?: number | undefined;
}

export async function backupHome(home: Home, output: string, options: BackupOptions = {}): Promise<Result<BackupReport>> {
  const destination = path.resolve(output);
  const warnings = requireTool(home.db, 'backup');
  requireAbsent(destination);
  await refuseDamaged(home, options);
  const staging = makeStaging(destination);
  try {
    return ok({ ...(await write(home, destination, staging, options)), warnings });
  } catch (error) {
    throw fileError(storageError(error, 'the backup'), destination);
  } finally {
    staging.remove();
  }
}

/** A damaged journal is not copied over the only good copies: it says so instead. */
async function refuseDamaged(home: Home, { onProgress }: BackupOptions): Promise<void> {
  const { failure } = await verifyJournal(home.paths.journal, home.signer.publicKey, {
    deep: false,
    threads: os.availableParallelism(),
    onProgress: (verified, total) => onProgress?.('verify', verified / total),
  });
  if (failure !== null) throw integrityFailure(`the journal is damaged, entry ${failure.sequence}: ${failure.detail}`);
}

async function write(home: Home, destination: string, staging: Staging, options: BackupOptions): Promise<Omit<BackupReport, 'warnings'>> {
  const { bytes_max = archive_bytes_max, onProgress } = options;
  const snapshots = writeSnapshots(home.db, {
    bytes_max,
    file: (n) => staging.file(`journal-${n}.sqlite3`),
    onProgress: (copied, total) => onProgress?.('copy', copied / total),
  });
  const checkpoint = readCheckpoint(snapshots.checkpoint);
  if (checkpoint === null) throw integrityFailure('the newest checkpoint cannot be read');
  const { parts, head } = snapshots;
  if (sha256Hex(fs.readFileSync(home.paths.config)) !== snapshots.config_hash) throw replaced('config.json');
  if (parts.length > archive_series_max)
    throw new RefusalError({ code: 'too_large', detail: `the journal would need more than ${archive_series_max} archives` });
  const archives: string[] = [];
  for (const [i, part] of parts.entries()) {
    const file = staging.file(`archive-${i + 1}.zip`);
    const series = { number: i + 1, of: parts.length, first: part.first, last: part.last };
    await archivePart(home, file, part, {
      manifest: manifestOf(home, part, snapshots, checkpoint.root, parts.length === 1 ? null : series),
      bytes_max,
    });
    fs.rmSync(part.file);
    archives.push(file);
    onProgress?.('archive', (i + 1) / parts.length);
  }
  const paths = archives.map((_, i) => (archives.length === 1 ? destination : partPath(destination, i + 1)));
  linkAll(archives, paths);
  return {
    ...(paths.length === 1 ? { path: destination } : { paths }),
    sha256: sha256OfFile(...paths),
    bytes: paths.reduce((sum, file) => sum + fs.statSync(file).size, 0),
    events: head.size,
    head: head.hash,
    root: checkpoint.root.toString('hex'),
    contains_private_key: true,
  };
}

const number_digits = 3;

/** `NAME.zip` → `NAME.001.zip` */
export const partPath = (destination: string, n: number): string =>
  `${destination.replace(/\.zip$/, '')}.${String(n).padStart(number_digits, '0')}.zip`;

function manifestOf(
  home: Home,
  part: Part,
  { head, checkpoint }: Snapshots,
  root: Buffer,
  series: ManifestSeries | null,
): Manifest {
  const { apiToken, config, identityKey } = home.paths;
  return {
    'api.token': sha256Hex(fs.readFileSync(apiToken)),
    'config.json': sha256Hex(fs.readFileSync(config)),
    'identity.key': sha256Hex(fs.readFileSync(identityKey)),
    'journal.sqlite3': sha256OfFile(part.file),
    '@journal': { events: head.size, head: head.hash, root: root.toString('hex'), checkpoint },
    ...(series === null ? {} : { '@series': series }),
  };
}

const replaced = (name: string): RefusalError =>
  new RefusalError({ code: 'conflict', detail: `${name} was replaced while it was backed up; repeat the command` });

interface Archiving {
  readonly manifest: Manifest;
  readonly bytes_max: number;
}

async function archivePart(home: Home, file: string, part: Part, { manifest, bytes_max }: Archiving): Promise<void> {
  const small = { 'config.json': home.paths.config, 'identity.key': home.paths.identityKey, 'api.token': home.paths.apiToken };
  const members = [
    ...Object.entries(small).map(([name, from]) => ({ name, source: fs.readFileSync(from) })),
    { name: 'journal.sqlite3', source: { file: part.file } },
    { name: manifest_name, source: Buffer.from(canonicalJson(manifest)) },
  ];
  // What is archived must be what the manifest names: another process may have replaced a file in between.
  for (const { name, source } of members) {
    const named = Object.entries(manifest).find(([key]) => key === name)?.[1];
    if (Buffer.isBuffer(source) && named !== undefined && sha256Hex(source) !== named) throw replaced(name);
  }
  const bytes = members.reduce(
    (sum, { source }) => sum + (Buffer.isBuffer(source) ? source.length : fs.statSync(source.file).size),
    0,
  );
  if (bytes > bytes_max)
    throw new RefusalError({ code: 'too_large', detail: `an archive would have more than ${bytes_max} bytes` });
  fs.closeSync(fs.openSync(file, 'wx', 0o600));
  await writeArchive(file, members);
}

/** From the last to the first; where a name is taken, those linked already go away again. */
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
