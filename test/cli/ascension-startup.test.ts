/** Only the ascension commands load the library of the EVM's hash: a start of the others costs what it did. */
import { deepStrictEqual, strictEqual } from 'node:assert';
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { root } from '../support/cli-run.js';
import { importsOf, scan } from '../support/source-scan.js';

/** Files of ours that running a command can load, however late. */
function reached(command: string): readonly string[] {
  const seen = new Set<string>();
  const open = [join(root, 'dist', 'commands', `${command}.js`)];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    for (const { specifier } of importsOf(scan(readFileSync(file, 'utf8')))) {
      if (specifier.startsWith('.')) open.push(join(dirname(file), specifier));
    }
  }
  return [...seen].map((file) => relative(join(root, 'dist', 'src'), file).replaceAll('\\', '/'));
}

describe('startup and ascension', () => {
  for (const command of ['init', 'run', 'list', 'review', 'export', 'verify-export', 'verify']) {
    it(`${command} loads nothing of it`, () => {
      const files = reached(command);
      strictEqual(files.length > 10, true);
      deepStrictEqual(
        files.filter((file) => file.includes('ascension') || file === 'base/keccak.js'),
        [],
      );
    });
  }

  it('ascension-check loads it, so that this test can fail', () => {
    strictEqual(reached('ascension-check').includes('base/keccak.js'), true);
  });
});
