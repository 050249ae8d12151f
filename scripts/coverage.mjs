/**
 * Coverage of src and commands, from every process, thread and page that the tests start (COVERAGE=1). Each shard's raw files are merged
 * and deleted as soon as it ends, because they hold gigabytes; what no process loaded counts as not covered.
 *
 *   node scripts/coverage.mjs FOLDER OUTPUT   merges the raw files of FOLDER into OUTPUT, and deletes FOLDER
 */
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { filesUnder, main, node, root, Stop } from './machine.mjs';

const folder = join(root, 'coverage');
const merged = join(folder, 'merged');
/** Where a build with COVERAGE=1 puts the source maps of the pages. */
export const pageMaps = join(folder, 'maps');
/** Returns the source map of a page's script, a path relative to the project's root without `.map` or with it. */
export const pageMap = (script) => join(pageMaps, `${script.replace(/\.map$/, '').replaceAll('/', '_')}.map`);
const rooms = ['dist/src', 'dist/commands', 'dist/console', 'dist/dashboard'];
const files_at_once = 16;

/** Percent of lines and of branches that the tests must reach. */
const floor = 90;

export function emptyCoverage() {
  for (const part of ['raw', 'merged', 'maps']) rmSync(join(folder, part), { recursive: true, force: true });
  mkdirSync(merged, { recursive: true });
}

export const rawFolder = (at) => join(folder, 'raw', String(at));

/** Merges what a shard left, in a process of its own, so that the shards go on meanwhile. */
export function mergeShard(at) {
  const args = [fileURLToPath(import.meta.url), rawFolder(at), join(merged, `${at}.json`)];
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
    child.on('error', reject);
    child.on('exit', (status) =>
      status === 0 ? resolve() : reject(new Stop(`coverage could not be merged: ${args.join(' ')}`)),
    );
  });
}

/** Prints the summary, writes coverage/index.html and lcov.info; returns whether both figures reach the floor. */
export function reportCoverage({ whole }) {
  if (whole) writeFileSync(join(merged, 'unloaded.json'), JSON.stringify({ result: unloaded() }));
  const c8 = join(root, 'node_modules', 'c8', 'bin', 'c8.js');
  const shown = ['text-summary', 'html', 'lcovonly', 'json-summary'].flatMap((name) => ['--reporter', name]);
  const included = ['src', 'commands'].flatMap((room) => ['--include', `${room}/**`]);
  const floors = whole ? ['--check-coverage', '--lines', floor, '--branches', floor, '--functions', 0, '--statements', 0] : [];
  return (
    node([c8, 'report', '--temp-directory', merged, '--exclude-after-remap', ...included, ...shown, ...floors].map(String)) === 0
  );
}

const read = (path) => JSON.parse(readFileSync(path, 'utf8'));
const roomUrls = rooms.map((room) => `${pathToFileURL(join(root, room)).href}/`);

/** Returns the compiled modules that no process loaded, each as one range that never ran. Modules of the pages run in the pages' scripts. */
function unloaded() {
  const loaded = new Set(readdirSync(merged).flatMap((name) => read(join(merged, name)).result.map(({ url }) => url)));
  return ['dist/src', 'dist/commands']
    .flatMap(filesUnder)
    .filter(
      (file) =>
        file.endsWith('.js') && !file.startsWith('dist/src/console/') && !loaded.has(pathToFileURL(join(root, file)).href),
    )
    .map((file) => {
      const ranges = [{ startOffset: 0, endOffset: readFileSync(join(root, file), 'utf8').length, count: 0 }];
      return {
        scriptId: '0',
        url: pathToFileURL(join(root, file)).href,
        functions: [{ functionName: '', ranges, isBlockCoverage: true }],
      };
    });
}

/** Returns the source map of a page's script for c8, with absolute paths; modules of dist/src name theirs themselves. */
function mapOf(url) {
  const path = fileURLToPath(url);
  const lines = readFileSync(path, 'utf8').split('\n');
  const map = read(pageMap(relative(root, path)));
  const sources = map.sources.map((source) => join(dirname(path), source));
  return { lineLengths: lines.map((line) => line.length), data: { ...map, sources } };
}

/** Returns the scripts of a raw file; none for a process that a test killed while it wrote the file. */
function scriptsIn(file) {
  try {
    return read(file).result;
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

function mergeFiles(from, output) {
  const { mergeProcessCovs } = createRequire(createRequire(import.meta.url).resolve('c8'))('@bcoe/v8-coverage');
  const names = readdirSync(from).filter((name) => name.endsWith('.json'));
  let result = [];
  for (let at = 0; at < names.length; at += files_at_once) {
    const some = names.slice(at, at + files_at_once).map((name) => {
      const result = scriptsIn(join(from, name)).filter(({ url }) => roomUrls.some((room) => url.startsWith(room)));
      return { result };
    });
    ({ result } = mergeProcessCovs([{ result }, ...some]));
  }
  const pages = result.filter(({ url }) => roomUrls.slice(2).some((room) => url.startsWith(room)));
  const maps = Object.fromEntries(pages.map(({ url }) => [url, mapOf(url)]));
  writeFileSync(output, JSON.stringify({ result, 'source-map-cache': maps }));
  rmSync(from, { recursive: true });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main(() => {
    const [from, output] = process.argv.slice(2);
    if (output === undefined) throw new Stop('usage: node scripts/coverage.mjs FOLDER OUTPUT', 2);
    mergeFiles(from, output);
  });
}
