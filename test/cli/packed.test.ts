/** The packed program in a clean directory with nothing but Node: what a stranger installs, from init to a restored backup. @slow */
import { deepStrictEqual, doesNotMatch, match, ok, strictEqual } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root, runLater, scratch, type Env, type Ran, type Scratch } from '../support/cli/cli-run.js';
import { commandLines } from '../support/cli/docs-block.js';
import { fullEffort } from '../support/effort.js';
import { npmEnv, packageRegistry, prebuiltSqlite } from '../support/cli/package-registry.js';
import { packProgram } from '../support/cli/packed.js';
import { walkTour } from '../support/cli/tour.js';
import { hang_ms } from '../support/wait.js';

const page = readFileSync(join(root, 'docs', 'installation.md'), 'utf8');
const [install = '', init = ''] = commandLines(page, 'package');
const [npx = ''] = commandLines(page, 'npx');

describe('the packed program', () => {
  let place: Scratch;
  let env: Env;
  let own: string;
  before(async () => {
    place = scratch();
    const prefix = join(place.directory, 'global');
    own = join(prefix, 'lib', 'node_modules', 'agent-cli');
    const path = [join(prefix, 'bin'), dirname(process.execPath), '/usr/bin', '/bin'].join(':');
    env = { PATH: path, HOME: place.directory, LC_ALL: 'C.UTF-8' };
    packProgram(place.directory);
    const registry = await packageRegistry();
    const npm = { ...env, ...npmEnv(registry, place.directory), npm_config_prefix: prefix };
    const ran = await runLater('/bin/sh', ['-c', install], npm, place.directory);
    await registry.close();
    strictEqual(ran.code, 0, ran.stderr);
    mkdirSync(join(place.directory, 'away'));
  });
  after(() => place.remove());

  const run = (...args: readonly string[]): Ran => {
    const options = { cwd: join(place.directory, 'away'), env, encoding: 'utf8', timeout: hang_ms } as const;
    const { status, stdout, stderr } = spawnSync(join(place.directory, 'global', 'bin', 'agent-cli'), args, options);
    return { code: status, stdout, stderr };
  };
  const done = (...args: readonly string[]): Record<string, unknown> => {
    const { code, stdout, stderr } = run(...args, '--json');
    strictEqual(code, 0, `${args.join(' ')}: ${stderr}`);
    return JSON.parse(stdout) as Record<string, unknown>;
  };

  /** Starts the server of the simulation, which must refuse. */
  const simulation = (): Ran => {
    const main = join(own, 'dist', 'program', 'src', 'http', 'simulation-main.js');
    const options = { cwd: join(place.directory, 'away'), env: { ...env, API_TOKEN: 'a-token-of-this-test' } } as const;
    const { status, stdout, stderr } = spawnSync(process.execPath, [main, '--port', '0'], {
      ...options,
      encoding: 'utf8',
      timeout: hang_ms,
    });
    return { code: status, stdout, stderr };
  };

  it('says in one line what brings its native code, where npm did not, and ends with 7', () => {
    strictEqual(run('version').code, 0, 'needs no native code');
    for (const { code, stdout, stderr } of [run('init'), run('--home', 'another', 'init'), simulation()]) {
      deepStrictEqual([code, stdout], [7, ''], stderr);
      match(stderr, /^✗ Engine unavailable: better-sqlite3 has no native build for Node v\S+ on \S+ \S+\n/);
      match(stderr, /\n {2}→ npm run install --prefix "?\S+node_modules\/better-sqlite3"?\n$/);
      doesNotMatch(stderr, /\n {4}at /);
    }
    deepStrictEqual(
      [existsSync(join(place.directory, '.local')), existsSync(join(place.directory, 'away', 'another'))],
      [false, false],
    );
  });

  it('installs its native code by that line', async () => {
    const [, line = ''] = /\n {2}→ (npm .*)\n$/.exec(run('init').stderr) ?? [];
    const ran = await runLater('/bin/sh', ['-c', line], { ...env, ...prebuiltSqlite(place.directory) }, place.directory);
    strictEqual(ran.code, 0, ran.stderr);
    strictEqual(run('--home', join(place.directory, 'by-line'), 'init').code, 0);
  });

  it('prints which version of glibc its native code needs, where the system has an older one', () => {
    const binding = join(own, 'node_modules', 'better-sqlite3', 'build', 'Release', 'better_sqlite3.node');
    const installed = readFileSync(binding, 'latin1');
    writeFileSync(binding, installed.replace(/\0GLIBC_2\.\d\d\0/, '\0GLIBC_2.99\0'), 'latin1');
    const { code, stdout, stderr } = run('init');
    writeFileSync(binding, installed, 'latin1');
    deepStrictEqual([code, stdout], [7, ''], stderr);
    match(
      stderr,
      /^✗ Engine unavailable: the native build of better-sqlite3 needs GLIBC_2\.99, which this system does not have\n {2}→ npm run build-release --prefix "?\S+node_modules\/better-sqlite3"?\n$/,
    );
  });

  it('says that native code is missing where sodium-native has none for this machine, and ends with 7', () => {
    const prebuilds = join(own, 'node_modules', 'sodium-native', 'prebuilds');
    renameSync(prebuilds, `${prebuilds}.away`);
    const refused = [run('init'), simulation()];
    renameSync(`${prebuilds}.away`, prebuilds);
    for (const { code, stdout, stderr } of refused) {
      deepStrictEqual([code, stdout], [7, ''], stderr);
      match(stderr, /^✗ Engine unavailable: [^\n]*sodium-native[^\n]*\n$/);
    }
  });

  it('makes a home as docs/installation.md says', async () => {
    const home = join(place.directory, 'reader');
    mkdirSync(home);
    const { code, stdout, stderr } = await runLater('/bin/sh', ['-c', init], { ...env, HOME: home }, home);
    strictEqual(code, 0, stderr);
    match(stdout, /^public key +[0-9a-f]{64}$/m);
  });

  it('runs the whole way: a mission is executed, reviewed, exported, verified; the home is backed up and restored', () => {
    walkTour({ agent: done, at: (name) => name });
  });

  // npm does for it what it does for the installation above, with the script that the line above runs.
  (fullEffort ? it : it.skip)('runs by npx as docs/installation.md says, with the install script of better-sqlite3', async () => {
    const registry = await packageRegistry();
    const home = join(place.directory, 'visitor');
    mkdirSync(home);
    const npm = { ...npmEnv(registry, place.directory), npm_config_ignore_scripts: 'false', npm_config_yes: 'true' };
    const ran = await runLater(
      '/bin/sh',
      ['-c', npx],
      { ...env, ...npm, ...prebuiltSqlite(place.directory), HOME: home },
      place.directory,
    );
    await registry.close();
    strictEqual(ran.code, 0, ran.stderr);
    match(ran.stdout, /^public key +[0-9a-f]{64}$/m);
  });

  it('holds what it needs: manual pages, the console, migrations; and no test, no source, no machine path', () => {
    const files = readdirSync(own, { recursive: true, encoding: 'utf8' }).filter((name) => !name.startsWith('node_modules'));
    for (const needed of [
      join('dist', 'console', 'index.html'),
      'migrations',
      'proto',
      join('dist', 'man'),
      'LICENSE',
      'README.md',
    ])
      ok(files.includes(needed), needed);
    deepStrictEqual(
      files.filter((name) => /\.test\.|^(?:test|bench|src|commands)(?:\/|$)|\.map$/.test(name)),
      [],
    );
  });
});
