/**
 * npm test: packages, types, lint, format, then the suites in stages. Its last line is `N passed, N failed, N skipped`.
 *
 *   npm test                          everything
 *   npm test -- unit crash            these stages only (after a build): lint, unit, integration, scenario, browser, crash
 *   npm test -- test/base/math.test.ts   these files only: what changed is compiled, types are not looked at
 *   npm test -- --grep TEXT           tests whose title holds TEXT
 *
 * REQUIRE_REAL=1: a missing real part fails. TEST_EFFORT=full: the full figures. COVERAGE=1: a report in
 * coverage/, and a whole run fails below the floors of scripts/coverage.mjs.
 */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { build } from './build.mjs';
import { check } from './check.mjs';
import { buildStamp, compile, isBuilt } from './compile.mjs';
import { emptyCoverage, reportCoverage } from './coverage.mjs';
import { filesUnder, main, node, nodeLater, prepare, root, Stop } from './machine.mjs';
import { needsProgram } from './needs-program.mjs';
import { parts } from './parts.mjs';
import { addTally, collected, emptyTally, runShards } from './shards.mjs';

const unitRooms = ['base', 'codec', 'domain', 'engines', 'kinds', 'console'];
/** In this order: the processes of the unit tests are the shortest, and so let all end together. */
const suites = ['integration', 'browser', 'scenario', 'crash', 'unit'];
const stageNames = ['lint', ...suites];
const modules = join(root, 'node_modules');
const covers = process.env.COVERAGE === '1';

/** Returns the stage of a test file, by its folder; every file belongs to exactly one. */
function stageOf(file) {
  const [folder] = file.replace('dist/test/', '').split('/');
  if (['scenario', 'browser', 'crash'].includes(folder)) return folder;
  return folder.endsWith('.js') || unitRooms.includes(folder) ? 'unit' : 'integration';
}

function readOptions() {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { grep: { type: 'string' } } });
  const stages = positionals.filter((word) => stageNames.includes(word));
  const files = positionals.filter((word) => !stageNames.includes(word)).map(compiled);
  return { grep: values.grep, stages, files };
}

/** Returns dist/test/x.test.js for test/x.test.ts, whatever directory it is named from. */
function compiled(word) {
  const path = relative(root, resolve(process.env.INIT_CWD ?? process.cwd(), word)).replaceAll('\\', '/');
  if (!existsSync(join(root, path)) || !/^test\/.*\.test\.ts$/.test(path)) {
    throw new Stop(`no stage and no test file: ${word} (stages: ${stageNames.join(', ')})`, 2);
  }
  return `dist/${path.replace(/\.ts$/, '.js')}`;
}

const sourceOf = (output) => output.replace(/^dist\/(.*)\.js$/, '$1.ts');

function printParts(answers) {
  const absent = Object.entries(answers).filter(([, why]) => why !== null);
  if (absent.length === 0) return console.log('this machine can run every test');
  console.log('this machine cannot run:');
  for (const [name, why] of absent) {
    const fails = process.env.REQUIRE_REAL === '1' && parts[name].optional !== true;
    console.log(`  ${parts[name].what}: ${why}${fails ? ' (REQUIRE_REAL=1: its tests fail)' : ''}`);
  }
}

/** Runs every check of scripts/lint.mjs; the stage fails as one. It runs beside the tests, so what it prints comes in one piece. */
async function lint() {
  const { status, output } = await collected([join(root, 'scripts', 'lint.mjs')], process.env);
  for (const part of output) process.stdout.write(part);
  const failed = status === 0 ? [] : ['lint'];
  return { ...emptyTally(), failed: failed.length, failures: failed };
}

/** Returns what probeAll does, from a process of its own: it waits for programs while others work. */
async function probed() {
  const { stdout } = await promisify(execFile)(process.execPath, [join(root, 'scripts', 'parts.mjs')]);
  return JSON.parse(stdout);
}

