/** The program as npm installs it, without the network: the packed package, and the locked packages that it runs with. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { root } from './machine.mjs';

const packing_ms_max = 600_000;

/** Returns the entries of the lock file by path, `node_modules/…`. */
export const lockedPackages = () => JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;

/** Returns the paths of the packages that running needs; an optional one may not be there. */
export function runningPackages() {
  const isNeeded = ([at, { dev, devOptional, link }]) =>
    at.startsWith('node_modules/') && !link && !dev && !devOptional && existsSync(join(root, at));
  return Object.entries(lockedPackages())
    .filter(isNeeded)
    .map(([at]) => at);
}

/** Packs the build that is there into a directory and returns the path of the archive. */
export function packProgram(directory) {
  if (process.env.COVERAGE !== '1') return pack(root, directory);
  // Here dist/program only imports modules of dist, which the package leaves out: a copy with bundles is packed in its place.
  const scratch = mkdtempSync(join(tmpdir(), 'agent-cli-bundled-'));
  try {
    const copy = join(scratch, 'package');
    unpackProgram(pack(root, scratch), copy);
    const bundling = [join(root, 'scripts', 'program.mjs'), '--output', join(copy, 'dist', 'program')];
    execFileSync(process.execPath, bundling, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'], timeout: packing_ms_max });
    return pack(copy, directory);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function pack(cwd, directory) {
  execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', directory], {
    cwd,
    env: { ...process.env, npm_config_update_notifier: 'false', npm_config_loglevel: 'error' },
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: packing_ms_max,
  });
  const name = readdirSync(directory).find((file) => file.endsWith('.tgz'));
  if (name === undefined) throw new Error(`npm pack wrote no archive into ${directory}`);
  return join(directory, name);
}

/** Unpacks an archive of npm into a directory. */
function unpackProgram(archive, directory) {
  mkdirSync(directory, { recursive: true });
  execFileSync('tar', ['-xzf', archive, '-C', directory, '--strip-components=1'], { timeout: packing_ms_max });
}

/** Puts the packed program into a directory that does not exist. */
function placeProgram(directory) {
  const scratch = mkdtempSync(join(tmpdir(), 'agent-cli-pack-'));
  try {
    unpackProgram(packProgram(scratch), directory);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Returns whether a machine needs a file of a package: all but native code of other machines and runtimes, and what native code is compiled from. */
const isFor =
  ({ platform, arch }) =>
  (path) => {
    const prebuilt = /^sodium-native\/prebuilds\/([^/]+)/.exec(path)?.[1];
    if (prebuilt !== undefined) return prebuilt === `${platform}-${arch}` && !path.endsWith('.bare');
    const bundled = /^better-sqlite3-13\/prebuilds\/(.+)\.node$/.exec(path)?.[1];
    if (bundled !== undefined) return bundled === `${platform}-${arch}`;
    if (path.startsWith('better-sqlite3/build/')) return /\/build\/Release(?:\/better_sqlite3\.node)?$/.test(path);
    return !/^(?:better-sqlite3(?:-13)?\/(?:deps|src|binding\.gyp)|sodium-native\/(?:binding\.cc|CMakeLists\.txt))$/.test(path);
  };

/** Puts the packed program, with the packages that it needs on a machine, `{ platform, arch }`, into a directory that does not exist. */
export function placeWithPackages(directory, machine, isWanted = () => true) {
  const isNeeded = isFor(machine);
  placeProgram(directory);
  copyPackages(directory, (path) => isNeeded(path) && isWanted(path));
}

/** Copies the locked packages into `directory`/node_modules. `isWanted` is asked with each path below node_modules. */
function copyPackages(directory, isWanted) {
  const modules = join(root, 'node_modules');
  for (const at of runningPackages()) {
    const from = join(root, at);
    mkdirSync(dirname(join(directory, at)), { recursive: true });
    const isPart = (path) =>
      !relative(from, path).split(/[/\\]/).includes('node_modules') && isWanted(relative(modules, path).replaceAll('\\', '/'));
    cpSync(from, join(directory, at), { recursive: true, filter: isPart, verbatimSymlinks: true });
  }
}
