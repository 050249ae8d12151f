/** `publish`: what a reader finds, what a second run writes, and what is never overwritten. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join, relative } from 'node:path';
import { pause } from '../../src/app/control/control.js';
import { exportText } from '../../src/app/exports/export.js';
import { checkpoint } from '../../src/app/log/checkpoint.js';
import type { PublishReport } from '../../src/app/log/publish.js';
import { openCheckpoint } from '../../src/journal/note.js';
import { storedSnapshot } from '../../src/state/stored.js';
import { root, scratch } from '../support/cli/cli-run.js';
import { commandLines } from '../support/cli/docs-block.js';
import { atEffort } from '../support/effort.js';
import { completed, forecast } from '../support/app/given-home.js';
import { filesIn, grow, publishTo, readAt, readPublished } from '../support/app/published.js';
import { real } from '../support/real.js';
import { writeAgent } from '../support/cli/scenario-run.js';
import { whileReplaced } from '../support/while-replaced.js';
import { folderForSuite, homeForEach } from '../support/app/temporary-home.js';

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

  it('syncs the names that a stopped publish left before it leads readers to them', async () => {
    await run();
    fs.rmSync(join(out(), 'checkpoint'));
    const synced = new Set<string>();
    const fsyncSync = (fd: number): unknown => synced.add(relative(out(), fs.readlinkSync(`/proc/self/fd/${fd}`)));
    const { renameSync: rename } = fs;
    let before: readonly string[] = [];
    const renameSync = (from: string, to: string): void => {
      before = [...synced].filter((name) => !name.endsWith('.tmp')).toSorted();
      rename(from, to);
    };
    assert.equal((await whileReplaced(fs, { fsyncSync, renameSync }, run)).written, 1);
    assert.deepEqual(before, ['', 'tile', 'tile/0', 'tile/0/000.p', 'tile/entries', 'tile/entries/000.p']);
  });

  it('works while paused, and in every step of a growing log older checkpoints still lead to their tiles', async () => {
    await homes.get().with(async (home) => await pause(home, 'me'));
    const older: string[] = [];
    for (const size of [3, 200, 255, 256, 400, 512, 515]) {
      grow(homes.get(), size);
      await run();
      older.push(fs.readFileSync(join(out(), 'checkpoint'), 'utf8'));
      for (const note of older) readAt(out(), openCheckpoint(note, key())!);
    }
  });

  it('removes partial tiles one publish after the full one was written', async () => {
    grow(homes.get(), 200);
    await run();
    grow(homes.get(), 300);
    await run();
    assert.ok(fs.existsSync(join(out(), 'tile/0/000.p/200')));
    fs.writeFileSync(join(out(), 'tile/0/000.p/note.txt'), 'mine');
    fs.writeFileSync(join(out(), 'tile/0/000.p/7'), 'mine too');
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
    assert.ok(!fs.existsSync(join(out(), 'tile/entries/000.p')));
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
      assert.equal((fs.statSync(join(out(), name)).mode & 0o777).toString(8), '755', name);
    }
  });

  it('leaves an existing directory its mode, and foreign files their content', async () => {
    fs.mkdirSync(join(out(), 'tile'), { recursive: true });
    fs.chmodSync(out(), 0o750);
    fs.writeFileSync(join(out(), 'index.html'), 'hello');
    fs.writeFileSync(join(out(), 'tile', 'notes'), 'mine');
    fs.writeFileSync(join(out(), '.publish-mine'), 'mine');
    await run();
    assert.equal((fs.statSync(out()).mode & 0o777).toString(8), '750');
    for (const name of ['index.html', 'tile/notes', '.publish-mine']) assert.ok(fs.existsSync(join(out(), name)), name);
  });

  it('removes what a killed publisher left, not what a living one writes', async () => {
    fs.mkdirSync(out());
    const [dead, alive] = [`.publish-4194304-${'ab'.repeat(6)}.tmp`, `.publish-${process.ppid}-${'cd'.repeat(6)}.tmp`];
    for (const name of [dead, alive]) fs.writeFileSync(join(out(), name), 'half');
    await run();
    assert.deepEqual([fs.existsSync(join(out(), dead)), fs.existsSync(join(out(), alive))], [false, true]);
  });

  it('follows a link to a directory, and makes the directories above', async () => {
    const elsewhere = join(homes.get().root, 'disk', 'two', 'log');
    await publishTo(homes.get(), elsewhere);
    fs.symlinkSync(elsewhere, out());
    assert.equal((await run()).written, 0);
  });
});

const [checkpointLine = '', buildLine = '', auditLine = ''] = commandLines(
  fs.readFileSync(join(root, 'docs', 'journal-format.md'), 'utf8'),
  'audit',
);

real('go', "a published log, audited with Go's sumdb", () => {
  const homes = homeForEach();
  const folder = folderForSuite();
  const program = join(folder, 'audit');
  const path = (name: string): string => join(homes.get().root, name);
  const out = (): string => path('public');

  before(() => {
    fs.symlinkSync(join(root, 'test'), join(folder, 'test'));
    const settings = { GOFLAGS: '', GOCACHE: join(folder, 'cache'), CGO_ENABLED: '0' };
    const options = { cwd: folder, env: { ...process.env, ...settings }, encoding: 'utf8' } as const;
    const built = spawnSync('/bin/sh', ['-c', buildLine], options);
    assert.equal(built.status, 0, built.stderr);
  });

  const save = (name: string): string => homes.get().with((home) => checkpoint(home, path(name)).vkey);
  const audit = (vkey: string, ...older: readonly string[]): readonly [number | null, string] => {
    const { status, stdout, stderr } = spawnSync(program, [out(), vkey, ...older.map(path)], { encoding: 'utf8' });
    return [status, stdout + stderr];
  };

  it('verifies every record and every older checkpoint as the log grows', async () => {
    const older: string[] = [];
    for (const size of [1, 2, 255, 256, 257, 700, ...atEffort([], [66_000])]) {
      grow(homes.get(), size);
      const vkey = save(`at-${size}`);
      await publishTo(homes.get(), out());
      older.push(`at-${size}`);
      assert.deepEqual(audit(vkey, ...older), [0, `${size} records, ${older.length} older checkpoints\n`]);
    }
  });

  it('rejects an altered tile, entry or checkpoint, and another key', async () => {
    grow(homes.get(), 300);
    const vkey = save('first');
    await publishTo(homes.get(), out());
    for (const [name, at, answer] of [
      // This version of tlog leaves some tiles to the check of the proofs made from them.
      ['tile/0/000', 3_000, /record 0: invalid transparency proof|downloaded inconsistent tile/],
      ['tile/1/000.p/1', 3, /downloaded inconsistent tile/],
      ['tile/entries/000', 600, /entry 17: it does not hash to its leaf/],
      ['checkpoint', 40, /checkpoint: (?:note has no verifiable signatures|invalid signature)/],
    ] as const) {
      const bytes = fs.readFileSync(join(out(), name));
      const other = Buffer.from(bytes);
      other[at] = (other[at] ?? 0) ^ 1;
      fs.writeFileSync(join(out(), name), other);
      const [status, said] = audit(vkey);
      assert.equal(status, 1, name);
      assert.match(said, answer);
      fs.writeFileSync(join(out(), name), bytes);
    }
    assert.equal(audit(vkey.replace(/\+[0-9a-f]{8}\+/, '+00000000+'))[0], 1);
    assert.deepEqual(audit(vkey, 'first'), [0, '300 records, 1 older checkpoints\n']);
  });

  it('opens the notes on the state and on the newest entry, and no altered one', async () => {
    const exported = await homes.get().with(async (home) => exportText(home, (await completed(home, forecast())).id).text);
    const { newest } = JSON.parse(exported) as { readonly newest: string };
    const notes = [homes.get().with(({ db }) => storedSnapshot(db).note() ?? ''), newest];
    const vkey = save('any');
    const opened = (note: string): readonly [number | null, string] => {
      fs.writeFileSync(path('note'), note);
      const { status, stdout } = spawnSync(program, ['-note', vkey, path('note')], { encoding: 'utf8' });
      return [status, stdout];
    };
    assert.deepEqual(
      notes.map((note) => note.split('\n')[0]),
      ['agent-state/1', 'agent-newest/1'],
    );
    for (const note of notes) {
      assert.deepEqual(opened(note), [0, note.slice(0, note.indexOf('\n\n') + 1)]);
      assert.deepEqual(opened(note.replace('/1', '/2')), [1, '']);
    }
  });

  it('does what docs/journal-format.md says', () => {
    const place = scratch();
    try {
      writeAgent(place.directory);
      fs.symlinkSync(program, join(place.directory, 'audit'));
      const env = { ...place.env, PATH: `${place.directory}:${place.env['PATH'] ?? ''}` };
      const run = (line: string): string => {
        const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', line], { cwd: place.directory, env, encoding: 'utf8' });
        assert.equal(status, 0, `${line}: ${stderr}`);
        return stdout;
      };
      place.json('init');
      const [, vkey = ''] = /^verifier key: (\S+)$/m.exec(run(checkpointLine)) ?? [];
      for (const args of [['pause'], ['resume'], ['publish', 'DIR']]) place.json(...args);
      const named = auditLine.replace(/'agent-journal\/[^']*'/, `'${vkey}'`);
      assert.notEqual(named, auditLine);
      assert.equal(run(named), '3 records, 1 older checkpoints\n');
    } finally {
      place.remove();
    }
  });
});
