/**
 * A sixth mission kind, added in a scratch copy: it takes one folder and a line in each table, and each line that is left out is a
 * compile error that names the kind.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/cli-run.js';
import { atEffort } from '../support/effort.js';
import { assertNamed, SourceCopy } from '../support/source-copy.js';
import { consoleFolder, consoleRegistrations, naming, serverRegistrations, toyFolder, type Registration } from './toy-kind.js';

const run_ms_max = 120_000;

function register(copy: SourceCopy, { file, edits }: Registration): void {
  for (const [from, to] of edits) copy.edit(file, from, to);
}

function writeFolder(copy: SourceCopy, folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) copy.write(`${folder}/${path}`, text);
}

const named = (registrations: readonly Registration[]): (readonly [string, string])[] =>
  registrations.map(({ file }) => [file, 'toy']);

/** Each registration that is left out is an error of its own that names what is missing. By default every other one is left out at once. */
function checkOmissions(copied: () => SourceCopy, project: string, registrations: readonly Registration[]): void {
  const parts = Math.min(registrations.length, atEffort(2, registrations.length));
  for (let part = 0; part < parts; part++) {
    const omitted = registrations.filter((_, i) => i % parts === part);
    const files = omitted.map(({ file }) => file);
    it(`does not compile without ${files.join(', ')}`, () => {
      const copy = copied();
      const whole = files.map((file) => copy.read(file));
      for (const file of files) copy.write(file, readFileSync(join(root, file), 'utf8'));
      const errors = copy.errors(project, '--noEmit');
      for (const [i, file] of files.entries()) copy.write(file, whole[i]!);
      assertNamed(errors, named(omitted));
    });
  }
}

/** A member of a declaration that is left out: one file for each, all compiled at once. */
function checkMembers(
  copied: () => SourceCopy,
  project: string,
  folder: string,
  file: string,
  whole: string,
  count: number,
): void {
  it(`does not compile without any member of ${folder}/${file}`, () => {
    const copy = copied();
    const members = [...whole.matchAll(/^ {2}(\w+):? .*\n/gm)];
    assert.equal(members.length, count);
    const pathOf = (name = ''): string => `${folder}/without-${name}-${file}`;
    for (const [line, name] of members) copy.write(pathOf(name), whole.replace(line, ''));
    const errors = copy.errors(project, '--noEmit');
    for (const [, name] of members) copy.discard(pathOf(name));
    assertNamed(
      errors,
      members.map(([, name]) => [pathOf(name), `'${name}'`]),
    );
  });
}

describe('a sixth kind of missions', function () {
  this.timeout(run_ms_max);
  let copy: SourceCopy;
  before(() => {
    copy = new SourceCopy();
    copy.project('tables.json', 'src/kinds', 'src/domain/tool-catalog.ts');
  });
  after(() => copy.remove());

  it('is asked for by every table as soon as it has a name', () => {
    register(copy, naming);
    const errors = copy.errors('tables.json', '--noEmit').join('\n');
    for (const { file } of serverRegistrations) assert.ok(errors.includes(file), `${file} is silent`);
  });

  it('compiles with its folder and a line in each table', () => {
    writeFolder(copy, 'src/kinds/toy', toyFolder);
    for (const registration of serverRegistrations) register(copy, registration);
    assert.deepEqual(copy.errors('tsconfig.json'), []);
  });

  it('is asked for by the tables of the console as soon as the program has it', () => {
    const errors = copy.errors('src/console');
    assertNamed(errors, named(consoleRegistrations));
    assert.equal(errors.length, consoleRegistrations.length, errors.join('\n'));
  });

  it('compiles in the console with its folder there and a line in each table', () => {
    writeFolder(copy, 'src/console/operator/kinds/toy', consoleFolder);
    for (const registration of consoleRegistrations) register(copy, registration);
    assert.deepEqual(copy.errors('src/console'), []);
  });

  checkOmissions(() => copy, 'tables.json', serverRegistrations);

  checkMembers(() => copy, 'tables.json', 'src/kinds/toy', 'kind.ts', toyFolder['kind.ts'], 8);
  checkOmissions(() => copy, 'src/console', consoleRegistrations);
  checkMembers(() => copy, 'src/console', 'src/console/operator/kinds/toy', 'view.tsx', consoleFolder['view.tsx'], 7);

  it('is queued, executed, verified and drawn like any other', () => {
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
});
