/** `publish`: what a reader finds, what a second run writes, and what is never overwritten. */
import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { publish, type PublishReport } from '../../src/app/log/publish/publish.js';
import { pause } from '../../src/app/home/control.js';
import { openCheckpoint } from '../../src/journal/note.js';
import { homeForEach } from '../support/temporary-home.js';
import { filesIn, grow, publishTo, readAt, readPublished } from '../support/published.js';

const homes = homeForEach();
const out = (): string => join(homes.get().root, 'public');
const key = (): Buffer => homes.get().with((home) => home.signer.publicKey);
const run = (): Promise<PublishReport> => publishTo(homes.get(), out());

describe('publish', () => {
  for (const size of [1, 2, 255, 256, 257, 511, 512, 700]) {
    it(`publishes ${size} entries that are found by following the checkpoint`, async () => {
      grow(homes.get(), size);
      const report = await run();
      assert.equal(report.size, size);
      const found = readPublished(out(), key());
      assert.deepEqual([found?.size, found?.root.toString('hex'), found?.origin], [size, report.root, report.origin]);
      assert.equal(report.written, filesIn(out()).size);
      assert.deepEqual([report.kept, report.cosignatures, report.warnings], [0, [], []]);
    });
  }

  it('writes only what is new, and nothing where nothing is', async () => {
    grow(homes.get(), 300);
    await run();
    const before = filesIn(out());
    const again = await run();
    assert.deepEqual([again.written, again.kept], [0, before.size]);
    assert.deepEqual(filesIn(out()), before);
    grow(homes.get(), 301);
    const next = await run();
    // The last tile and bundle, and the checkpoint; the full ones, and level 1, are unchanged.
    assert.deepEqual([next.written, next.kept], [3, 3]);
    const after = filesIn(out());
    const fresh = [...after.keys()].filter((name) => after.get(name) !== before.get(name)).toSorted();
    assert.deepEqual(fresh, ['checkpoint', 'tile/0/001.p/45', 'tile/entries/001.p/45']);
    assert.equal(readPublished(out(), key())?.size, 301);
  });

  it('works while paused, and in every step of a growing log older checkpoints still lead to their tiles', async () => {
    await homes.get().with(async (home) => await pause(home, 'me'));
    const older: string[] = [];
    for (const size of [3, 200, 255, 256, 400, 512, 515]) {
      grow(homes.get(), size);
      await run();
      older.push(readFileSync(join(out(), 'checkpoint'), 'utf8'));
      for (const note of older) readAt(out(), openCheckpoint(note, key())!);
    }
  });

  it('removes partial tiles one publish after the full one was written', async () => {
    grow(homes.get(), 200);
    await run();
    grow(homes.get(), 300);
    await run();
    assert.ok(existsSync(join(out(), 'tile/0/000.p/200')));
    writeFileSync(join(out(), 'tile/0/000.p/note.txt'), 'mine');
    writeFileSync(join(out(), 'tile/0/000.p/7'), 'mine too');
    await run();
    assert.deepEqual([...filesIn(out()).keys()].toSorted(), [
      'checkpoint',
      'tile/0/000',
      'tile/0/000.p/7',
      'tile/0/000.p/note.txt',
      'tile/0/001.p/44',
      'tile/1/000.p/1',
      'tile/entries/000',
      'tile/entries/001.p/44',
    ]);
    assert.ok(!existsSync(join(out(), 'tile/entries/000.p')));
  });

  it('writes files that everybody can read, whatever the umask', async () => {
    const before = process.umask(0o077);
    try {
      grow(homes.get(), 300);
      await run();
    } finally {
      process.umask(before);
    }
    for (const [name, content] of filesIn(out())) assert.equal(content.split(' ')[0], '644', name);
    for (const name of ['.', 'tile', 'tile/0', 'tile/0/001.p', 'tile/entries', 'tile/1']) {
      assert.equal((statSync(join(out(), name)).mode & 0o777).toString(8), '755', name);
    }
  });

  it('leaves an existing directory its mode, and foreign files their content', async () => {
    mkdirSync(join(out(), 'tile'), { recursive: true });
    chmodSync(out(), 0o750);
    writeFileSync(join(out(), 'index.html'), 'hello');
    writeFileSync(join(out(), 'tile', 'notes'), 'mine');
    writeFileSync(join(out(), '.publish-mine'), 'mine');
    await run();
    assert.equal((statSync(out()).mode & 0o777).toString(8), '750');
    for (const name of ['index.html', 'tile/notes', '.publish-mine']) assert.ok(existsSync(join(out(), name)), name);
  });

  it('removes what a killed publisher left, not what a living one writes', async () => {
    mkdirSync(out());
    const [dead, alive] = [`.publish-4194304-${'ab'.repeat(6)}.tmp`, `.publish-${process.ppid}-${'cd'.repeat(6)}.tmp`];
    for (const name of [dead, alive]) writeFileSync(join(out(), name), 'half');
    await run();
    assert.deepEqual([existsSync(join(out(), dead)), existsSync(join(out(), alive))], [false, true]);
  });

  it('follows a link to a directory, and makes the directories above', async () => {
    const elsewhere = join(homes.get().root, 'disk', 'two', 'log');
    await publishTo(homes.get(), elsewhere);
    symlinkSync(elsewhere, out());
    assert.equal((await run()).written, 0);
  });

  it('reports its progress', async () => {
    grow(homes.get(), 600);
    const opened = homes.get().open();
    const seen: string[] = [];
    await publish(opened, { directory: out(), onProgress: (done, total) => seen.push(`${done}/${total}`) });
    opened.close();
    assert.deepEqual(seen, ['1/4', '2/4', '3/4', '4/4']);
  });
});
