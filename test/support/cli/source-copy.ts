/** A copy of the program's sources to be edited and compiled: what an edit breaks is what the compiler says of the copy. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from './cli-run.js';
import { build_ms_max } from '../wait.js';

const parts = ['package.json', 'bin', 'migrations', 'manifests', 'commands', 'src'];

export class SourceCopy {
  readonly directory = realpathSync(mkdtempSync(join(tmpdir(), 'agent-source-')));

  constructor() {
    for (const path of parts) cpSync(join(root, path), join(this.directory, path), { recursive: true });
    symlinkSync(realpathSync(join(root, 'node_modules')), join(this.directory, 'node_modules'), 'junction');
    const config = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8')) as object;
    this.write('tsconfig.json', JSON.stringify({ ...config, include: ['src', 'commands'] }));
  }

  write(path: string, text: string): void {
    const file = join(this.directory, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  discard(path: string): void {
    rmSync(join(this.directory, path));
  }

  read(path: string): string {
    return readFileSync(join(this.directory, path), 'utf8');
  }

  /** Replaces one text of a file, which must be there once. Returns a function that puts it back. */
  edit(path: string, from: string, to: string): () => void {
    const text = this.read(path);
    assert.equal(text.split(from).length, 2, `${path} has ${JSON.stringify(from)} once`);
    this.write(path, text.replace(from, to));
    return () => this.write(path, text);
  }

  /** Runs a program of the copy. */
  node(...args: readonly string[]): { readonly code: number | null; readonly output: string } {
    const home = join(this.directory, 'home');
    const env = { PATH: process.env['PATH'] ?? '', HOME: this.directory, AGENT_HOME: home, AGENT_WITNESS: `${home}-witness` };
    const options = { cwd: this.directory, env, encoding: 'utf8', timeout: build_ms_max } as const;
    const { status, stdout, stderr } = spawnSync(process.execPath, args, options);
    return { code: status, output: `${stdout}${stderr}` };
  }

  /** Returns the compiler's errors for a project of the copy; none when it compiles. @param project such as `src/console` */
  errors(project: string, ...options: readonly string[]): string[] {
    const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    // One thread: several check some files more than once, which takes half as much again of the processors.
    const { code, output } = this.node(compiler, '-p', project, '--pretty', 'false', '--singleThreaded', ...options);
    const found = output.split('\n').filter((line) => /: error TS\d+/.test(line));
    assert.equal(code === 0, found.length === 0, output);
    return found;
  }

  remove(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** Asserts that the compiler named each file with the word that it lacks. */
export function assertNamed(errors: readonly string[], places: readonly (readonly [file: string, word: string])[]): void {
  for (const [file, word] of places) {
    const isNamed = errors.some((line) => line.replaceAll('\\', '/').startsWith(`${file}(`) && line.includes(word));
    assert.ok(isNamed, `no error in ${file} about ${word}:\n${errors.join('\n') || 'it compiles'}`);
  }
}
