/**
 * A build of the sources with edits, in a directory of its own: another version of this program, to be run beside the present one. An
 * edit whose anchor is not in its file exactly once fails.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Ran } from './cli-run.js';
import { packageRoot } from './package-root.js';
import { linkPackages, programIn, replaceIn, setVersion, type Program } from './program-archive.js';

const root = packageRoot(import.meta.url);
/** What a build of the program alone does not need. */
const left_out = /^(?:\.|node_modules$|dist|test$|bench$|docs$|coverage)/;
const compile_ms_max = 240_000;

export interface Edit {
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

export interface ScratchBuild extends Program {
  readonly setVersion: (version: string) => void;
}

/** @throws when an edit does not apply, or the result does not compile */
export function scratchBuild(version: string, edits: readonly Edit[]): ScratchBuild {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'agent-cli-build-')));
  const program = programIn(directory);
  try {
    for (const name of readdirSync(root).filter((one) => !left_out.test(one)))
      cpSync(join(root, name), join(directory, name), {
        recursive: true,
        filter: (from) => !from.startsWith(join(root, 'src', 'console')),
      });
    linkPackages(directory);
    for (const { file, find, replace } of edits) replaceIn(directory, file, find, replace);
    setVersion(directory, version);
    compile(directory);
  } catch (error) {
    program.remove();
    throw error;
  }
  return { ...program, setVersion: (to) => setVersion(directory, to) };
}

function compile(directory: string): void {
  const config = { extends: './tsconfig.json', compilerOptions: { sourceMap: false }, include: ['src', 'commands'] };
  writeFileSync(join(directory, 'tsconfig.scratch.json'), JSON.stringify(config));
  const tsc = join(directory, 'node_modules', 'typescript', 'bin', 'tsc');
  const { code, stdout, stderr } = start([tsc, '-p', 'tsconfig.scratch.json'], { cwd: directory });
  if (code !== 0) throw new Error(`the edited sources do not compile:\n${stdout}${stderr}`);
  // Commands start faster with it.
  const env = { ...process.env, NODE_ENV: 'production' };
  const manifest = start([join(directory, 'scripts', 'manifest.mjs')], { cwd: directory, env });
  if (manifest.code !== 0) throw new Error(`no manifest of the commands: ${manifest.stderr}`);
}

function start(args: readonly string[], options: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv }): Ran {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: compile_ms_max, ...options });
  return { code: status, stdout, stderr };
}
