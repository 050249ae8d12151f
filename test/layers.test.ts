import { deepStrictEqual, match } from 'node:assert';
import { layers, type LayerRule } from './support/layers.js';

/** A small set of rules, so that these tests do not change with the project's own. */
const rules: readonly LayerRule[] = [
  { name: 'base', path: /^src\/base\//, may: [] },
  { name: 'codec', path: /^src\/codec\//, may: ['base'], pure: true },
  { name: 'engines', path: /^src\/engines\//, may: ['base'], pure: true, exact: true },
  { name: 'store', path: /^src\/store\//, may: ['base'] },
  { name: 'app/home', path: /^src\/app\/home\//, may: [] },
  { name: 'app/log', path: /^src\/app\/log\//, may: ['app/home'] },
  { name: 'commands', path: /^commands\//, may: ['app/*'] },
];
/** Complaints about one file, without those about rules that one file cannot use. */
const complaints = (path: string, source: string): string =>
  layers
    .check([{ path, source }], rules, [])
    .violations.filter((line) => !line.startsWith('layer-rules:'))
    .join('\n');

describe('layers', () => {
  it('hold in every source file, and no folders of app, http and console import each other', () => {
    const files = layers.sources();
    deepStrictEqual(files.length > 300, true);
    const { violations, cycles } = layers.check(files);
    deepStrictEqual([...violations, ...cycles], []);
  });
});

describe('the tables of the projections', () => {
  it('are named in SQL only where their rows are written, and where they are compared with the signed entries', () => {
    const query = /\b(?:FROM|INTO|UPDATE|JOIN) (?:control|invoice|mission|receipt|simulation|token|tool|wallet|witness|worker)\b/;
    const may = /^src\/tables\//;
    const files = layers.sources().filter(({ source }) => query.test(source));
    // The rows of each table are written by one function, to which its name is given: no source need name one.
    deepStrictEqual(query.test('INSERT INTO witness(seq)'), true);
    deepStrictEqual(
      files.map(({ path }) => path).filter((path) => !may.test(path)),
      [],
    );
  });
});

describe('layers: imports that are refused', () => {
  const refused: readonly (readonly [string, string, RegExp])[] = [
    ['src/base/a.ts', "import { x } from '../codec/kit.js';", /:1: base imports codec/],
    ['src/base/a.ts', "import type { X } from '../codec/kit.js';", /base imports codec/],
    ['src/base/a.ts', "const load = () => import('../app/home/home.js');", /base imports app\/home/],
    ['src/store/a.ts', "new Worker(new URL('../codec/worker.js', import.meta.url));", /store imports codec/],
    ['src/store/a.ts', "\nimport {\n  open,\n} from '../codec/open.js';", /:4: store imports codec/],
    ['src/app/home/a.ts', "import { x } from '../log/verify.js';", /app\/home imports app\/log/],
    ['src/codec/a.ts', "import { hash } from 'node:crypto';", /codec is pure and imports node:crypto/],
    ['src/engines/a.ts', "import fs from 'fs/promises';", /engines is pure and imports fs/],
    ['src/base/a.ts', "import { x } from '../../test/support/real.js';", /belongs to no module/],
    ['src/attic/a.ts', 'export const a = 1;', /belongs to no module/],
    ['src/base/a.ts', 'const load = (name: string) => import(name);', /not in the text/],
    ['src/base/a.ts', "export * from './bytes.js';", /re-export/],
    ['src/base/a.ts', "export { utf8 } from './bytes.js';", /re-export/],
    ['src/base/a.ts', 'const = 1;', /:1: /],
    ['src/codec/a.ts', 'const now = Date.now();', /the clock/],
    ['src/codec/a.ts', 'const text = `${new Date()}`;', /the clock/],
    ['src/codec/a.ts', 'const now = performance.now();', /the clock/],
    ['src/engines/a.ts', 'const x = Math.random();', /randomness/],
    ['src/codec/a.ts', 'const id = crypto.randomUUID();', /randomness/],
    ['src/codec/a.ts', 'setTimeout(f, 1);', /a timer/],
    ['src/codec/a.ts', 'new Intl.NumberFormat();', /the locale/],
    ['src/codec/a.ts', 'const x = y.toLocaleString();', /the locale/],
    ['src/codec/a.ts', 'const x = process.env;', /the process/],
    ['src/engines/a.ts', 'const x = Math.pow(2, y);', /not exact/],
    ['src/engines/a.ts', 'const { exp } = Math;', /not exact/],
    ['src/engines/a.ts', 'const x = y ** 2;', /\*\* operator/],
    ['src/engines/a.ts', 'x **= 2;', /\*\* operator/],
    ['src/engines/a.ts', 'const x = y.toLowerCase();', /Unicode/],
    ['src/engines/a.ts', 'const words = /[\\p{L}]+/gu;', /Unicode/],
  ];
  for (const [path, source, expected] of refused) {
    it(`refuse in ${path}: ${source.trim().split('\n').join(' ').slice(0, 70)}`, () => match(complaints(path, source), expected));
  }

  it('refuse a rule for a module that has no files, and a permission that no import needs', () => {
    const source = "import { x } from '../base/a.js';";
    const stale = [
      { name: 'base', path: /^src\/base\//, may: [] },
      { name: 'codec', path: /^src\/codec\//, may: ['base', 'attic'] },
      { name: 'attic', path: /^src\/attic\//, may: [] },
    ];
    const files = [
      { path: 'src/base/a.ts', source: '' },
      { path: 'src/codec/a.ts', source },
    ];
    deepStrictEqual(layers.check(files, stale, []).violations, [
      'layer-rules: codec imports nothing of attic',
      'layer-rules: attic has no files',
    ]);
  });
});

describe('layers: imports that are accepted', () => {
  const accepted: readonly (readonly [string, string])[] = [
    ['src/engines/a.ts', '// Math.random() and Date.now() are not used, nor import x from "../app/a.js"'],
    ['src/engines/a.ts', "const text = 'Math.random() ** 2'; /* new Date() */ const more = `Date.now()`;"],
    ['src/engines/a.ts', 'const x = Math.floor(Math.sqrt(y)) + Math.imul(a, b);'],
    ['src/codec/a.ts', 'const day = new Date(0); const made = at.now;'],
    ['src/codec/a.ts', "import * as E from 'fp-ts/lib/Either.js';\nimport { utf8 } from '../base/bytes.js';"],
    ['src/base/a.tsx', 'export const a = <div>{b}</div>;'],
    ['commands/config/show.ts', "import { open } from '../../src/app/home/open.js';\nexport default class Show {}"],
  ];
  for (const [path, source] of accepted) {
    it(`accept in ${path}: ${source.split('\n').join(' ').slice(0, 70)}`, () => deepStrictEqual(complaints(path, source), ''));
  }
});

describe('layers: cycles between folders', () => {
  const cyclesOf = (files: Readonly<Record<string, string>>): readonly string[] => {
    const everything = [{ name: 'app', path: /^src\/app\//, may: [] }];
    const list = Object.entries(files).map(([path, to]) => ({ path: `src/app/${path}.ts`, source: `import '${to}';` }));
    return layers.check(list, everything, ['src/app']).cycles;
  };

  it('finds two folders that import each other', () => {
    deepStrictEqual(cyclesOf({ 'a/x': '../b/y.js', 'b/z': '../a/w.js' }), ['src/app/a -> src/app/b -> src/app/a']);
  });

  it('finds a detour', () => {
    deepStrictEqual(cyclesOf({ 'a/x': '../b/y.js', 'b/z': '../c/w.js', 'c/v': '../a/u.js' }), [
      'src/app/a -> src/app/b -> src/app/c -> src/app/a',
    ]);
  });

  it('finds a folder and the files beside it that import each other', () => {
    deepStrictEqual(cyclesOf({ 'a/x': './b/y.js', 'a/b/z': '../w.js' }), ['src/app/a -> src/app/a/b -> src/app/a']);
  });

  it('accepts folders that are imported in one direction, and files of one folder that import each other', () => {
    deepStrictEqual(cyclesOf({ 'a/x': '../b/y.js', 'a/z': '../b/w.js', 'b/v': './y.js', 'b/y': './v.js' }), []);
  });
});
