/**
 * A sixth mission kind, added in a scratch copy: it takes one folder and a line in each table, and each line that is left out is a
 * compile error that names the kind.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from '../support/cli-run.js';
import { naming, serverRegistrations, toyFolder, type Registration } from './toy-kind.js';

const run_ms_max = 120_000;
const parts = ['package.json', 'bin', 'migrations', 'manifests', 'commands', 'src'];

/** A copy of the program's sources that can be compiled and run. The project `tables.json` holds only what declares kinds. */
class Copy {
  readonly directory = realpathSync(mkdtempSync(join(tmpdir(), 'agent-kind-')));

  constructor() {
    for (const path of parts) cpSync(join(root, path), join(this.directory, path), { recursive: true });
    symlinkSync(realpathSync(join(root, 'node_modules')), join(this.directory, 'node_modules'), 'junction');
    const config = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8')) as Record<string, unknown>;
    this.write('tsconfig.json', JSON.stringify({ ...config, include: ['src', 'commands'] }));
    this.write('tables.json', JSON.stringify({ ...config, include: ['src/kinds', 'src/domain/tool-catalog.ts'] }));
  }

  write(path: string, text: string): void {
    const file = join(this.directory, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  read(path: string): string {
    return readFileSync(join(this.directory, path), 'utf8');
  }

  register({ file, edits }: Registration): void {
    const before = this.read(file);
    const after = edits.reduce((text, [from, to]) => {
      assert.equal(text.split(from).length, 2, `${file} has ${JSON.stringify(from)} once`);
      return text.replace(from, to);
    }, before);
    this.write(file, after);
  }

  /** Runs a program of the copy. */
  node(...args: readonly string[]): { readonly code: number | null; readonly output: string } {
    const home = join(this.directory, 'home');
    const env = { PATH: process.env['PATH'] ?? '', HOME: this.directory, AGENT_HOME: home, AGENT_WITNESS: `${home}-witness` };
    const options = { cwd: this.directory, env, encoding: 'utf8', timeout: run_ms_max } as const;
    const { status, stdout, stderr } = spawnSync(process.execPath, args, options);
    return { code: status, output: `${stdout}${stderr}` };
  }

  /** Returns the compiler's errors for a project of the copy; none when it compiles. */
  errors(project: string, ...options: readonly string[]): string[] {
    const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    const { code, output } = this.node(compiler, '-p', project, '--pretty', 'false', ...options);
    const found = output.split('\n').filter((line) => /: error TS\d+/.test(line));
    assert.equal(code === 0, found.length === 0, output);
    return found;
  }
}

/** Each registration that is left out is an error of its own that names what is missing. */
function checkOmissions(copied: () => Copy, project: string, registrations: readonly Registration[]): void {
  for (const registration of registrations) {
    it(`does not compile without ${registration.file}`, () => {
      const copy = copied();
      const whole = copy.read(registration.file);
      copy.write(registration.file, readFileSync(join(root, registration.file), 'utf8'));
      const errors = copy.errors(project, '--noEmit');
      copy.write(registration.file, whole);
      assert.ok(
        errors.some((line) => line.startsWith(registration.file) && line.includes('toy')),
        errors.join('\n') || 'it compiles',
      );
    });
  }
}

describe('a sixth kind of missions: the server', function () {
  this.timeout(run_ms_max);
  let copy: Copy;
  before(() => {
    copy = new Copy();
  });
  after(() => rmSync(copy.directory, { recursive: true, force: true }));

  it('is asked for by every table as soon as it has a name', () => {
    copy.register(naming);
    const errors = copy.errors('tsconfig.json', '--noEmit').join('\n');
    for (const { file } of serverRegistrations) assert.ok(errors.includes(file), `${file} is silent`);
  });

  it('compiles with its folder and a line in each table', () => {
    for (const [path, text] of Object.entries(toyFolder)) copy.write(`src/kinds/toy/${path}`, text);
    for (const registration of serverRegistrations) copy.register(registration);
    assert.deepEqual(copy.errors('tsconfig.json'), []);
  });

  checkOmissions(() => copy, 'tables.json', serverRegistrations);

  it('does not compile without any member of its declaration', () => {
    const whole = toyFolder['kind.ts'] ?? '';
    const members = [...whole.matchAll(/^ {2}(\w+): .*\n/gm)];
    assert.equal(members.length, 6);
    for (const [line, name] of members) copy.write(`src/kinds/toy/without-${name}.ts`, whole.replace(line, ''));
    const errors = copy.errors('tables.json', '--noEmit');
    for (const [, name] of members) {
      const file = `src/kinds/toy/without-${name}.ts`;
      assert.ok(
        errors.some((line) => line.startsWith(file) && line.includes(`'${name}'`)),
        `${name}: ${errors.join('\n')}`,
      );
      rmSync(join(copy.directory, file));
    }
  });

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
