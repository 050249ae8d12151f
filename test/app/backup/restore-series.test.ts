/** Archives of a series: restored whole from any part, or not at all. */
import { deepStrictEqual, match, strictEqual } from 'node:assert';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readEntry } from '../../../src/journal/reader.js';
import { homeForEach, submit, uuidOf } from '../../support/temporary-home.js';
import { backup, grow, refusalOf, restore, takeApart, verified, withHome, worldBeside } from './archives.js';

const homes = homeForEach();

describe('restore: a series', () => {
  const small = 65_536;

  it('is restored from any of its parts, whole', async () => {
    const home = homes.get();
    grow(home, 300);
    const { paths = [], sha256 } = await backup(home, 'big.zip', small);
    for (const [i, path] of [paths[0], paths[1], paths.at(-1)].entries()) {
      const world = worldBeside(home, `restored-${i}`);
      await restore(world, path ?? '', { bytes_max: small });
      deepStrictEqual(await verified(world), [true, 302]);
      withHome(world, ({ db }) => {
        const { event } = readEntry(db, 302) ?? {};
        strictEqual(event?.type === 'journal.restored' && event.document.archive_sha256, sha256);
        strictEqual(db.prepare('SELECT count(*) FROM mission WHERE id = ?').pluck().get(uuidOf(300)), 1);
      });
    }
  });

  it('is refused as a whole when a part is missing, swapped, from another backup or renamed', async () => {
    const home = homes.get();
    grow(home, 300);
    const { paths = [] } = await backup(home, 'big.zip', small);
    const [first = '', second = '', third = ''] = paths;
    const bytes = new Map(paths.map((path) => [path, readFileSync(path)]));
    const world = worldBeside(home);
    const put = (path: string, from: string): void => writeFileSync(path, bytes.get(from) ?? '');
    rmSync(second);
    match((await refusalOf(world, first, { bytes_max: small })).detail, /has \d+ archives, and .*002\.zip is missing/);
    put(second, third);
    match((await refusalOf(world, first, { bytes_max: small })).detail, /002\.zip is not part 2 of \d+ of this series/);
    put(second, second);
    const other = home.copy();
    other.with(({ writer }) => writer.transact(submit(999)));
    const foreign = await backup(other, 'foreign.zip', small);
    writeFileSync(second, readFileSync(foreign.paths?.[1] ?? ''));
    other.remove();
    match((await refusalOf(world, first, { bytes_max: small })).detail, /is not part 2|belong to different backups/);
    put(second, second);
    put(join(home.root, 'renamed.zip'), first);
    bytes.set(join(home.root, 'renamed.zip'), bytes.get(first) ?? Buffer.of());
    put(join(home.root, 'renamed.zip'), first);
    match(
      (await refusalOf(world, join(home.root, 'renamed.zip'), { bytes_max: small })).detail,
      /keep the names that backup gave/,
    );
    strictEqual((await restore(world, first, { bytes_max: small })).valid, true);
    strictEqual((await takeApart(first)).size, 5);
  });
});
