import { deepStrictEqual, match, ok, rejects, strictEqual } from 'node:assert';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import {
  backupHome,
  type BackupOptions,
  type BackupReport,
  partPath,
  archive_part_margin_bytes,
  snapshot_step_bytes_max,
} from '../../../src/app/backup/backup.js';
import { makeStaging } from '../../../src/app/home/staging.js';
import { simulation_outcome_bytes_max } from '../../../src/base/limits.js';
import { sha256Hex } from '../../../src/base/bytes.js';
import { createProcessLock } from '../../../src/store/process-lock.js';
import { homeForEach, type TemporaryHome } from '../../support/app/temporary-home.js';
import { backup, grow, memberNames, refusalOf, restore, takeApart, verified, worldBeside } from './archives.js';
import { laterRefusalOf } from '../../support/app/given-home.js';
import { assertNone } from '../../support/lists.js';

const homes = homeForEach();

const refusal = async (work: Promise<unknown>): Promise<string> => (await laterRefusalOf(() => work))?.code ?? 'accepted';

describe('backup', () => {
  it('writes the four files and their manifest into a private archive', async () => {
    const home = homes.get();
    grow(home, 3);
    const report = await backup(home);
    const members = await takeApart(report.file);
    deepStrictEqual([...members.keys()], memberNames);
    const manifest = JSON.parse(members.get('manifest.json')?.toString() ?? '') as Record<string, unknown>;
    for (const name of memberNames.slice(0, 4)) strictEqual(manifest[name], sha256Hex(members.get(name) ?? ''), name);
    for (const name of ['config.json', 'identity.key', 'api.token'])
      deepStrictEqual(members.get(name), readFileSync(join(home.directory, name)), name);
    const { events, head, root } = report;
    const note = home.with(({ db }) => db.prepare('SELECT note FROM checkpoint ORDER BY size DESC').pluck().get());
    deepStrictEqual(manifest['@journal'], { events, head, root, checkpoint: note });
    deepStrictEqual([events, head], [4, home.with(({ writer }) => writer.head.hash)]);
    strictEqual(report.sha256, sha256Hex(readFileSync(report.file)));
    strictEqual(report.bytes, statSync(report.file).size);
    strictEqual(statSync(report.file).mode & 0o777, 0o600);
    deepStrictEqual(readdirSync(home.root).toSorted(), ['backup.zip', 'home', 'witness']);
  });

  it('gives the same bytes for the same state, and others for another', async () => {
    const home = homes.get();
    grow(home, 3);
    const first = await backup(home, 'a.zip');
    const again = await backup(home, 'b.zip');
    strictEqual(again.sha256, first.sha256);
    home.with(({ writer }) =>
      writer.transact((tx) => tx.append('@control', { type: 'control.paused', document: { state: 'paused' } })),
    );
    ok((await backup(home, 'c.zip')).sha256 !== first.sha256);
  });

  it('never overwrites a file, a directory, a link or a dangling link, and leaves them unchanged', async () => {
    const home = homes.get();
    writeFileSync(join(home.root, 'file.zip'), 'mine');
    mkdirSync(join(home.root, 'folder.zip'));
    symlinkSync('file.zip', join(home.root, 'link.zip'));
    symlinkSync('nowhere', join(home.root, 'dangling.zip'));
    const names = readdirSync(home.root).toSorted();
    for (const name of ['file.zip', 'folder.zip', 'link.zip', 'dangling.zip'])
      strictEqual(await refusal(backup(home, name)), 'exists', name);
    strictEqual(readFileSync(join(home.root, 'file.zip'), 'utf8'), 'mine');
    deepStrictEqual(readdirSync(home.root).toSorted(), names);
  });

  it('reports where a destination cannot be, and makes no directory', async () => {
    const home = homes.get();
    writeFileSync(join(home.root, 'plain'), '');
    const names = readdirSync(home.root);
    for (const path of ['plain/backup.zip', 'new/backup.zip', 'new/deep/backup.zip'])
      strictEqual(await refusal(backup(home, path)), 'not_found', path);
    deepStrictEqual(readdirSync(home.root), names);
  });

  it('refuses a place in the home itself, under whatever name', async () => {
    const home = homes.get();
    mkdirSync(join(home.directory, 'kept'));
    symlinkSync(home.directory, join(home.root, 'link'));
    for (const path of ['home/backup.zip', 'home/kept/backup.zip', 'link/backup.zip', 'witness/../home/backup.zip'])
      strictEqual(await refusal(backup(home, path)), 'invalid', path);
    deepStrictEqual(readdirSync(join(home.directory, 'kept')), []);
    strictEqual(existsSync(join(home.directory, 'backup.zip')), false);
  });

  it('refuses a damaged journal instead of copying it, and leaves nothing', async () => {
    const home = homes.get();
    grow(home, 3);
    home.with(({ db }) => {
      db.exec('DROP TRIGGER events_update');
      db.exec("UPDATE events SET body = replace(body, 'mission 1', 'mission X') WHERE seq = 2");
    });
    strictEqual(await refusal(backup(home)), 'integrity');
    deepStrictEqual(readdirSync(home.root).toSorted(), ['home', 'witness']);
  });
});

