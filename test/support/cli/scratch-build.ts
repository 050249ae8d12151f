/**
 * The built program with edits of its sources, in a directory of its own: another version of it, to be run beside the present one. An edit
 * whose anchor is not in its file exactly once fails. By default the edited files alone are compiled, one by one and without their types;
 * TEST_EFFORT=full compiles all sources, with their types.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { Ran } from './cli-run.js';
import { Operator, operatorScript } from '../crash/crash-cli.js';
import { atEffort } from '../effort.js';
import { packageRoot } from '../package-root.js';
import { copyToEdit, linkPackages, programIn, replaceIn, setVersion, type Program } from './program-archive.js';
import { build_ms_max } from '../wait.js';

const root = packageRoot(import.meta.url);
const support = join(root, 'dist', 'test', 'support');

export interface Edit {
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

export interface ScratchBuild extends Program {
  readonly setVersion: (version: string) => void;
  /** Starts a process that runs one command of this build after another; it keeps the version that the build has at its start. */
  readonly operator: () => Operator;
}

/** @throws when an edit does not apply, or the result does not compile */
export function scratchBuild(version: string, edits: readonly Edit[]): ScratchBuild {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'agent-cli-build-')));
  const program = programIn(directory);
  const edited = [...new Set(edits.map(({ file }) => file))];
  try {
    copyToEdit(directory);
    cpSync(join(root, 'tsconfig.json'), join(directory, 'tsconfig.json'));
    for (const path of atEffort(edited, ['src', 'commands']))
      cpSync(join(root, path), join(directory, path), {
        recursive: true,
        filter: (from) => !from.startsWith(join(root, 'src', 'console')),
      });
    linkPackages(directory);
    for (const { file, find, replace } of edits) replaceIn(directory, file, find, replace);
    setVersion(directory, version);
    compile(directory, edited);
  } catch (error) {
    program.remove();
    throw error;
  }
  const inBuild = (file: string): string => join(directory, relative(root, file));
  for (const file of [operatorScript, join(support, 'compile-less.js'), join(support, 'package-root.js')])
    cpSync(file, inBuild(file));
  return {
    ...program,
    setVersion: (to) => setVersion(directory, to),
    operator: () => new Operator(inBuild(operatorScript)),
  };
}

function compile(directory: string, edited: readonly string[]): void {
  const compilerOptions = { sourceMap: false, ...atEffort({ noCheck: true, noResolve: true, types: [] }, {}) };
  const included = atEffort({ files: edited, include: [] }, { include: ['src', 'commands'] });
  const config = { extends: './tsconfig.json', compilerOptions, ...included };
  writeFileSync(join(directory, 'tsconfig.scratch.json'), JSON.stringify(config));
  const tsc = join(directory, 'node_modules', 'typescript', 'bin', 'tsc');
  const { code, stdout, stderr } = start([tsc, '-p', 'tsconfig.scratch.json'], directory);
  if (code !== 0) throw new Error(`the edited sources do not compile:\n${stdout}${stderr}`);
}

function start(args: readonly string[], cwd: string): Ran {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: build_ms_max, cwd });
  return { code: status, stdout, stderr };
}
