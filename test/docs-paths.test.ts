/** Every source file and folder that README.md and the pages of docs/ name exists. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { filesBelow } from './support/files-below.js';
import { packageRoot } from './support/package-root.js';

const root = packageRoot(import.meta.url);

/** A path below one of these folders; `<kind>` is a placeholder for one name, `*` for a part of one. */
const named = /(?<![\w./-])(dist\/(?:program\/)?)?((?:src|test|scripts|migrations|manifests)\/(?:<\w+>|[\w.*/-])*[\w*>])/g;

/** The paths that a text names. One in dist/ is that of the source that it is built from. */
function pathsIn(text: string): string[] {
  return [...text.matchAll(named)].map(([, built, path = '']) => (built === undefined ? path : path.replace(/\.js$/, '.ts')));
}

/** Whether a path exists; with a placeholder, whether any path of that form does. */
function exists(folder: string, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return true;
  if (!/[<*]/.test(name)) return existsSync(join(folder, name)) && exists(join(folder, name), rest);
  const form = new RegExp(`^${name.replaceAll('.', '\\.').replace(/<\w+>|\*/g, '[^/]+')}$`);
  return readdirSync(folder).some((entry) => form.test(entry) && exists(join(folder, entry), rest));
}

const missing = (text: string): string[] => pathsIn(text).filter((path) => !exists(root, path.split('/')));

describe('paths in the documentation', () => {
  const pages = filesBelow(join(root, 'docs')).filter((name) => name.endsWith('.md'));
  for (const page of ['README.md', ...pages.map((name) => `docs/${name}`)]) {
    it(`exist: ${page}`, () => {
      assert.deepEqual(missing(readFileSync(join(root, page), 'utf8')), []);
    });
  }

  it('finds paths in the pages', () => {
    assert.ok(pathsIn(readFileSync(join(root, 'docs', 'journal-format.md'), 'utf8')).length > 5);
  });

  it('reports a path that does not exist, with and without a placeholder', () => {
    const text =
      '`src/base`, src/base/limits.ts. `src/engines/research/engine.ts`, `src/kinds/<kind>/work.ts`, `src/kinds/<kind>/none.ts`';
    assert.deepEqual(missing(text), ['src/engines/research/engine.ts', 'src/kinds/<kind>/none.ts']);
    assert.deepEqual(missing('`dist/program/src/http/simulation-main.js`, `src/codec/api-*.ts`, `src/codec/none-*.ts`'), [
      'src/codec/none-*.ts',
    ]);
  });
});
