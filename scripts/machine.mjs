/**
 * Shared by start, test and bench before any package is installed: Node's version, build tools, npm ci, the build. To run the program takes
 * the packages of package.json; its tests, benches and checks those of test/packages/package.json too.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { refusedNode } from '../bin/node-version.js';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
export const sourceFolders = ['src', 'commands', 'test', 'bench'];

/** An expected end of a script: its message is printed without a stack. */
export class Stop extends Error {
  constructor(message, code = 1) {
    super(message);
    this.code = code;
  }
}

/** Returns the comment at the head of a script, which is its help. */
export function headOf(url) {
  const [, text = ''] = /^\/\*\*\n([^]*?)\n \*\/$/m.exec(readFileSync(fileURLToPath(url), 'utf8')) ?? [];
  return text.replaceAll(/^ \* ?/gm, '');
}

/** Returns the whole number that an option of a script has, or undefined. */
export function numberOf(values, name, most = Number.MAX_SAFE_INTEGER) {
  const text = values[name];
  if (text === undefined) return undefined;
  if (!/^[0-9]+$/.test(text) || Number(text) > most)
    throw new Stop(`--${name} takes a whole number of at most ${most}: ${text}`, 2);
  return Number(text);
}

/** Runs a script's main function and turns its failure into an exit code. */
export async function main(body) {
  try {
    process.exitCode = (await body()) ?? 0;
  } catch (error) {
    if (String(error.code).startsWith('ERR_PARSE_ARGS')) {
      console.error(error.message);
      process.exitCode = 2;
      return;
    }
    if (!(error instanceof Stop)) throw error;
    console.error(error.message);
    process.exitCode = error.code;
  }
}

export function node(args, options = {}) {
  return spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit', ...options }).status ?? 1;
}

/** Runs a script while this process goes on; resolves to its exit code. */
export const nodeLater = (args, options = {}) =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit', ...options });
    child.on('error', reject);
    child.on('close', (status) => resolve(status ?? 1));
  });

const npm = (args) => spawnSync('npm', args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' }).status ?? 1;

/** Checks Node, installs the locked packages when they are missing or differ, those of the tests included, and checks that the native ones load. */
export function prepare({ tests } = { tests: true }) {
  const refused = refusedNode(process.version);
  if (refused !== null) throw new Stop(refused);
  if (!installed(tests)) {
    const missing = hasNativeCode ? [] : missingBuildTools();
    if (missing.length > 0) console.log(`note: ${buildToolsAdvice(missing)}\n`);
    // Where better-sqlite3 brings its native code, nothing is to be compiled.
    const only = [...(tests ? [] : ['--workspaces=false']), ...(hasNativeCode ? ['--ignore-scripts'] : [])];
    console.log(`installing packages: ${['npm', 'ci', ...only].join(' ')} (a minute; some where better-sqlite3 is compiled)`);
    // npm draws its progress on terminals only.
    const progress = process.stderr.isTTY ? ['--progress', '--foreground-scripts'] : ['--loglevel=http'];
    if (npm(['ci', ...only, ...progress, '--no-audit', '--no-fund']) !== 0)
      throw new Stop(`npm ci failed\n${buildToolsAdvice(missingBuildTools())}`.trim());
  }
  if (sqliteLoads()) return;
  const build = hasNativeCode
    ? ['run', 'build-release', '--prefix', 'node_modules/better-sqlite3-13']
    : ['rebuild', 'better-sqlite3', '--ignore-scripts=false'];
  console.log(`building better-sqlite3 for this Node: npm ${build.join(' ')}`);
  npm(build);
  if (sqliteLoads()) return;
  throw new Stop(
    `better-sqlite3 could not be built for Node ${process.versions.node}\n${buildToolsAdvice(missingBuildTools())}`.trim(),
  );
}

function installed(tests) {
  // npm leaves it out where it installs for an older Node.
  if (hasNativeCode && !existsSync(join(root, 'node_modules', 'better-sqlite3-13'))) return false;
  const wanted = lockedPackages(join(root, 'package-lock.json'));
  const found = lockedPackages(join(root, 'node_modules', '.package-lock.json'));
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  if (!tests) {
    // The packages that the listed ones need are there when those are: npm installs all or nothing.
    const listed = Object.keys({ ...dependencies, ...devDependencies }).map((name) => `node_modules/${name}`);
    const isLocked = ([path, { version }]) => path === '' || wanted[path]?.version === version;
    return listed.every((path) => found[path] !== undefined) && Object.entries(found).every(isLocked);
  }
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '') return true;
    const there = found[path];
    return there === undefined ? entry.optional === true || entry.devOptional === true : there.version === entry.version;
  });
}

function lockedPackages(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : {};
}

/** Loads the better-sqlite3 that src/store/sqlite.ts chooses. */
export const requireSqlite = "require(process.versions.napi < 10 ? 'better-sqlite3' : 'better-sqlite3-13')";
/** Whether this Node takes the better-sqlite3 that brings its native code with it for most machines. */
const hasNativeCode = process.versions.napi >= 10;

const sqliteLoads = () => node(['-e', `new (${requireSqlite})(':memory:').close()`], { stdio: 'ignore' }) === 0;

function missingBuildTools() {
  const answers = (...names) =>
    names.some((name) => spawnSync(name, ['--version'], { stdio: 'ignore', shell: process.platform === 'win32' }).status === 0);
  const missing = [];
  if (!answers('python3', 'python')) missing.push('python3');
  if (!answers('make', 'gmake')) missing.push('make');
  if (!answers('c++', 'g++', 'clang++')) missing.push('a C++ compiler');
  return missing;
}

function buildToolsAdvice(missing) {
  if (missing.length === 0) return '';
  return [
    `better-sqlite3 compiles itself where no prebuilt file fits, and this machine lacks ${missing.join(', ')}`,
    '  Debian, Ubuntu:  apt-get install -y python3 make g++',
    '  macOS:           xcode-select --install',
  ].join('\n');
}

/** Returns the files below a folder of the project, as paths relative to its root with forward slashes, in a stable order. */
export function filesUnder(folder) {
  const at = join(root, folder);
  if (!existsSync(at)) return [];
  return readdirSync(at, { withFileTypes: true })
    .flatMap((entry) => (entry.isDirectory() ? filesUnder(`${folder}/${entry.name}`) : [`${folder}/${entry.name}`]))
    .sort((a, b) => (a < b ? -1 : 1));
}
