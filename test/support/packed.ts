/** The npm package as a stranger has it: packed, unpacked in a directory of its own, with the locked packages that it runs with and no others. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { packageRoot } from './package-root.js';

const root = packageRoot(import.meta.url);
const packing_ms_max = 600_000;

interface LockedPackage {
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly link?: boolean;
}

export interface Packed {
  readonly directory: string;
  /** The program's own entry point. */
  readonly program: string;
  readonly modules: string;
  readonly remove: () => void;
}

/** Returns the paths of the packages that running needs, `node_modules/…`; an optional one may not be there. */
export function runningPackages(): string[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, LockedPackage>>;
  };
  return Object.entries(packages)
    .filter(
      ([at, { dev, devOptional, link }]) =>
        at.startsWith('node_modules/') && link !== true && dev !== true && devOptional !== true && existsSync(join(root, at)),
    )
    .map(([at]) => at);
}

/** Packs the build that is there, and installs it as npm would, without the network and without install scripts. */
export function installPacked(): Packed {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'agent-packed-')));
  const env = { ...process.env, npm_config_update_notifier: 'false', npm_config_loglevel: 'error' };
  execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', directory], {
    cwd: root,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: packing_ms_max,
  });
  const tarball = readdirSync(directory).find((name) => name.endsWith('.tgz')) ?? '';
  const own = join(directory, 'node_modules', 'agent-cli');
  mkdirSync(own, { recursive: true });
  execFileSync('tar', ['-xzf', join(directory, tarball), '-C', own, '--strip-components=1'], { timeout: packing_ms_max });
  for (const at of runningPackages()) {
    mkdirSync(dirname(join(directory, at)), { recursive: true });
    const isPart = (from: string): boolean => !from.slice(join(root, at).length).includes('/node_modules');
    cpSync(join(root, at), join(directory, at), { recursive: true, filter: isPart, verbatimSymlinks: true });
  }
  rmSync(join(directory, 'node_modules', 'better-sqlite3', 'build'), { recursive: true, force: true });
  const modules = join(directory, 'node_modules');
  return {
    directory,
    program: join(own, 'bin', 'agent-cli.js'),
    modules,
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}

/** Puts the native code of better-sqlite3 where its install script puts it. */
export function buildBinding({ modules }: Packed): void {
  const release = join('better-sqlite3', 'build', 'Release');
  mkdirSync(join(modules, release), { recursive: true });
  const binding = join(release, 'better_sqlite3.node');
  cpSync(join(root, 'node_modules', binding), join(modules, binding));
}
