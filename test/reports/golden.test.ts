/**
 * The bytes of reports of stored exports. Whoever has a report checks it by making it again, so a change of these bytes needs another number of the
 * renderer once reports are out; UPDATE_GOLDEN=1 then writes the hashes anew.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { packageRoot } from '../support/package-root.js';
import { foreignNode, type Part, requirePart } from '../support/real.js';

const root = packageRoot(import.meta.url);
const folder = join(root, 'test', 'vectors', 'rendered');
const names = ['allocation', 'forecast', 'research', 'schedule'] as const;
const golden = join(folder, 'hashes.json');

/** Returns the hashes of the files that each stored export becomes, in another process. */
function hashes(node: readonly string[], env: Readonly<Record<string, string>>): Readonly<Record<string, unknown>> {
  const [command = '', ...args] = node;
  const script = join(root, 'dist', 'test', 'support', 'reports', 'file-hashes.js');
  const files = names.map((name) => join(folder, `${name}.export.json`));
  const ran = spawnSync(command, [...args, script, ...files], { encoding: 'utf8', env: { PATH: process.env['PATH'], ...env } });
  assert.equal(ran.status, 0, ran.stderr);
  const found = ran.stdout.trimEnd().split('\n');
  return Object.fromEntries(names.map((name, i) => [name, JSON.parse(found[i] ?? '')]));
}

const expected = (): unknown => JSON.parse(readFileSync(golden, 'utf8'));
const elsewhere = { TZ: 'Asia/Kathmandu', LANG: 'fr_FR.UTF-8', LC_ALL: 'ar_EG.UTF-8' };

describe('the files of a stored export', () => {
  it('have the recorded bytes', () => {
    const found = hashes([process.execPath], { TZ: 'UTC' });
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(golden, `${JSON.stringify(found, null, 2)}\n`);
    assert.deepEqual(found, expected());
  });

  it('have them in another time zone and locale', () => assert.deepEqual(hashes([process.execPath], elsewhere), expected()));

  for (const part of ['node-22', 'node-24'] satisfies readonly Part[])
    it(`have them on ${part}`, function () {
      requirePart(this, part);
      assert.deepEqual(hashes(foreignNode(part), elsewhere), expected());
    });
});
