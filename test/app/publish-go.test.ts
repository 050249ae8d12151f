/** A published log audited by Go's checksum database packages (golang.org/x/mod/sumdb), which share no code with this program. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkpoint } from '../../src/app/log/checkpoint.js';
import { atEffort } from '../support/effort.js';
import { packageRoot } from '../support/package-root.js';
import { grow, publishTo } from '../support/published.js';
import { real } from '../support/real.js';
import { homeForEach } from '../support/temporary-home.js';

const source = join(packageRoot(import.meta.url), 'test', 'support', 'go', 'audit.go');

real('go', "a published log, audited with Go's sumdb", () => {
  const homes = homeForEach();
  const folder = mkdtempSync(join(tmpdir(), 'agent-go-'));
  const program = join(folder, 'audit');
  const path = (name: string): string => join(homes.get().root, name);
  const out = (): string => path('public');

  before(() => {
    // Debian's packages, without modules and so without a network.
    const settings = {
      GO111MODULE: 'off',
      GOPATH: '/usr/share/gocode',
      GOFLAGS: '',
      GOCACHE: join(folder, 'cache'),
      CGO_ENABLED: '0',
    };
    const built = spawnSync('go', ['build', '-o', program, source], { env: { ...process.env, ...settings }, encoding: 'utf8' });
    assert.equal(built.status, 0, built.stderr);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const save = (name: string): string => homes.get().with((home) => checkpoint(home, path(name)).vkey);
  const audit = (vkey: string, ...older: readonly string[]): readonly [number | null, string] => {
    const { status, stdout, stderr } = spawnSync(program, [out(), vkey, ...older.map(path)], { encoding: 'utf8' });
    return [status, stdout + stderr];
  };

  it('every record and every older checkpoint, as the log grows', async () => {
    const older: string[] = [];
    for (const size of [1, 2, 255, 256, 257, 700, ...atEffort([], [66_000])]) {
      grow(homes.get(), size);
      const vkey = save(`at-${size}`);
      await publishTo(homes.get(), out());
      older.push(`at-${size}`);
      assert.deepEqual(audit(vkey, ...older), [0, `${size} records, ${older.length} older checkpoints\n`]);
    }
  });

  it('it says no to an altered tile, entry or checkpoint, and to another key', async () => {
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
});
