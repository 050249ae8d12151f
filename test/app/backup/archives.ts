/** Backups of a small home, taken apart, altered and put together again: what the tests of restore begin with. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Db } from '../../../src/store/database.js';
import { inDatabase } from '../../support/store/in-database.js';
import { openArchiveBytes } from '../../../src/archive/read.js';
import { archiveBytes } from '../../../src/archive/write.js';
import { backupHome, type BackupReport } from '../../../src/app/backup/backup.js';
import { restoreHome, type RestoreOptions, type RestoreReport } from '../../../src/app/backup/restore.js';
import { openHome } from '../../../src/app/home/open.js';
import type { Home, World } from '../../../src/app/home/home.js';
import { verifyHome } from '../../../src/app/log/verify-home.js';
import { canonicalJson } from '../../../src/base/canonical-json.js';
import { sha256Hex } from '../../../src/base/bytes.js';
import { archive_bytes_max, archive_overhead_bytes_max } from '../../../src/base/limits.js';
import { type Refusal, RefusalError } from '../../../src/base/refusal.js';
import { type TemporaryHome, submit } from '../../support/app/temporary-home.js';

export const memberNames = ['config.json', 'identity.key', 'api.token', 'journal.sqlite3', 'manifest.json'];
export type Members = Map<string, Buffer>;

/** Queues missions 1 to `count`, each an entry of its own. */
export function grow(home: TemporaryHome, count: number): void {
  home.with(({ writer }) => {
    for (let n = 1; n <= count; n++) writer.transact(submit(n));
  });
}

export async function backup(
  home: Pick<TemporaryHome, 'open' | 'root'>,
  name = 'backup.zip',
  bytes_max?: number,
): Promise<BackupReport & { file: string }> {
  const file = join(home.root, name);
  const opened = home.open();
  try {
    const report = await backupHome(opened, file, bytes_max === undefined ? {} : { bytes_max });
    return { ...report, file: report.paths?.[0] ?? file };
  } finally {
    opened.close();
  }
}

/** A world whose home is a directory beside the given home, with the same clock and witness directory unless `env` says otherwise. */
export const worldBeside = (home: TemporaryHome, name = 'restored', env: World['env'] = home.world.env): World => ({
  ...home.world,
  env,
  directory: join(home.root, name),
});

export const restore = async (world: World, file: string, options: Partial<RestoreOptions> = {}): Promise<RestoreReport> =>
  await restoreHome(world, file, { actor: 'operator', ...options });

/** The refusal of a restore, after which nothing may be left where the home would have been. */
export async function refusalOf(world: World, file: string, options: Partial<RestoreOptions> = {}): Promise<Refusal> {
  try {
    await restore(world, file, options);
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error;
    const left = leftovers(world);
    if (left.length > 0) throw new Error(`left behind: ${left.join()}`, { cause: error });
    return error.refusal;
  }
  throw new Error('it was restored');
}

/** The files whose name is the name of a home, or begins with it. */
export const leftovers = ({ directory }: World): string[] =>
  existsSync(dirname(directory)) ? readdirSync(dirname(directory)).filter((name) => name.startsWith(basename(directory))) : [];

export function withHome<A>(world: World, work: (home: Home) => A): A {
  const home = openHome(world);
  try {
    return work(home);
  } finally {
    home.close();
  }
}

const limits = {
  members: memberNames,
  bytes_max: archive_bytes_max,
  file_bytes_max: archive_bytes_max + archive_overhead_bytes_max,
};

export async function takeApart(file: string): Promise<Members> {
  const archive = await openArchiveBytes(readFileSync(file), limits);
  const members: Members = new Map();
  for (const name of archive.names) members.set(name, await archive.read(name, archive_bytes_max));
  archive.close();
  return members;
}

export interface Alteration {
  readonly members?: (members: Members) => void;
  readonly journal?: (db: Db) => void;
  readonly manifest?: (manifest: Record<string, unknown>) => void;
  /** Written as it is instead of the canonical text. */
  readonly manifestText?: (text: string) => string;
}

/** The archive with alterations that its manifest agrees with, as whoever made it would take care of. */
export async function altered(file: string, to: string, change: Alteration): Promise<string> {
  const members = await takeApart(file);
  change.members?.(members);
  if (change.journal !== undefined) {
    const scratch = `${to}.sqlite3`;
    writeFileSync(scratch, members.get('journal.sqlite3') ?? '');
    inDatabase(scratch, change.journal);
    members.set('journal.sqlite3', readFileSync(scratch));
  }
  const manifest = JSON.parse(members.get('manifest.json')?.toString() ?? '{}') as Record<string, unknown>;
  for (const [name, bytes] of members) if (name !== 'manifest.json') manifest[name] = sha256Hex(bytes);
  change.manifest?.(manifest);
  const text = canonicalJson(manifest);
  members.set('manifest.json', Buffer.from(change.manifestText?.(text) ?? text));
  writeFileSync(to, await archiveBytes([...members].map(([name, source]) => ({ name, source }))));
  return to;
}

/** Whether everything in the home verifies, and how many entries it has. */
export async function verified(world: World): Promise<readonly [boolean, number]> {
  const home = openHome(world);
  try {
    const { valid, events } = await verifyHome(home, { deep: true });
    return [valid, events];
  } finally {
    home.close();
  }
}
