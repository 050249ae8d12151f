/** A published log audited by Go's checksum database packages (golang.org/x/mod/sumdb), which share no code with this program. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkpoint } from '../../src/app/log/checkpoint.js';
import { root, scratch } from '../support/cli-run.js';
import { commandLines } from '../support/docs-block.js';
import { atEffort } from '../support/effort.js';
import { grow, publishTo } from '../support/published.js';
import { real } from '../support/real.js';
import { writeAgent } from '../support/scenario-run.js';
import { homeForEach } from '../support/temporary-home.js';

const [checkpointLine = '', buildLine = '', auditLine = ''] = commandLines(
  readFileSync(join(root, 'docs', 'journal-format.md'), 'utf8'),
  'audit',
);

real('go', "a published log, audited with Go's sumdb", () => {
  const homes = homeForEach();
  const folder = mkdtempSync(join(tmpdir(), 'agent-go-'));
  const program = join(folder, 'audit');
  const path = (name: string): string => join(homes.get().root, name);
  const out = (): string => path('public');

  before(() => {
    symlinkSync(join(root, 'test'), join(folder, 'test'));
    const settings = { GOFLAGS: '', GOCACHE: join(folder, 'cache'), CGO_ENABLED: '0' };
    const options = { cwd: folder, env: { ...process.env, ...settings }, encoding: 'utf8' } as const;
    const built = spawnSync('/bin/sh', ['-c', buildLine], options);
    assert.equal(built.status, 0, built.stderr);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

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
      const bytes = readFileSync(join(out(), name));
      const other = Buffer.from(bytes);
      other[at] = (other[at] ?? 0) ^ 1;
      writeFileSync(join(out(), name), other);
      const [status, said] = audit(vkey);
      assert.equal(status, 1, name);
      assert.match(said, answer);
      writeFileSync(join(out(), name), bytes);
    }
    assert.equal(audit(vkey.replace(/\+[0-9a-f]{8}\+/, '+00000000+'))[0], 1);
    assert.deepEqual(audit(vkey, 'first'), [0, '300 records, 1 older checkpoints\n']);
  });

  it('does what docs/journal-format.md says', () => {
    const place = scratch();
    try {
      writeAgent(place.directory);
      symlinkSync(program, join(place.directory, 'audit'));
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
