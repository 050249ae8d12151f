/**
 * The same input, seed, effort and engine version give the same bytes on every machine. A result that changed on purpose raises its
 * engine's version: UPDATE_GOLDEN=1 then writes the file anew.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import { describe, it } from 'mocha';
import { atEffort } from '../support/effort.js';
import { engineHashes } from '../support/engine-hashes.js';
import { packageRoot } from '../support/package-root.js';
import { foreignNode, real, type Part } from '../support/real.js';

const file = path.join(packageRoot(import.meta.url), 'test', 'vectors', 'engines', 'golden.json');
const golden = (): Record<string, string> => JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
const versionOf = (entry: string): string => entry.split(' ').slice(0, 2).join(' ');

describe('golden results of the engines', () => {
  it('are the same bytes as ever, or of a raised version', async () => {
    const now = await engineHashes();
    if (process.env['UPDATE_GOLDEN'] === '1') {
      for (const [name, entry] of Object.entries(golden())) {
        const changed = now[name] !== undefined && now[name] !== entry;
        assert.ok(
          !changed || versionOf(now[name] ?? '') !== versionOf(entry),
          `${name} changed: raise the version of its engine`,
        );
      }
      writeFileSync(file, `${JSON.stringify(now, null, 2)}\n`);
    }
    assert.deepEqual(now, golden());
  });
});

/** One of each engine, the shortest: another processor is emulated, which takes ten times as long. Empty for all of them. */
const names = atEffort<readonly string[]>(
  ['examples/research', 'examples/schedule', 'examples/allocation', 'examples/forecast', 'simulation/default'],
  [],
);
const others: readonly Part[] = ['node-22', 'node-24', 'node-arm64'];

for (const part of others) {
  real(part, `golden results on ${part}`, () => {
    it('are the same bytes', () => {
      const [command, ...args] = foreignNode(part);
      const script = path.join(packageRoot(import.meta.url), 'dist', 'test', 'support', 'engine-hashes.js');
      const ran = spawnSync(command ?? '', [...args, script, ...names], { encoding: 'utf8' });
      assert.equal(ran.status, 0, ran.stderr);
      const all = golden();
      const expected = names.length === 0 ? all : Object.fromEntries(names.map((name) => [name, all[name]]));
      assert.deepEqual(JSON.parse(ran.stdout), expected);
    });
  });
}
