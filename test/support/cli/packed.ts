/** The packed program and the locked packages that it runs with. */
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageRoot } from '../package-root.js';

const root = packageRoot(import.meta.url);

interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly optional?: boolean;
  readonly engines?: { readonly node?: string };
}

/** scripts/packed-program.mjs with types: it is plain JavaScript, because it runs before anything is built. */
interface PackedProgram {
  readonly lockedPackages: () => Readonly<Record<string, LockedPackage>>;
  readonly runningPackages: () => readonly string[];
  readonly packProgram: (directory: string) => string;
  readonly placeWithPackages: (
    directory: string,
    machine: { readonly platform: string; readonly arch: string },
    isWanted: (path: string) => boolean,
  ) => void;
}

export const { lockedPackages, packProgram, placeWithPackages, runningPackages } = (await import(
  pathToFileURL(join(root, 'scripts', 'packed-program.mjs')).href
)) as PackedProgram;

/** Puts the native code of better-sqlite3 where its install script puts it. @param modules a directory node_modules */
export function buildBinding({ modules }: { readonly modules: string }): void {
  const release = join('better-sqlite3', 'build', 'Release');
  mkdirSync(join(modules, release), { recursive: true });
  const binding = join(release, 'better_sqlite3.node');
  cpSync(join(root, 'node_modules', binding), join(modules, binding));
}
