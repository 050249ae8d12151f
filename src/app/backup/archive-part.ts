/** Writes one archive of a backup: its members, the manifest that names them, and the check of its limit in bytes. */
import * as fs from 'node:fs';
import { encryptInto, type Encryption } from '../../archive/encrypted.js';
import { archived, writeArchive, type ArchiveMember } from '../../archive/write.js';
import { canonicalJson } from '../../base/canonical-json.js';
import { sha256Hex } from '../../base/hash.js';
import { RefusalError } from '../../base/result.js';
import { manifest_name, type Manifest, type ManifestJournal, type ManifestSeries } from '../../codec/backup.js';
import { sha256OfFile } from './file-hash.js';

export type PrivateFiles = Readonly<Record<'config.json' | 'identity.key' | 'api.token', Buffer>>;

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
export async function writePart(file: string, part: ArchivePart): Promise<void> {
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
  if (bytes > bytes_max)
    throw new RefusalError({ code: 'too_large', detail: `an archive would have more than ${bytes_max} bytes` });
  const others = small.map(([name, source]): ArchiveMember => ({ name, source }));
  const members = [...others.slice(0, -1), { name: 'journal.sqlite3', source: { file: snapshot } }, ...others.slice(-1)];
  fs.closeSync(fs.openSync(file, 'wx', 0o600));
  if (encryption === null) await writeArchive(file, members);
  else await encryptInto(file, archived(members), encryption);
}