describe('backup: what killed commands left', () => {
  /** A staging directory with what was staged, and with its lock free. */
  function abandoned(directory: string): string {
    mkdirSync(directory);
    createProcessLock(join(directory, 'staging.lock'), '1.2.3').release();
    writeFileSync(join(directory, 'archive-1.zip'), 'with the key');
    return directory;
  }

  it('removes it for another name in the same directory, and leaves what may be in use or is not its own', async () => {
    const home = homes.get();
    const beside = (name: string): string => join(home.root, name);
    abandoned(beside('other.zip.tmp-aaaaaaaaaaaa'));
    const [begun, lockless, linked] = ['b', 'c', 'd'].map((digit) => beside(`other.zip.tmp-${digit.repeat(12)}`));
    if (begun === undefined || lockless === undefined || linked === undefined) throw new Error('three names');
    for (const path of [begun, lockless, linked]) mkdirSync(path);
    createProcessLock(join(begun, 'staging.lock'), '1.2.3').release();
    for (const path of [lockless, linked]) writeFileSync(join(path, 'mine'), '');
    symlinkSync(join(home.directory, 'lock.sqlite3'), join(linked, 'staging.lock'));
    symlinkSync(abandoned(beside('target')), beside('link.tmp-eeeeeeeeeeee'));
    const running = makeStaging(beside('running.zip'));
    writeFileSync(running.file('archive-1.zip'), 'with the key');
    await backup(home);
    const left = [begun, lockless, linked, running.directory].map((path) => basename(path));
    const names = ['backup.zip', ...left, 'link.tmp-eeeeeeeeeeee', 'target', 'home', 'witness'];
    deepStrictEqual(readdirSync(home.root).toSorted(), names.toSorted());
    deepStrictEqual(readdirSync(linked).toSorted(), ['mine', 'staging.lock']);
    running.remove();
  });

  it('removes what an encrypted backup left in the home, at the next backup and at the next command alone', async () => {
    const home = homes.get();
    const opened = home.open();
    const left = join(home.directory, 'backup.tmp-aaaaaaaaaaaa');
    abandoned(left);
    await backupHome(opened, join(home.root, 'backup.zip'));
    strictEqual(existsSync(left), false);
    abandoned(left);
    home.with(() => strictEqual(existsSync(left), true, 'another process has the home open'));
    opened.close();
    home.with(() => strictEqual(existsSync(left), false));
  });
});

describe('backup: changes meanwhile', () => {
  it('takes the private files of one moment for all parts, and refuses another configuration', async () => {
    const home = homes.get();
    grow(home, 300);
    const opened = home.open();
    const token = join(home.directory, 'api.token');
    const [before, other] = [readFileSync(token), Buffer.from('x'.repeat(43))];
    const rotate = (stage: string): void => {
      if (stage === 'archive') writeFileSync(token, other);
    };
    const series = { bytes_max: 65_536, onProgress: rotate };
    const { paths = [] } = await backupHome(opened, join(home.root, 'big.zip'), series);
    for (const path of paths) deepStrictEqual((await takeApart(path)).get('api.token'), before, path);
    const edit = (stage: string): void => {
      if (stage === 'copy') writeFileSync(join(home.directory, 'config.json'), '{}');
    };
    const outcome = await refusal(backupHome(opened, join(home.root, 'edited.zip'), { onProgress: edit }));
    strictEqual(outcome, 'conflict');
    opened.close();
  });
});

