import { deepStrictEqual, fail, match, notStrictEqual, strictEqual } from 'node:assert';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UnknownOutcome } from '../../../src/base/refusal.js';
import { openHome } from '../../../src/app/home/open.js';
import { readEntry } from '../../../src/journal/reader.js';
import { readControl } from '../../../src/tables/control.js';
import { homeForEach, submit, uuidOf } from '../../support/app/temporary-home.js';
import { backup, grow, leftovers, refusalOf, restore, takeApart, verified, withHome, worldBeside } from './archives.js';

const homes = homeForEach();

describe('restore', () => {
  it('makes the same home again: entries, files, tables; paused, under a new incarnation and origin', async () => {
    const home = homes.get();
    grow(home, 5);
    const { file, sha256, events, head, root } = await backup(home);
    const world = worldBeside(home);
    const report = await restore(world, file, { reason: '💽'.repeat(2_000), actor: 'anna' });
    deepStrictEqual([report.valid, report.state, report.behind, report.events], [true, 'paused', null, events + 1]);
    deepStrictEqual(report.restored, { events, head, root });
    for (const name of ['identity.key', 'api.token', 'config.json'])
      deepStrictEqual(readFileSync(join(world.directory, name)), readFileSync(join(home.directory, name)), name);
    deepStrictEqual(await verified(world), [true, events + 1]);
    withHome(world, ({ db, writer }) => {
      strictEqual(readControl(db).state, 'paused');
      const { event, stream, incarnation } = readEntry(db, events + 1) ?? {};
      strictEqual(stream, '@control');
      deepStrictEqual(event, {
        type: 'journal.restored',
        document: {
          state: 'paused',
          archive_sha256: sha256,
          events,
          head,
          root,
          behind: null,
          incarnation,
          reason: '💽'.repeat(2_000),
          actor: 'anna',
        },
      });
      match(writer.origin, /^agent-journal\/[0-9a-f]{16}\/[0-9a-f]{8}$/);
      deepStrictEqual(
        home.with((old) => old.db.prepare('SELECT * FROM mission ORDER BY 1').all()),
        db.prepare('SELECT * FROM mission ORDER BY 1').all(),
      );
      strictEqual(writer.transact(submit(77)), events + 2);
    });
  });

  it('is private whatever the umask, and leaves nothing beside the home', async () => {
    const home = homes.get();
    const { file } = await backup(home);
    for (const mask of [0o000, 0o077]) {
      const world = worldBeside(home, `under-${mask}`);
      const before = process.umask(mask);
      try {
        await restore(world, file);
      } finally {
        process.umask(before);
      }
      strictEqual(statSync(world.directory).mode & 0o777, 0o700);
      const names = readdirSync(world.directory).toSorted();
      deepStrictEqual(names, ['api.token', 'ballast', 'config.json', 'identity.key', 'journal.sqlite3', 'lock.sqlite3']);
      for (const name of names) strictEqual(statSync(join(world.directory, name)).mode & 0o777, 0o600, name);
      deepStrictEqual(leftovers(world), [`under-${mask}`]);
    }
  });

  it('can be backed up and restored again, and is not reported as behind a branch that was left knowingly', async () => {
    const home = homes.get();
    grow(home, 2);
    const first = await backup(home);
    grow(home, 3);
    const once = worldBeside(home, 'once');
    strictEqual((await restore(once, first.file)).behind?.entries, 3);
    const second = await backup({ root: home.root, open: () => openHome(once) }, 'second.zip');
    const twice = worldBeside(home, 'twice');
    strictEqual((await restore(twice, second.file)).behind, null);
    deepStrictEqual(await verified(twice), [true, 5]);
  });

  it('makes a new token when asked to', async () => {
    const home = homes.get();
    const { file } = await backup(home);
    const world = worldBeside(home);
    await restore(world, file, { newToken: true });
    const [old, made] = [home.directory, world.directory].map((each) => readFileSync(join(each, 'api.token'), 'utf8'));
    notStrictEqual(made, old);
    match(made ?? '', /^[A-Za-z0-9_-]{43}$/);
  });

  it('refuses an existing destination: a file, a directory, a link, a dangling one; and one in a home, also by a link', async () => {
    const home = homes.get();
    const { file } = await backup(home);
    writeFileSync(join(home.root, 'file'), 'mine');
    mkdirSync(join(home.root, 'empty'));
    symlinkSync('empty', join(home.root, 'link'));
    symlinkSync('nowhere', join(home.root, 'dangling'));
    mkdirSync(join(home.directory, 'kept'));
    symlinkSync('home/kept', join(home.root, 'inside'));
    const names = readdirSync(home.root).toSorted();
    for (const name of ['file', 'empty', 'link', 'dangling', 'home', 'dangling/new', 'inside/new']) {
      await restore(worldBeside(home, name), file).then(
        () => Promise.reject(new Error(name)),
        (error: { refusal: { code: string } }) =>
          strictEqual(error.refusal.code, name === 'dangling/new' ? 'invalid' : 'exists', name),
      );
    }
    deepStrictEqual(readdirSync(home.root).toSorted(), names);
  });

  it('creates missing parents, and removes them again when it is refused', async () => {
    const home = homes.get();
    const { file } = await backup(home);
    const world = worldBeside(home, 'a/b/home');
    strictEqual((await refusalOf(world, file, { expectHead: `9:${'0'.repeat(16)}` })).code, 'rollback');
    deepStrictEqual(leftovers(worldBeside(home, 'a')), []);
    const cause = Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_WRITE' });
    const times = [0];
    // The second time is that of the entry: instead of giving it, this fails as the commit may.
    const clock = (): number => times.pop() ?? fail(new UnknownOutcome('the commit failed', cause));
    strictEqual((await refusalOf({ ...world, clock }, file)).code, 'not_writable');
    await restore(world, file);
    deepStrictEqual(await verified(world), [true, 2]);
  });
});

