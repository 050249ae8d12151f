/** Encrypted backups: nothing in clear leaves the home, and what comes back is the home. */
import { deepStrictEqual, match, ok, rejects, strictEqual } from 'node:assert';
import { readdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { backupHome, type BackupOptions, type BackupReport } from '../../../src/app/backup/backup.js';
import { sha256Hex } from '../../../src/base/hash.js';
import type { TemporaryHome } from '../../support/temporary-home.js';
import { homeForEach } from '../../support/temporary-home.js';
import { grow, refusalOf, restore, verified, worldBeside } from './archives.js';

const passphrase = 'long enough to keep';
const homes = homeForEach();

async function backup(home: TemporaryHome, name: string, options: BackupOptions = { work_factor: 4 }): Promise<BackupReport> {
  const opened = home.open();
  try {
    return await backupHome(opened, join(home.root, name), { passphrase, ...options });
  } finally {
    opened.close();
  }
}

describe('an encrypted backup', () => {
  it('is NAME.zip.age, holds nothing in clear, and restores the home', async () => {
    const home = homes.get();
    grow(home, 3);
    const report = await backup(home, 'backup.zip', {});
    const file = join(home.root, 'backup.zip.age');
    strictEqual(report.path, file);
    const bytes = readFileSync(file);
    strictEqual(report.sha256, sha256Hex(bytes));
    match(bytes.toString('latin1'), /^age-encryption\.org\/v1\n-> scrypt \S{22} 18\n/);
    for (const clear of ['journal.sqlite3', 'SQLite format', readFileSync(join(home.world.directory, 'api.token'), 'latin1')])
      ok(!bytes.includes(clear), clear);
    deepStrictEqual(
      readdirSync(home.world.directory).filter((name) => name.includes('tmp')),
      [],
    );
    const world = worldBeside(home);
    const restored = await restore(world, file, { passphrase });
    strictEqual(restored.restored.head, report.head);
    deepStrictEqual((await verified(world))[0], true);
    await rejects(backup(home, 'backup.zip.age'), /exists/, 'it is never written over');
  });

  it('leaves nothing where the passphrase is missing or another one', async () => {
    const home = homes.get();
    const { path = '' } = await backup(home, 'backup.zip');
    const world = worldBeside(home);
    const { code, detail } = await refusalOf(world, path);
    deepStrictEqual([code, detail], ['invalid', `${path} is encrypted: its passphrase is needed`]);
    strictEqual((await refusalOf(world, path, { passphrase: 'another one' })).code, 'unauthorized');
    // Its ending is not what tells it.
    renameSync(path, join(home.root, 'renamed.zip'));
    strictEqual((await restore(world, join(home.root, 'renamed.zip'), { passphrase })).valid, true);
  });

  it('is a series of encrypted parts beyond the limit, restored from any of them', async () => {
    const home = homes.get();
    grow(home, 60);
    const small = 65_536;
    const { paths = [] } = await backup(home, 'big.zip', { bytes_max: small, work_factor: 4 });
    ok(paths.length > 1);
    paths.forEach((path, i) => strictEqual(path, join(home.root, `big.00${i + 1}.zip.age`)));
    const world = worldBeside(home);
    strictEqual((await restore(world, paths.at(-1) ?? '', { bytes_max: small, passphrase })).valid, true);
  });
});
