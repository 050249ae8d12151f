/**
 * A sixth mission kind, added in a scratch copy: it takes one folder and a line in each table, and each line that is left out is a
 * compile error that names the kind. @slow
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/cli/cli-run.js';
import { fullEffort } from '../support/effort.js';
import { linkProgram } from '../support/cli/program-archive.js';
import { assertNamed, SourceCopy } from '../support/cli/source-copy.js';
import { consoleFolder, consoleRegistrations, naming, serverRegistrations, toyFolder, type Registration } from './toy-kind.js';

function register(copy: SourceCopy, { file, edits }: Registration): void {
  for (const [from, to] of edits) copy.edit(file, from, to);
}

function writeFolder(copy: SourceCopy, folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) copy.write(`${folder}/${path}`, text);
}

const named = (registrations: readonly Registration[]): (readonly [string, string])[] =>
  registrations.map(({ file }) => [file, 'toy']);

/** Each registration that is left out while the others are there is an error of its own. */
function checkOmissions(copied: () => SourceCopy, project: string, registrations: readonly Registration[]): void {
  for (const { file } of registrations)
    it(`does not compile without ${file}`, () => {
      const copy = copied();
      const whole = copy.read(file);
      copy.write(file, readFileSync(join(root, file), 'utf8'));
      const errors = copy.errors(project, '--noEmit');
      copy.write(file, whole);
      assertNamed(errors, [[file, 'toy']]);
    });
}

/** A declaration, and files beside it that each leave a member of it out. */
class Members {
  private readonly left_out: readonly (readonly [path: string, name: string, text: string])[];

  /** @param whole the text of the declaration */
  constructor(folder: string, file: string, whole: string) {
    const lines = [...whole.matchAll(/^ {2}(\w+):? .*\n/gm)];
    this.left_out = lines.map(([line, name = '']) => [`${folder}/without-${name}-${file}`, name, whole.replace(line, '')]);
  }

  /** Compiles with these files too. Returns the errors of all others, and those of these. */
  compile(copy: SourceCopy, project: string): { readonly others: readonly string[]; readonly own: readonly string[] } {
    for (const [path, , text] of this.left_out) copy.write(path, text);
    const errors = copy.errors(project);
    for (const [path] of this.left_out) copy.discard(path);
    const isOwn = (error: string): boolean => error.includes('/without-');
    return { others: errors.filter((error) => !isOwn(error)), own: errors.filter(isOwn) };
  }

  /** Asserts that each of them is an error. */
  check(errors: readonly string[], count: number): void {
    assert.equal(this.left_out.length, count);
    assertNamed(
      errors,
      this.left_out.map(([path, name]) => [path, `'${name}'`]),
    );
  }
}

const kindMembers = new Members('src/kinds/toy', 'kind.ts', toyFolder['kind.ts']);
const viewMembers = new Members('src/console/operator/kinds/toy', 'view.tsx', consoleFolder['view.tsx']);

describe('a sixth kind of missions', () => {
  let copy: SourceCopy;
  before(() => {
    copy = new SourceCopy();
    copy.project('tables.json', 'src/kinds', 'src/domain/tool-catalog.ts', 'src/reports/kinds/contents.ts', 'src/mcp/prompts.ts');
  });
  after(() => copy.remove());
  let own: readonly string[] = [];

  it('is required by every table as soon as it has a name', () => {
    register(copy, naming);
    assertNamed(copy.errors('tables.json', '--noEmit'), named(serverRegistrations));
  });

  it('compiles with its folder and a line in each table', () => {
    writeFolder(copy, 'src/kinds/toy', toyFolder);
    for (const registration of serverRegistrations) register(copy, registration);
    const compiled = kindMembers.compile(copy, 'tsconfig.json');
    assert.deepEqual(compiled.others, []);
    own = compiled.own;
  });

  it('does not compile without any member of its declaration', () => kindMembers.check(own, 12));

  it('is required by the tables of the console as soon as the program has it', () => {
    const errors = copy.errors('src/console');
    assertNamed(errors, named(consoleRegistrations));
    assert.equal(errors.length, consoleRegistrations.length, errors.join('\n'));
  });

  it('compiles in the console with its folder there and a line in each table', () => {
    writeFolder(copy, 'src/console/operator/kinds/toy', consoleFolder);
    for (const registration of consoleRegistrations) register(copy, registration);
    const compiled = viewMembers.compile(copy, 'src/console');
    assert.deepEqual(compiled.others, []);
    own = compiled.own;
  });

  it('does not compile in the console without any member of its view', () => viewMembers.check(own, 5));

  // By default all of them are left out at once, above.
  if (fullEffort) {
    checkOmissions(() => copy, 'tables.json', serverRegistrations);
    checkOmissions(() => copy, 'src/console', consoleRegistrations);
  }

  it('is queued, executed, verified and drawn like any other', () => {
    linkProgram(copy.directory);
    const command = (...args: readonly string[]): string => {
      const { code, output } = copy.node(join('bin', 'agent-cli.js'), ...args);
      assert.equal(code, 0, `${args.join(' ')}: ${output}`);
      return output;
    };
    command('init');
    command('examples', '--output', 'missions');
    const made = command('run', join('missions', 'toy.json'), '--execute');
    assert.match(made, /^kind +toy$/m);
    assert.match(made, /^state +review$/m);
    assert.match(made, /^the sum is 42$/m);
    assert.match(command('tool', 'show', 'mission_toy'), /Toy mission/);
    assert.match(command('doctor'), /toy/);
  });

  it('has its results of a former version approved, where a verifier of that version is kept', () => {
    const kind = 'src/kinds/toy/kind.ts';
    copy.edit(kind, "version: '1'", "version: '2'");
    copy.edit('src/kinds/toy/engine/engine.ts', "version: '1'", "version: '2'");
    assert.deepEqual(copy.errors('tsconfig.json'), []);
    const command = (...args: readonly string[]) => copy.node(join('bin', 'agent-cli.js'), ...args);
    const { items } = JSON.parse(command('list', '--json').output) as { items: { id: string }[] };
    const id = items[0]?.id ?? '';
    const { revision, result_hash } = JSON.parse(command('show', id, '--json').output) as {
      revision: number;
      result_hash: string;
    };
    const given = ['--revision', String(revision), '--result-hash', result_hash, '--approve', '--note', 'checked'];
    assert.match(command('review', id, ...given).output, /it was made by toy 1, this program has toy 2/);
    copy.edit(kind, 'isRecomputed: false', "isRecomputed: false, former: { '1': verifier }");
    assert.deepEqual(copy.errors('tsconfig.json'), []);
    assert.match(command('review', id, ...given).output, /^state +completed$/m);
  });
});
