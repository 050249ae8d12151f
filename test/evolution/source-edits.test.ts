/**
 * Edits of a copy of the sources, and what the compiler says of them. First those that must not compile, together, because compiling takes
 * seconds: the name in each error tells whose it is. Then those that must: a sixth kind of missions, which takes one folder and a line in each
 * table, and a newcomer's first changes, which touch few files and keep to the layers; the result is run. @slow
 */
import assert from 'node:assert/strict';
import { copyFileSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { plan, root } from '../support/cli/cli-run.js';
import { linkProgram } from '../support/cli/program-archive.js';
import { assertNamed, SourceCopy } from '../support/cli/source-copy.js';
import { fullEffort } from '../support/effort.js';
import { layers } from '../support/layers.js';
import { eventWithTable, missionMember, readEndpoint, words, type FileChange } from './first-changes.js';
import { shapeEdits } from './shape-edits.js';
import { consoleFolder, consoleRegistrations, naming, serverRegistrations, toyFolder, type Registration } from './toy-kind.js';
import { assertNone } from '../support/lists.js';

const files_max = 6;
const changes = {
  'a member of a mission': missionMember,
  'a read endpoint': readEndpoint,
  'an event with a table': eventWithTable,
};
const toy = 'src/kinds/toy';
const view = 'src/console/operator/kinds/toy';
const health = 'src/http/core/system-endpoints.ts';
const otherHealth = 'src/http/core/other-system-endpoints.ts';

let copy: SourceCopy;
const replace = (file: string, edits: readonly (readonly [from: string, to: string])[]): void => {
  for (const [from, to] of edits) copy.edit(file, from, to);
};
const register = (registrations: readonly Registration[]): void => {
  for (const { file, edits } of registrations) replace(file, edits);
};
const change = ([file, how]: FileChange): void => (typeof how === 'string' ? copy.write(file, how) : replace(file, how));
const writeFolder = (folder: string, files: Readonly<Record<string, string>>): void => {
  for (const [path, text] of Object.entries(files)) copy.write(`${folder}/${path}`, text);
};

/** A file beside another one that leaves a part of it out, and the word of the error that it must be. */
interface Omission {
  readonly path: string;
  readonly word: string;
  readonly text: string;
}
const beside = (file: string, part: string): string => join(dirname(file), `without-${part}-${basename(file)}`);

/** A file for each member of a declaration. */
const withoutMembers = (file: string, text: string): readonly Omission[] =>
  [...text.matchAll(/^ {2}(\w+):? .*\n/gm)].map(([line, name = '']) => ({
    path: beside(file, name),
    word: `'${name}'`,
    text: text.replace(line, ''),
  }));

/** A file for each table, without the line of the toy kind. */
const withoutLines = (registrations: readonly Registration[]): readonly Omission[] =>
  registrations.map(({ file }) => ({ path: beside(file, 'toy'), word: 'toy', text: readFileSync(join(root, file), 'utf8') }));

const programOmissions = [...withoutMembers(`${toy}/kind.ts`, toyFolder['kind.ts']), ...withoutLines(serverRegistrations)];
const pageOmissions = [...withoutMembers(`${view}/view.tsx`, consoleFolder['view.tsx']), ...withoutLines(consoleRegistrations)];
const isOmission = (error: string): boolean => error.includes('/without-');

function assertOmitted(errors: readonly string[], omissions: readonly Omission[], count: number): void {
  assert.equal(omissions.length, count);
  assertNamed(
    errors,
    omissions.map(({ path, word }) => [path, word]),
  );
}

/** Version 2 of the toy kind, which keeps the verifier of version 1. */
const nextVersion = {
  'kind-2.ts': toyFolder['kind.ts'].replace("version: '1'", "version: '2'"),
  'kind-kept.ts': toyFolder['kind.ts']
    .replace("version: '1'", "version: '2'")
    .replace('isRecomputed: false', "isRecomputed: false, former: { '1': verifier }"),
  'engine/engine-2.ts': toyFolder['engine/engine.ts'].replace("version: '1'", "version: '2'"),
};

/** Puts a compiled module of the toy kind in the place of another. */
const putModule = (from: string, to: string): void =>
  copyFileSync(join(copy.directory, 'dist', toy, `${from}.js`), join(copy.directory, 'dist', toy, `${to}.js`));

/** Runs a script with the modules of the copy, in which `run` runs a command. Returns what it prints. */
function script(text: string): string {
  const start = `import { main } from './dist/src/cli/main.js';
    const run = async (...words) => { await main(words); if (process.exitCode) process.exit(); };`;
  copy.write('script.mjs', `${start}\n${text}`);
  const { code, output } = copy.node('script.mjs');
  assert.equal(code, 0, output);
  return output;
}

describe('edits of the sources', () => {
  before(() => {
    copy = new SourceCopy();
  });
  after(() => copy.remove());

  describe('an edit in one place', () => {
    let [program, pages]: string[][] = [[], []];
    before(() => {
      if (fullEffort) assert.deepEqual([copy.errors('.', '--noEmit'), copy.errors('src/console')], [[], []]);
      copy.write(otherHealth, copy.read(health).replace("json(200, { status: 'ok' })", "json(201, { status: 'ok' })"));
      const restores = shapeEdits.map(({ file, from, to }) => copy.edit(file, from, to));
      [program, pages] = [copy.errors('.', '--noEmit'), copy.errors('src/console')];
      for (const restore of restores.toReversed()) restore();
      copy.discard(otherHealth);
    });

    for (const edit of shapeEdits)
      it(`does not compile: it ${edit.what}`, () => {
        assertNamed(program ?? [], edit.program ?? []);
        assertNamed(pages ?? [], edit.pages ?? []);
      });

    it('does not compile: health with a status that is not announced', () => assertNamed(program ?? [], [[otherHealth, '201']]));
  });

  describe("a sixth kind of missions and a newcomer's first changes", () => {
    let [program, pages]: string[][] = [[], []];
    before(() => {
      writeFolder(toy, { ...toyFolder, ...nextVersion });
      writeFolder(view, consoleFolder);
      register([naming, ...serverRegistrations, ...consoleRegistrations]);
      for (const one of [...Object.values(changes).flat(), ...words]) change(one);
      const omissions = [...programOmissions, ...pageOmissions];
      for (const { path, text } of omissions) copy.write(path, text);
      [program, pages] = [copy.errors('.'), copy.errors('src/console')];
      for (const { path } of omissions) copy.discard(path);
    });

    it('compile, with a folder and a line in each table for the kind', () => {
      assertNone([...(program ?? []), ...(pages ?? [])], (error) => !isOmission(error));
    });

    it('do not compile without any member of the declaration of the kind, or without its line in any table', () =>
      assertOmitted(program ?? [], programOmissions, 10 + 5));

    it('do not compile without any member of the view of the kind, or without its line in any table of the console', () =>
      assertOmitted(pages ?? [], pageOmissions, 5 + 2));

    it('touch the number of files that CONTRIBUTING.md says, and keep to the layers', () => {
      const page = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
      for (const [what, files] of Object.entries(changes)) {
        assert.ok(files.length <= files_max, what);
        assert.match(page, new RegExp(`\\| ${what} \\| ${files.length} \\|`));
      }
      const changed = Object.values(changes).flatMap((files) => files.map(([path]) => ({ path, source: copy.read(path) })));
      // Of so few files most rules find nothing.
      const broken = layers.check(changed).violations.filter((line) => !line.startsWith('layer-rules: '));
      assert.deepEqual(broken, []);
    });
  });

  describe('the program with a sixth kind of missions and the first changes', () => {
    before(() => {
      linkProgram(copy.directory);
      copy.write('plan.json', JSON.stringify({ ...plan, work: { ...plan.work, reserve: 0.5 } }));
      script("await run('init'); await run('examples', '--output', 'missions');");
    });

    it('queues, executes, verifies and draws a mission of the kind like any other', () => {
      const said = script(`await run('run', 'missions/toy.json', '--execute');
      await run('tool', 'show', 'mission_toy');
      await run('doctor');`);
      for (const part of [/^kind +toy$/m, /^state +review$/m, /^ {2}sum +42$/m, /Toy mission/, /engine.*toy/i])
        assert.match(said, part);
    });

    it('approves a result of a former version of the kind, where a verifier of that version is kept', () => {
      const json = (...args: readonly string[]): Record<string, unknown> =>
        JSON.parse(script(`await run(...${JSON.stringify([...args, '--json'])})`)) as Record<string, unknown>;
      const [{ id }] = json('list')['items'] as [{ id: string }];
      const { revision, result_hash } = json('show', id);
      const given = ['--revision', String(revision), '--result-hash', String(result_hash), '--approve', '--note', 'checked'];
      const review = (): string => copy.node(join('bin', 'agent-cli.js'), 'review', id, ...given).output;
      putModule('kind-2', 'kind');
      putModule('engine/engine-2', 'engine/engine');
      assert.match(review(), /it was made by toy 1, this program has toy 2/);
      putModule('kind-kept', 'kind');
      assert.match(review(), /^state +completed$/m);
    });

    it('keeps the reserve of an allocation, in the engine and for the verifier', () => {
      const { state, result } = JSON.parse(script("await run('run', 'plan.json', '--execute', '--json')")) as {
        state: string;
        result: { selected: unknown };
      };
      assert.equal(state, 'review');
      assert.deepEqual(result.selected, ['fence']);
    });

    it('has the endpoint', () => {
      const said = script(`const { systemEndpoints } = await import('./dist/src/http/operator/system.js');
      console.log(systemEndpoints({}).map(({ method, path }) => method + ' ' + path).join('\\n'));`);
      assert.match(said, /^GET \/api\/identity$/m);
    });

    it('records the event, verifies it, and has it in the table again after a rebuild', () => {
      const said = script(`
      import { openHome } from './dist/src/app/home/open.js';
      import { noteText, writeNote } from './dist/src/app/missions/notes.js';
      const open = () => openHome({ env: process.env, clock: Date.now, directory: process.env.AGENT_HOME });
      const written = open();
      await writeNote(written, 'first', 'buy tar before the frost');
      written.close();
      await run('verify', '--deep');
      await run('rebuild');
      const rebuilt = open();
      console.log('note:', noteText(rebuilt, 'first'));
      rebuilt.close();`);
      assert.match(said, /verified\n[^]*@note 1,/);
      assert.match(said, /^note: buy tar before the frost$/m);
    });
  });
});
