import { deepStrictEqual, match, notStrictEqual, strictEqual } from 'node:assert';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkFloors, mayImport, type SourceFile } from './support/floors.js';
import { packageRoot } from './support/package-root.js';
import { importsOf, scan } from './support/source-scan.js';

const root = packageRoot(import.meta.url);

function sources(folder: string): SourceFile[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return sources(path);
    return /\.tsx?$/.test(path) ? [{ path, source: readFileSync(join(root, path), 'utf8') }] : [];
  });
}

const complaints = (path: string, source: string): readonly string[] => checkFloors([{ path, source }]).violations;

describe('floors', () => {
  it('every import and every call keeps to its floor', () => {
    const files = [...sources('src'), ...sources('commands')];
    notStrictEqual(files.length, 0);
    const { violations, table } = checkFloors(files);
    for (const [room, rooms] of table) console.log(`      ${room.padEnd(10)} -> ${rooms.join(' ') || '-'}`);
    deepStrictEqual(violations, []);
  });

  it('a room sees lower floors, never its own floor or a higher one', () => {
    for (const [from, to] of [
      ['codec', 'base'],
      ['app', 'journal'],
      ['journal', 'store'],
      ['projection', 'store'],
    ] as const) {
      strictEqual(mayImport(from, to), true, `${from} -> ${to}`);
    }
    const refused = [
      ['base', 'codec'],
      ['domain', 'engines'],
      ['store', 'journal'],
      ['journal', 'projection'],
      ['cli', 'store'],
    ] as const;
    for (const [from, to] of [...refused, ['http', 'domain'], ['commands', 'home'], ['app', 'cli']] as const) {
      strictEqual(mayImport(from, to), false, `${from} -> ${to}`);
    }
  });
});

describe('floors: what is refused', () => {
  const refused: readonly (readonly [string, string, RegExp])[] = [
    ['src/base/a.ts', "import { x } from '../codec/kit.js';", /base imports codec/],
    ['src/base/a.ts', "import type { X } from '../codec/kit.js';", /base imports codec/],
    ['src/base/a.ts', "const load = () => import('../app/home.js');", /base imports app/],
    ['src/store/a.ts', "new Worker(new URL('../journal/worker.js', import.meta.url));", /store imports journal/],
    ['src/cli/a.ts', "import {\n  open,\n} from '../store/open.js';", /:1: cli imports store/],
    ['commands/a.ts', "import '../src/home/init.js';\nexport default class {}", /commands imports home/],
    ['src/codec/a.ts', "import { hash } from 'node:crypto';", /codec imports node:crypto/],
    ['src/engines/a.ts', "import fs from 'fs/promises';", /engines imports fs/],
    ['src/base/a.ts', "import { x } from '../../test/support/real.js';", /outside the rooms/],
    ['src/a.ts', 'export const a = 1;', /no room/],
    ['src/attic/a.ts', 'export const a = 1;', /no room/],
    ['src/base/a.ts', 'const load = (name: string) => import(name);', /not in the text/],
    ['src/base/a.ts', "export * from './bytes.js';", /re-export/],
    ['src/base/a.ts', "export { utf8 } from './bytes.js';", /re-export/],
    ['src/base/a.ts', 'export default function f() {}', /default export/],
    ['commands/a.ts', 'export class A {}', /without a default export/],
    ['src/base/a.ts', 'const a = b as any;', /type any/],
    ['src/base/a.ts', 'const a: Map<string, any> = b;', /type any/],
    ['src/base/a.ts', '\n'.repeat(251), /251 lines/],
    ['src/kinds/a/verify/a.ts', "import { x } from '../engine/plan.js';", /verify\/a.ts imports src\/kinds\/a\/engine/],
    ['src/kinds/a/verify/a.ts', "import { x } from '../../../engines/evolution/power.js';", /imports src\/engines\/evolution/],
    ['src/kinds/a/engine/a.ts', "import { x } from '../verify/plan.js';", /imports src\/kinds\/a\/verify/],
    ['src/kinds/a/work.ts', "import { x } from '../b/work.js';", /imports src\/kinds\/b/],
    ['src/kinds/a/kind.ts', "import { x } from '../../domain/mission.js';", /domain/],
    ['src/engines/simulation/verify/a.ts', "import { x } from '../model.js';", /imports src\/engines\/simulation\/model/],
    ['src/domain/a.ts', "import { x } from '../kinds/request.js';", /domain imports kinds/],
    ['src/http/a.ts', "import { x } from '../kinds/table.js';", /imports src\/kinds\/table/],
    ['src/console/a.ts', "import { x } from '../kinds/schedule/picture.js';", /imports src\/kinds\/schedule\/picture/],
    ['src/kinds/a/engine/a.ts', 'const x = y ** 2;', /\*\* operator/],
    ['src/pictures/a.ts', 'const columns = process.stdout.columns;', /the process/],
    ['src/domain/a.ts', 'const now = Date.now();', /clock/],
    ['src/domain/a.ts', 'const now = new Date();', /clock/],
    ['src/domain/a.ts', 'const text = `${new Date()}`;', /clock/],
    ['src/engines/a.ts', 'const x = Math.random();', /randomness/],
    ['src/domain/a.ts', 'setTimeout(f, 1);', /timer/],
    ['src/domain/a.ts', 'new Intl.NumberFormat();', /locale/],
    ['src/engines/a.ts', 'const x = Math.pow(2, y);', /not exact/],
    ['src/engines/a.ts', 'const { exp } = Math;', /not exact/],
    ['src/engines/a.ts', 'const x = y ** 2;', /\*\* operator/],
    ['src/engines/a.ts', 'const x = y.toLowerCase();', /Unicode/],
    ['src/engines/a.ts', 'const words = /[\\p{L}]+/gu;', /Unicode/],
  ];
  for (const [path, source, expected] of refused) {
    it(`${path}: ${source.trim().split('\n').join(' ').slice(0, 70) || 'a long file'}`, () => {
      match(complaints(path, source).join('\n'), expected);
    });
  }
});

describe('floors: what is not mistaken for a fault', () => {
  const accepted: readonly (readonly [string, string])[] = [
    ['src/engines/a.ts', '// Math.random() and Date.now() are not used, nor any ** or import x from "../app/a.js"'],
    ['src/engines/a.ts', "const text = 'Math.random() ** any'; /* new Date() */ const more = `Date.now()`;"],
    ['src/engines/a.ts', 'const x = Math.floor(Math.sqrt(y)) + Math.imul(a, b);'],
    ['src/domain/a.ts', 'export const help = "import { x } from \'../store/a.js\'";'],
    ['src/base/a.ts', 'const quote = /[\'"`]/; const ratio = a / b / c; const first = Promise.any([]);'],
    ['src/codec/a.ts', "import * as E from 'fp-ts/lib/Either.js';\nimport { utf8 } from '../base/bytes.js';"],
    ['commands/config/show.ts', "import { open } from '../../src/app/open.js';\nexport default class Show {}"],
  ];
  for (const [path, source] of accepted) {
    it(`${path}: ${source.split('\n').join(' ').slice(0, 70)}`, () => {
      deepStrictEqual(complaints(path, source), []);
    });
  }

  it('reads imports through templates, comments and regular expressions', () => {
    const text = "const a = `x ${b ? `'${c}` : ''} y`; // don't\nconst r = /[/'\"]/g;\nimport './d.js';";
    const scanned = scan(text);
    strictEqual(scanned.text.length, text.length);
    strictEqual(scanned.code.length, text.length);
    deepStrictEqual(importsOf(scanned), [{ specifier: './d.js', line: 3 }]);
  });
});