describe('backup: a series', () => {
  const small = 65_536;

  it('writes a journal beyond the limit in parts, each within it, with its place in the series', async () => {
    const home = homes.get();
    grow(home, 300);
    const { paths = [], sha256, bytes, events } = await backup(home, 'big.zip', small);
    ok(paths.length > 2, `${paths.length} parts`);
    deepStrictEqual(
      paths,
      paths.map((_, i) => partPath(join(home.root, 'big.zip'), i + 1)),
    );
    match(paths[0] ?? '', /big\.001\.zip$/);
    let next = 1;
    for (const [i, path] of paths.entries()) {
      const members = await takeApart(path);
      ok([...members.values()].reduce((sum, { length }) => sum + length, 0) <= small, path);
      const manifest = JSON.parse(members.get('manifest.json')?.toString() ?? '') as Record<string, Record<string, number>>;
      const { number, of, first, last = 0 } = manifest['@series'] ?? {};
      deepStrictEqual([number, of, first], [i + 1, paths.length, next]);
      next = last + 1;
    }
    strictEqual(next, events + 1);
    const all = paths.map((path) => readFileSync(path));
    deepStrictEqual([sha256, bytes], [sha256Hex(Buffer.concat(all)), Buffer.concat(all).length]);
  });

  it('never overwrites one of its parts, and takes back those it had linked', async () => {
    const home = homes.get();
    grow(home, 300);
    writeFileSync(join(home.root, 'big.002.zip'), 'mine');
    strictEqual(await refusal(backup(home, 'big.zip', small)), 'exists');
    deepStrictEqual(readdirSync(home.root).toSorted(), ['big.002.zip', 'home', 'witness']);
    strictEqual(readFileSync(join(home.root, 'big.002.zip'), 'utf8'), 'mine');
  });
});

const passphrase = 'long enough to keep';

const encrypted = (home: TemporaryHome, name: string, options: BackupOptions = { work_factor: 4 }): Promise<BackupReport> =>
  home.with((opened) => backupHome(opened, join(home.root, name), { passphrase, ...options }));

describe('an encrypted backup', () => {
  it('is NAME.zip.age, holds nothing in clear, and restores the home', async () => {
    const home = homes.get();
    grow(home, 3);
    const report = await encrypted(home, 'backup.zip', {});
    const file = join(home.root, 'backup.zip.age');
    strictEqual(report.path, file);
    const bytes = readFileSync(file);
    strictEqual(report.sha256, sha256Hex(bytes));
    match(bytes.toString('latin1'), /^age-encryption\.org\/v1\n-> scrypt \S{22} 18\n/);
    for (const clear of ['journal.sqlite3', 'SQLite format', readFileSync(join(home.world.directory, 'api.token'), 'latin1')])
      ok(!bytes.includes(clear), clear);
    assertNone(readdirSync(home.world.directory), (name) => name.includes('tmp'));
    const world = worldBeside(home);
    const restored = await restore(world, file, { passphrase });
    strictEqual(restored.restored.head, report.head);
    deepStrictEqual((await verified(world))[0], true);
    await rejects(encrypted(home, 'backup.zip.age'), /exists/, 'it is never written over');
  });

  it('leaves nothing where the passphrase is missing or another one', async () => {
    const home = homes.get();
    const { path = '' } = await encrypted(home, 'backup.zip');
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
    const { paths = [] } = await encrypted(home, 'big.zip', { bytes_max: small, work_factor: 4 });
    ok(paths.length > 1);
    paths.forEach((path, i) => strictEqual(path, join(home.root, `big.00${i + 1}.zip.age`)));
    const world = worldBeside(home);
    strictEqual((await restore(world, paths.at(-1) ?? '', { bytes_max: small, passphrase })).valid, true);
  });
});

/** Records one entry for each size, with a blob of that size. */
function record(home: TemporaryHome, sizes: readonly number[]): void {
  home.with(({ writer }) => {
    writer.transact((tx) => {
      for (const [i, size] of sizes.entries()) {
        const envelope_blob = tx.putBlob(Buffer.alloc(size, i + 1));
        tx.append('@bus', { type: 'bus.received', document: { peer: '127.0.0.1:1', envelope_blob } });
      }
    });
  });
}

describe('backup: the margin of a part', () => {
  it('holds the largest step and the largest blob, so that no part exceeds the limit', async () => {
    const home = homes.get();
    // A part may have twice the margin, and is closed when it is half full. Each of these blobs is more than a step.
    const closed_at = archive_part_margin_bytes;
    const large = 2 * snapshot_step_bytes_max;
    const fills = Array.from({ length: Math.floor(closed_at / large) - 1 }, () => large);
    const used = fills.reduce((sum, size) => sum + size, 0);
    // The last check sees a part that is almost closed; the largest blob comes into a step that is almost complete.
    const last = [closed_at - used - 131_072, snapshot_step_bytes_max - 16_384, simulation_outcome_bytes_max];
    record(home, [...fills, ...last, 1]);
    const { file, paths = [] } = await backup(home, 'big.zip', 2 * archive_part_margin_bytes);
    ok(paths.length > 1, `${paths.length} parts`);
    const world = worldBeside(home);
    await restore(world, file);
    strictEqual((await verified(world))[0], true);
  });
});