/** Returns the test files whose head says `@slow`, the largest first: each starts early, in a process of its own. */
const slowFiles = (files) =>
  files
    .map((file) => ({ file, source: readFileSync(join(root, sourceOf(file)), 'utf8') }))
    .filter(({ source }) => /^\/\*\*.*?\*\//s.exec(source)?.[0].includes(' @slow'))
    .sort((a, b) => b.source.length - a.source.length)
    .map(({ file }) => file);

/** Runs the tests of suites, each `{ name, files, env }`. */
function mocha(suites, grep) {
  const args = [join(modules, 'mocha', 'bin', 'mocha.js'), '--reporter', 'scripts/mocha-reporter.cjs'];
  if (process.env.CI) args.push('--forbid-only');
  if (grep !== undefined) args.push('--fgrep', grep);
  return runShards(suites, { args, alone: slowFiles(suites.flatMap(({ files }) => files)), covers });
}

const memory_bytes_min = 2 ** 31;

/**
 * Returns the variables that put the homes of tests on a file system in memory, where syncing is free: a test that needs a real
 * disk is in the crash stage. TMPDIR is left unchanged if it is already set.
 */
function memoryFolder() {
  const folder = '/dev/shm';
  if (process.env.TMPDIR || process.platform !== 'linux' || !existsSync(folder)) return {};
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize < memory_bytes_min ? {} : { TMPDIR: folder };
}

/** Returns what to run, each a name and a function that returns its tally: the suites share their processes. */
function plan({ grep, stages, files }, env) {
  const all = filesUnder('dist/test').filter((file) => file.endsWith('.test.js'));
  const whole = stages.length === 0 && files.length === 0;
  const inMemory = { ...env, ...memoryFolder() };
  const suite = (name, members) => ({ name, files: members, env: name === 'crash' ? env : inMemory });
  const chosen = suites
    .filter((name) => whole || stages.includes(name))
    .map((name) =>
      suite(
        name,
        all.filter((file) => stageOf(file) === name),
      ),
    );
  const ran = [...chosen, suite('files', files)].filter((one) => one.files.length > 0);
  const tests = ran.length === 0 ? [] : [[ran.map(({ name }) => name).join(', '), () => mocha(ran, grep)]];
  return whole || stages.includes('lint') ? [['lint', lint], ...tests] : tests;
}

/** Reports what the tests covered. Only a whole run must reach the floors. */
function coverage({ stages, files, grep }) {
  const whole = stages.length === 0 && files.length === 0 && grep === undefined;
  return reportCoverage({ whole }) ? emptyTally() : { ...emptyTally(), failed: 1, failures: ['coverage'] };
}

function printTitles(what, titles) {
  if (titles.length > 0) console.log(`\n${what}:\n${titles.map((title) => `  ${title}`).join('\n')}`);
}

const slowest_shown = 20;

/** Prints the files that took longest, so that a run that grows says where. */
function printSlowest(seconds) {
  const slowest = Object.entries(seconds)
    .sort(([, a], [, b]) => b - a)
    .slice(0, slowest_shown);
  if (slowest.length > 1)
    console.log(`\nslowest files:\n${slowest.map(([file, s]) => `${s.toFixed(1).padStart(8)} s  ${file}`).join('\n')}`);
}

/** Runs test files alone, without a look at the types or the machine. The program is built when they need it and it has changed. */
async function runFiles(files, grep) {
  await compile();
  const program = isBuilt() ? undefined : needsProgram(files);
  if (program !== undefined) console.log(`building the program, which ${sourceOf(program)} needs`);
  if (program !== undefined) await build();
  else if (!isBuilt()) linkProgram();
  return mocha([{ name: 'files', files, env: { ...process.env, ...memoryFolder() } }], grep);
}

/** Threads run modules of dist until the program is built again. */
function linkProgram() {
  rmSync(join(root, buildStamp), { force: true });
  if (node([join(root, 'scripts', 'program.mjs'), '--linked']) !== 0) throw new Stop('the program could not be linked');
}

await main(async () => {
  const options = readOptions();
  if (options.files.length > 0 && options.stages.length === 0 && !covers) {
    prepare();
    const { failed, passed } = await runFiles(options.files, options.grep);
    return failed > 0 || passed === 0 ? 1 : 0;
  }
  prepare();
  const probing = probed();
  probing.catch(() => undefined);
  const total = emptyTally();
  const run = async (name, body) => {
    console.log(`\n== ${name}`);
    const startedAt = Date.now();
    const tally = await body();
    addTally(total, tally);
    console.log(`== ${name}: ${tally.failed === 0 ? 'ok' : 'failed'} in ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
  };
  await run('build and types', async () => {
    if (covers) emptyCoverage();
    const built = await Promise.all([
      nodeLater([join(root, 'scripts', 'build.mjs'), '--tests']).then((code) => code === 0),
      check(),
    ]);
    return built.every(Boolean) ? emptyTally() : { ...emptyTally(), failed: 1, failures: ['build and types'] };
  });
  const answers = await probing;
  printParts(answers);
  const env = { ...process.env, AGENT_TEST_PARTS: JSON.stringify(answers) };
  const stages = total.failed > 0 ? [] : plan(options, env);
  await Promise.all(stages.map(([name, body]) => run(name, body)));
  if (covers && stages.length > 0) await run('coverage', () => coverage(options));
  const ran = total.passed + total.failed;
  const lintOnly = options.stages.length > 0 && options.stages.every((name) => name === 'lint');
  if (ran === 0 && !lintOnly) console.log('\nno test ran');
  printSlowest(total.seconds);
  printTitles('skipped', total.pending);
  printTitles('failed', total.failures);
  console.log(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
  return total.failed > 0 || (ran === 0 && !lintOnly) ? 1 : 0;
});
