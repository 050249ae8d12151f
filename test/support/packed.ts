/** The npm package as a stranger has it: packed, unpacked in a directory of its own, with the locked packages that it runs with and no others. */
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageRoot } from './package-root.js';

const root = packageRoot(import.meta.url);

interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly engines?: { readonly node?: string };
}

/** scripts/packed-program.mjs with types: it is plain JavaScript, because it runs before anything is built. */
interface PackedProgram {
  readonly lockedPackages: () => Readonly<Record<string, LockedPackage>>;
  readonly runningPackages: () => readonly string[];
  readonly packProgram: (directory: string) => string;
  readonly unpackProgram: (archive: string, directory: string) => void;
  readonly placeWithPackages: (
    directory: string,
    machine: { readonly platform: string; readonly arch: string },
    isWanted: (path: string) => boolean,
  ) => void;
  readonly copyPackages: (directory: string, isWanted?: (path: string) => boolean) => void;
}

const scripted = (await import(pathToFileURL(join(root, 'scripts', 'packed-program.mjs')).href)) as PackedProgram;
export const { lockedPackages, packProgram, placeWithPackages, runningPackages } = scripted;

export interface Packed {
  readonly directory: string;
  /** The archive that npm packed. */
  readonly archive: string;
  /** The program's own entry point. */
  readonly program: string;
  readonly modules: string;
  readonly remove: () => void;
}

/**
 * Packs the build that is there, and installs it as npm would, without the network and without install scripts.
 * @param isWanted is asked with each path below node_modules
 */
export function installPacked(isWanted: (path: string) => boolean = () => true): Packed {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'agent-packed-')));
  const archive = packProgram(directory);
  const own = join(directory, 'node_modules', 'agent-cli');
  scripted.unpackProgram(archive, own);
  scripted.copyPackages(directory, (path) => !path.startsWith('better-sqlite3/build') && isWanted(path));
  return {
    directory,
    archive,
    program: join(own, 'bin', 'agent-cli.js'),
    modules: join(directory, 'node_modules'),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}

/** Puts the native code of better-sqlite3 where its install script puts it. */
export function buildBinding({ modules }: Pick<Packed, 'modules'>): void {
  const release = join('better-sqlite3', 'build', 'Release');
  mkdirSync(join(modules, release), { recursive: true });
  const binding = join(release, 'better_sqlite3.node');
  cpSync(join(root, 'node_modules', binding), join(modules, binding));
}
