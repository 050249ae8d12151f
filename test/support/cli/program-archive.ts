/**
 * Copies of the built program: what its package installs, without pages and documentation. The packages that it needs are not in one; it runs with
 * those of this repository.
 */
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Env, Ran } from './cli-run.js';
import { packageRoot } from '../package-root.js';
import { build_ms_max } from '../wait.js';

const root = packageRoot(import.meta.url);

/** Members of `files` in package.json that no command of the command line reads. */
const left_out = /^(?:!|docs|scripts|dist\/(?:console|dashboard|man)|.*\.md$)/;
const isPart = (path: string): boolean => !/\.map$|\/dist\/src\/console$/.test(path.replaceAll('\\', '/'));

/** Copies the program that was built in `from` to a directory that does not exist yet. */
export function copyProgram(from: string, to: string): void {
  const { files } = JSON.parse(fs.readFileSync(join(from, 'package.json'), 'utf8')) as { readonly files: readonly string[] };
  for (const name of ['package.json', ...files.filter((name) => !left_out.test(name))]) {
    if (!fs.existsSync(join(from, name))) continue;
    fs.mkdirSync(dirname(join(to, name)), { recursive: true });
    fs.cpSync(join(from, name), join(to, name), { recursive: true, filter: isPart });
  }
  // While coverage is measured, the program here only imports modules that are not copied.
  if (from === root && process.env['COVERAGE'] === '1') writeProgram('--output', join(to, 'dist', 'program'));
}

/** Copies the present program to be edited: it runs its modules, because bundles of them would not have the edits. */
export function copyToEdit(to: string): void {
  copyProgram(root, to);
  for (const name of ['src', 'commands', 'oclif.manifest.json'])
    fs.cpSync(join(root, 'dist', name), join(to, 'dist', name), { recursive: true, filter: isPart });
  linkProgram(to);
}

/** Lets the program that was built in a directory run its modules. */
export const linkProgram = (directory: string): void => writeProgram('--linked', directory);

function writeProgram(...args: readonly string[]): void {
  const script = join(root, 'scripts', 'program.mjs');
  const { status, stderr } = spawnSync(process.execPath, [script, ...args], { encoding: 'utf8', timeout: build_ms_max });
  if (status !== 0) throw new Error(`scripts/program.mjs ${args.join(' ')}: ${stderr}`);
}

/** A program to be run: a directory with package.json, bin and dist. */
export interface Program {
  readonly directory: string;
  /** The entry point of the command line. */
  readonly main: string;
  readonly run: (args: readonly string[], env: Env, cwd: string) => Ran;
  /** Runs with `--json` and returns the document. @throws when the exit code is not 0 */
  readonly json: (args: readonly string[], env: Env, cwd: string) => Record<string, unknown>;
  readonly remove: () => void;
}

export const versionOf = (directory: string): string =>
  (JSON.parse(fs.readFileSync(join(directory, 'package.json'), 'utf8')) as { version: string }).version;

/** Replaces a text of a file. @throws Error unless it is there exactly once */
export function replaceIn(directory: string, file: string, find: string, replace: string): void {
  const before = fs.readFileSync(join(directory, file), 'utf8');
  const found = before.split(find).length - 1;
  if (found !== 1) throw new Error(`${file} holds ${JSON.stringify(find)} ${found} times instead of once`);
  fs.writeFileSync(
    join(directory, file),
    before.replace(find, () => replace),
  );
}

/** Gives a copy of a program another version, in package.json and in the manifest of its commands. */
export function setVersion(directory: string, version: string): void {
  for (const name of ['package.json', 'dist/oclif.manifest.json', 'dist/program/oclif.manifest.json']) {
    const file = join(directory, name);
    if (!fs.existsSync(file)) continue;
    const text = fs.readFileSync(file, 'utf8');
    fs.writeFileSync(file, text.replace(/("version": *)"[^"]*"/, `$1"${version}"`));
  }
}

/** Lets the program use the packages that are installed in this repository. */
export const linkPackages = (directory: string): void =>
  fs.symlinkSync(fs.realpathSync(join(root, 'node_modules')), join(directory, 'node_modules'), 'junction');

/** Returns the program of a directory; `remove` deletes nothing else. */
export function programIn(directory: string): Program {
  const main = join(directory, 'bin', 'agent-cli.js');
  const run: Program['run'] = (args, env, cwd) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], {
      cwd,
      env,
      encoding: 'utf8',
      timeout: build_ms_max,
    });
    return { code: status, stdout, stderr };
  };
  return {
    directory,
    main,
    run,
    json: (args, env, cwd) => {
      const { code, stdout, stderr } = run([...args, '--json'], env, cwd);
      if (code !== 0) throw new Error(`${args.join(' ')} ended with ${String(code)}: ${stderr}${stdout}`);
      return JSON.parse(stdout) as Record<string, unknown>;
    },
    remove: () => fs.rmSync(directory, { recursive: true, force: true }),
  };
}

/** Writes the program that is to come after the present one: a copy of it with one migration more, and one member more in an event. */
export function writeNextProgram(directory: string, version: string): void {
  copyToEdit(directory);
  setVersion(directory, version);
  fs.writeFileSync(
    join(directory, 'migrations', 'journal', '9999-next.sql'),
    'CREATE TABLE next(id INTEGER PRIMARY KEY) STRICT;\n',
  );
  const [codec, writer] = [
    join('dist', 'src', 'codec', 'events', 'mission.js'),
    join('dist', 'src', 'app', 'missions', 'submit.js'),
  ];
  replaceIn(directory, codec, 'ids_hash: optional(hash),', 'ids_hash: optional(hash), due: optional(text()),');
  replaceIn(directory, writer, 'goal: request.goal,', "goal: request.goal, due: 'before winter',");
}

export function nextProgram(version: string): Program {
  const directory = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'agent-program-')));
  writeNextProgram(directory, version);
  linkPackages(directory);
  return programIn(directory);
}

export const presentProgram = (): Program => ({ ...programIn(root), remove: () => undefined });