describe('restore: comparison with newer entries', () => {
  it('reports how many entries the archive lacks by a witness of the same key, and continues', async () => {
    const home = homes.get();
    grow(home, 2);
    const { file } = await backup(home);
    grow(home, 2);
    const note = home.with(({ db }) => db.prepare('SELECT note FROM checkpoint ORDER BY size DESC').pluck().get());
    const world = worldBeside(home);
    const { behind } = await restore(world, file);
    deepStrictEqual(behind, { entries: 2, checkpoint: note });
    deepStrictEqual(await verified(world), [true, 4]);
  });

  it('counts what is missing under its own origin alone after a restore drill that grew', async () => {
    const home = homes.get();
    grow(home, 2);
    const drill = worldBeside(home, 'drill');
    await restore(drill, (await backup(home, 'old.zip')).file);
    withHome(drill, ({ writer }) => {
      for (let n = 20; n < 30; n++) writer.transact(submit(n));
    });
    const { file } = await backup(home, 'newest.zip');
    const newest = await restore(worldBeside(home, 'newest'), file);
    deepStrictEqual([newest.behind?.entries, newest.compared], [0, 2]);
    grow(home, 2);
    strictEqual((await restore(worldBeside(home, 'older'), file)).behind?.entries, 2);
  });

  it('reports another continuation of the same length as a fork with nothing to count', async () => {
    const home = homes.get();
    grow(home, 2);
    const { file } = await backup(home);
    const other = home.copy();
    grow(home, 1);
    other.with(({ writer }) => writer.transact(submit(9, 'another')));
    const fork = await backup(other, 'fork.zip');
    strictEqual((await restore(worldBeside(home), fork.file)).behind?.entries, 0);
    other.remove();
    strictEqual((await restore(worldBeside(home, 'again'), file)).behind?.entries !== undefined, true);
  });

  it('reports missing entries without a witness only with --against or --expect-head', async () => {
    const home = homes.get();
    grow(home, 2);
    const { file } = await backup(home);
    grow(home, 2);
    const note = home.with(({ db }) => String(db.prepare('SELECT note FROM checkpoint ORDER BY size DESC').pluck().get()));
    const env = { AGENT_WITNESS: join(home.root, 'other-witness') };
    const alone = await restore(worldBeside(home, 'one', env), file);
    deepStrictEqual([alone.behind, alone.compared], [null, 0]);
    const against = join(home.root, 'note');
    writeFileSync(against, note);
    rmSync(env.AGENT_WITNESS, { recursive: true });
    strictEqual((await restore(worldBeside(home, 'two', env), file, { against })).behind?.entries, 2);
    writeFileSync(against, note.replace('5', '6'));
    strictEqual((await refusalOf(worldBeside(home, 'three', env), file, { against })).code, 'verification_failed');
  });

  it('checks the expected head, short or whole, and the expected identity', async () => {
    const home = homes.get();
    grow(home, 2);
    const { file, events, head } = await backup(home);
    const short = `${events}:${head.slice(0, 16)}`;
    for (const [i, expectHead] of [short, head, `2:${home.with(({ db }) => readEntry(db, 2)?.hash.slice(0, 16))}`].entries())
      strictEqual((await restore(worldBeside(home, `ok-${i}`), file, { expectHead })).valid, true);
    const world = worldBeside(home);
    strictEqual((await refusalOf(world, file, { expectHead: `9:${head.slice(0, 16)}` })).code, 'rollback');
    strictEqual((await refusalOf(world, file, { expectHead: `3:${'0'.repeat(16)}` })).code, 'fork');
    strictEqual((await refusalOf(world, file, { expectHead: 'nine' })).code, 'invalid');
    const foreign = { expectIdentity: `urn:agialpha:ed25519:${'0'.repeat(64)}` };
    match((await refusalOf(world, file, foreign)).detail, /not to the identity that was expected/);
    for (const [i, expectIdentity] of [home.report.identity, home.report.public_key].entries())
      strictEqual((await restore(worldBeside(home, `own-${i}`), file, { expectIdentity })).valid, true);
  });
});

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
    const renamed = join(home.root, 'renamed.zip');
    put(renamed, first);
    match((await refusalOf(world, renamed, { bytes_max: small })).detail, /keep the names that backup gave/);
    strictEqual((await restore(world, first, { bytes_max: small })).valid, true);
    strictEqual((await takeApart(first)).size, 5);
  });
});
