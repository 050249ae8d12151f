/** README.md and the pages of docs/: every link leads somewhere, every page is found from the index, every command that is named exists. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { filesBelow } from './support/files-below.js';
import { packageRoot } from './support/package-root.js';
import { assertNone } from './support/lists.js';

/** The event types that src/codec/events/ declares, read from the sources. */
function declaredEventTypes(): readonly string[] {
  const folder = join(packageRoot(import.meta.url), 'src', 'codec', 'events');
  const sources = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  return sources.flatMap((source) => [...source.matchAll(/\bdeclare\(\s*'([a-z_.]+)'/g)].map(([, type = '']) => type));
}

const root = packageRoot(import.meta.url);
const readme_lines_max = 150;
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  ...filesBelow(join(root, 'docs'))
    .filter((path) => path.endsWith('.md'))
    .map((path) => `docs/${path}`),
];

const bare = (text: string): string => text.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, 'code');
/** The anchor that GitHub gives a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');
const anchors = (path: string): Set<string> =>
  new Set([...read(path).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => anchorOf(heading)));

/** The links of a page to other files of the project, from its root. */
function linksOf(page: string): readonly { readonly path: string; readonly anchor: string }[] {
  const targets = [...bare(read(page)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  return targets
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [path = '', anchor = ''] = target.split('#');
      return { path: path === '' ? page : normalize(join(dirname(page), path)), anchor };
    });
}

interface Manifest {
  readonly commands: Readonly<Record<string, { readonly flags: Readonly<Record<string, unknown>> }>>;
}

/** The first line of a signed note (docs/transfer.md), not a command. */
const note = 'transfer run';

/** What is wrong with the commands that a text names: unknown ones, and flags that a command lacks. */
function wrongCommands(text: string, { commands }: Manifest): string[] {
  const lines = [...text.matchAll(/\bagent-cli ((?:--home \S+ )?[a-z][^`\n|;&]*)/g)].map(([, rest = '']) =>
    rest.replace(/^--home \S+ /, ''),
  );
  return lines.flatMap((line) => {
    const [first = '', second = ''] = line.trim().split(/\s+/);
    const id = `${first}:${second}` in commands ? `${first}:${second}` : first;
    const topic = Object.keys(commands).some((name) => name.startsWith(`${first}:`));
    const command = commands[id];
    if (command === undefined) return topic || line.trim() === note ? [] : [`agent-cli ${line}`];
    const flags = [...line.replace(/"[^"]*"|'[^']*'/g, '').matchAll(/(?<=\s)--([a-z][a-z-]*)/g)].map(([, name = '']) => name);
    return flags.filter((name) => !(name in command.flags) && name !== 'help').map((name) => `agent-cli ${id} --${name}`);
  });
}

describe('the pages of the documentation', () => {
  for (const page of pages)
    it(`link only to what exists: ${page}`, () => {
      const dead = linksOf(page).filter(
        ({ path, anchor }) =>
          !existsSync(join(root, path)) || (anchor !== '' && path.endsWith('.md') && !anchors(path).has(anchor)),
      );
      assert.deepEqual(dead, []);
    });

  it('are all found from the index', () => {
    const found = new Set(['docs/README.md']);
    for (const page of found)
      for (const { path } of linksOf(page)) if (path.endsWith('.md') && existsSync(join(root, path))) found.add(path);
    const lost = pages.filter((page) => !found.has(page) && !page.startsWith('docs/decisions/'));
    assert.deepEqual(lost, []);
  });

  it('use only commands and flags that exist', () => {
    const manifest = JSON.parse(read('dist/oclif.manifest.json')) as Manifest;
    const code = (text: string): string => [...text.matchAll(/^```[\s\S]*?^```|`[^`\n]+`/gm)].map(([part]) => part).join('\n');
    assert.deepEqual(
      pages.flatMap((page) => wrongCommands(code(read(page)), manifest).map((wrong) => `${page}: ${wrong}`)),
      [],
    );
    assert.deepEqual(wrongCommands('`agent-cli lists`, `agent-cli list --every`', manifest), [
      'agent-cli lists',
      'agent-cli list --every',
    ]);
  });

  it(`have at most ${readme_lines_max} lines in README.md, and a picture of each page`, () => {
    const text = read('README.md');
    assert.ok(text.split('\n').length <= readme_lines_max + 1);
    assert.match(text, /!\[[^\]]+\]\(docs\/console\//);
    assert.match(text, /!\[[^\]]+\]\(docs\/dashboard\//);
  });
});

/** A path below one of these folders; `<kind>` is a placeholder for one name, `*` for a part of one. */
const named = /(?<![\w./-])(dist\/(?:program\/)?)?((?:src|test|scripts|migrations|manifests)\/(?:<\w+>|[\w.*/-])*[\w*>])/g;

/** The paths that a text names. One in dist/ is that of the source that it is built from. */
const pathsIn = (text: string): string[] =>
  [...text.matchAll(named)].map(([, built, path = '']) => (built === undefined ? path : path.replace(/\.js$/, '.ts')));

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

const page = (name: string): string => readFileSync(join(root, 'docs', 'reference', name), 'utf8');

describe('the reference', () => {
  it('is current (node scripts/reference.mjs writes it)', () => {
    const script = join(root, 'scripts', 'reference.mjs');
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
    assert.deepEqual([stdout, stderr, status], ['', '', 0]);
  });

  it('has every command and every event type', () => {
    const manifest = JSON.parse(readFileSync(join(root, 'dist', 'oclif.manifest.json'), 'utf8')) as {
      commands: Record<string, { readonly hidden?: boolean }>;
    };
    const commands = Object.entries(manifest.commands)
      .filter(([, { hidden }]) => hidden !== true)
      .map(([id]) => `## ${id.replaceAll(':', ' ')}`);
    assert.ok(commands.length > 50);
    const headings = (text: string): Set<string> => new Set(text.split('\n').filter((line) => line.startsWith('##')));
    const [written, events] = [headings(page('commands.md')), headings(page('events.md'))];
    assertNone(commands, (each) => !written.has(each));
    const types = declaredEventTypes();
    assert.ok(types.length > 30);
    assertNone(types, (type) => !events.has(`### ${type}`));
  });
});
