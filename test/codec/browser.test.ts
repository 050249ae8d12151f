import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { posix, join } from 'node:path';
import { packageRoot } from '../support/package-root.js';

const root = packageRoot(import.meta.url);

/** What a file imports, directly or not: relative paths from the package's root, and names of packages. */
function closure(file: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const [, specifier = ''] of readFileSync(join(root, file), 'utf8').matchAll(/^(?:import|\}).* from '([^']+)';$/gm)) {
    if (specifier.startsWith('.')) closure(posix.join(posix.dirname(file), specifier).replace(/\.js$/, '.ts'), seen);
    else seen.add(specifier);
  }
  return seen;
}

const isOfNode = (name: string): boolean => name.startsWith('node:') || builtinModules.includes(name.split('/')[0] ?? '');

describe('codecs of responses', () => {
  const files = readdirSync(join(root, 'src', 'codec')).filter((name) => /^(?:api-.*|tolerant)\.ts$/.test(name));

  it('exist', () => assert.ok(files.length > 6, files.join(' ')));

  for (const name of files) {
    it(`can be loaded by a page: ${name}`, () => {
      const imported = [...closure(`src/codec/${name}`)];
      assert.deepEqual(imported.filter(isOfNode), []);
    });
  }
});
