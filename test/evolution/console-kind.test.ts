/** The console's compiler names what a change of the codecs still lacks there: edits of a copy of the sources, each of which must not compile. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../support/package-root.js';

const root = packageRoot(import.meta.url);

describe('console: a change of the codecs', function () {
  this.timeout(120_000);
  let copy = '';

  beforeEach(() => {
    copy = mkdtempSync(join(tmpdir(), 'console-kind-'));
    for (const name of ['src', 'package.json', 'tsconfig.json']) cpSync(join(root, name), join(copy, name), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  });
  afterEach(() => rmSync(copy, { recursive: true }));

  /** Replaces a text that stands exactly once in the file. */
  const edit = (path: string, from: string, to: string): void => {
    const text = readFileSync(join(copy, path), 'utf8');
    assert.equal(text.split(from).length, 2, `${path} has "${from}" once`);
    writeFileSync(join(copy, path), text.replace(from, to));
  };
  /** The one source that holds a text. */
  const sourceWith = (text: string): string => {
    const sources = readdirSync(join(copy, 'src'), { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
    const found = sources.filter((path) => readFileSync(join(copy, 'src', path), 'utf8').includes(text));
    assert.equal(found.length, 1, `one source has "${text}": ${found.join(', ')}`);
    return join('src', found[0] ?? '');
  };
  const compile = (): { readonly status: number | null; readonly said: string } => {
    const tsc = join(copy, 'node_modules', 'typescript', 'bin', 'tsc');
    const { status, stdout, stderr } = spawnSync(process.execPath, [tsc, '-p', join('src', 'console'), '--pretty', 'false'], {
      cwd: copy,
      encoding: 'utf8',
    });
    return { status, said: `${stdout}${stderr}` };
  };
  /** The compiler fails, and names each of these files with what it lacks. */
  const namesEach = (places: readonly (readonly [file: string, lacking: string])[]): void => {
    const { status, said } = compile();
    assert.notEqual(status, 0);
    for (const [file, lacking] of places) {
      const named = said.split('\n').some((line) => line.replaceAll('\\', '/').includes(file) && line.includes(lacking));
      assert.ok(named, `${file} lacks ${lacking}, but the compiler says:\n${said}`);
    }
  };

  it('compiles as it stands', () => assert.deepEqual(compile(), { status: 0, said: '' }));

  it('names the table of kinds and the table of their words when a kind is added', () => {
    edit('src/codec/kinds.ts', "'forecast', 'code']", "'forecast', 'code', 'toy']");
    namesEach([
      ['src/console/operator/kinds/table.ts', "'toy'"],
      ['src/console/operator/kinds/words.ts', "'toy'"],
    ]);
  });

  it('names the draft and the words when a work gets an optional member', () => {
    const member = 'seasons: optional(';
    edit(sourceWith(member), member, `lookback: optional(season),\n    ${member}`);
    namesEach([
      ['src/console/operator/kinds/forecast/draft.ts', "'lookback'"],
      ['src/console/operator/kinds/forecast/words.ts', "'lookback'"],
    ]);
  });

  it('names the form, the draft and the words of a run when its request gets a member', () => {
    const member = 'samples: withDefault(';
    edit('src/codec/simulation.ts', member, `burn_in: withDefault(integer(0, 10), 0),\n  ${member}`);
    namesEach([
      ['src/console/dashboard/pure/members.ts', "'burn_in'"],
      ['src/console/dashboard/pure/draft.ts', "'burn_in'"],
      ['src/console/dashboard/text/en/form.ts', "'burn_in'"],
    ]);
  });

  it('names the dictionary that lacks a translation', () => {
    edit('src/console/kit/text/en.ts', "  close: 'Close',", "  close: 'Close',\n  open: 'Open',");
    namesEach([['src/console/kit/text/fr.ts', "'open'"]]);
  });
});
