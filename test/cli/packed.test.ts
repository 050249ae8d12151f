/**
 * The packed program: in a clean directory with nothing but Node, as a stranger installs it, from init to a restored backup; and in a real oclif
 * host, whose users add it themselves, or link a clone. @slow
 */
import { deepStrictEqual, doesNotMatch, match, ok, strictEqual } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import {
  lineOnTerminal,
  plan,
  root,
  runLater,
  scratch,
  whyNoTerminal,
  type Env,
  type Ran,
  type Scratch,
} from '../support/cli/cli-run.js';
import { commandLines, commandScript } from '../support/cli/docs-block.js';
import { fullEffort } from '../support/effort.js';
import { npmEnv, packageRegistry, prebuiltSqlite, type PackageRegistry } from '../support/cli/package-registry.js';
import { buildBinding, packProgram } from '../support/cli/packed.js';
import { oclifHost, real } from '../support/real.js';
import { walkTour } from '../support/cli/tour.js';
import { hang_ms } from '../support/wait.js';

const page = readFileSync(join(root, 'docs', 'installation.md'), 'utf8');
const [install = '', init = ''] = commandLines(page, 'package');
const [npx = ''] = commandLines(page, 'npx');
const pluginPage = readFileSync(join(root, 'docs', 'plugin.md'), 'utf8');

/** Newer Nodes use version 13, which brings its native code: npm runs no script for it. */
const isNewer = Number(process.versions.napi) >= 10;
const [sqlite, native] = isNewer
  ? ['better-sqlite3-13', join('prebuilds', `${process.platform}-${process.arch}.node`)]
  : ['better-sqlite3', join('build', 'Release', 'better_sqlite3.node')];

/** The archive, a registry with the packages that it needs, and npm's cache of them. */
let given: Scratch;
let archive: string;
let registry: PackageRegistry;
const placeArchive = (directory: string): void => copyFileSync(archive, join(directory, basename(archive)));
/** npm asks the registry once for each package: its answers do not change. */
const npm = (): Env => ({ ...npmEnv(registry, given.directory), npm_config_prefer_offline: 'true' });

describe('what npm pack packs', () => {
  before(async () => {
    given = scratch();
    archive = packProgram(given.directory);
    registry = await packageRegistry();
  });
  after(async () => {
    await registry.close();
    given.remove();
  });

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
      placeArchive(place.directory);
      const ran = await runLater('/bin/sh', ['-c', install], { ...env, ...npm(), npm_config_prefix: prefix }, place.directory);
      strictEqual(ran.code, 0, ran.stderr);
      mkdirSync(join(place.directory, 'away'));
    });
    after(() => place.remove());

    const spawned = (program: string, args: readonly string[], more: Env = {}): Ran => {
      const options = { cwd: join(place.directory, 'away'), env: { ...env, ...more }, timeout: hang_ms };
      const { status, stdout, stderr } = spawnSync(program, args, { ...options, encoding: 'utf8' });
      return { code: status, stdout, stderr };
    };
    const run = (...args: readonly string[]): Ran => spawned(join(place.directory, 'global', 'bin', 'agent-cli'), args);
    const done = (...args: readonly string[]): Record<string, unknown> => {
      const { code, stdout, stderr } = run(...args, '--json');
      strictEqual(code, 0, `${args.join(' ')}: ${stderr}`);
      return JSON.parse(stdout) as Record<string, unknown>;
    };

    const binding = (): string => join(own, 'node_modules', sqlite, native);
    /** Starts the server of the simulation, which must refuse. */
    const simulation = (): Ran => {
      const main = join(own, 'dist', 'program', 'src', 'http', 'simulation-main.js');
      return spawned(process.execPath, [main, '--port', '0'], { API_TOKEN: 'a-token-of-this-test' });
    };

    it('says in one line what brings its native code, where npm did not, and ends with 7', () => {
      if (isNewer) renameSync(binding(), `${binding()}.away`);
      strictEqual(run('version').code, 0, 'needs no native code');
      for (const { code, stdout, stderr } of [run('init'), run('--home', 'another', 'init'), simulation()]) {
        deepStrictEqual([code, stdout], [7, ''], stderr);
        match(stderr, /^✗ Engine unavailable: better-sqlite3 has no native build for Node v\S+ on \S+ \S+\n/);
        match(stderr, /\n {2}→ npm run (?:install|build-release) --prefix "?\S+node_modules\/better-sqlite3(?:-13)?"?\n$/);
        doesNotMatch(stderr, /\n {4}at /);
      }
      for (const made of ['.local', 'away/another']) ok(!existsSync(join(place.directory, made)), made);
      if (isNewer) renameSync(`${binding()}.away`, binding());
    });

    (isNewer ? it.skip : it)('installs its native code by that line', async () => {
      const [, line = ''] = /\n {2}→ (npm .*)\n$/.exec(run('init').stderr) ?? [];
      const ran = await runLater('/bin/sh', ['-c', line], { ...env, ...prebuiltSqlite(place.directory) }, place.directory);
      strictEqual(ran.code, 0, ran.stderr);
      strictEqual(run('--home', join(place.directory, 'by-line'), 'init').code, 0);
    });

    it('prints which version of glibc its native code needs, where the system has an older one', () => {
      const installed = readFileSync(binding(), 'latin1');
      writeFileSync(binding(), installed.replace(/\0GLIBC_2\.\d\d\0/, '\0GLIBC_2.99\0'), 'latin1');
      const { code, stdout, stderr } = run('init');
      writeFileSync(binding(), installed, 'latin1');
      deepStrictEqual([code, stdout], [7, ''], stderr);
      match(
        stderr,
        /^✗ Engine unavailable: the native build of better-sqlite3(?:-13)? needs GLIBC_2\.99, which this system does not have\n {2}→ npm run build-release --prefix "?\S+node_modules\/better-sqlite3(?:-13)?"?\n$/,
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

    it('names a package that is not installed, and says what to do, and ends with 7', () => {
      const modules = join(own, 'node_modules');
      const table = join(place.directory, 'table.csv');
      writeFileSync(table, 'id,cost,value\na,1,2\n');
      renameSync(modules, `${modules}.away`);
      const refused = [
        [sqlite, run('init')],
        ['@oclif/core', run('--help')],
        ['csv-parse', run('new', 'allocation', '--from', table, '--set', 'budget=1')],
      ] as const;
      renameSync(`${modules}.away`, modules);
      for (const [name, { code, stdout, stderr }] of refused) {
        const said = `✗ Engine unavailable: the package ${name} is not installed\n  → install agent-cli again\n`;
        deepStrictEqual([code, stdout, stderr], [7, '', said]);
      }
    });

    it('makes a home as docs/installation.md says', async () => {
      const home = join(place.directory, 'reader');
      mkdirSync(home);
      const { code, stdout, stderr } = await runLater('/bin/sh', ['-c', init], { ...env, HOME: home }, home);
      strictEqual(code, 0, stderr);
      match(stdout, /^public key +[0-9a-f]{64}$/m);
      ok(existsSync(join(place.directory, 'global', 'share', 'man', 'man1', 'agent-cli.1')), 'man finds the manual');
    });

    it('runs the whole way: a mission is executed, reviewed, exported, verified; the home is backed up and restored', () => {
      walkTour({ agent: done, at: (name) => name });
    });

    // npm does for it what it does for the installation above, with the script that the line above runs.
    (fullEffort ? it : it.skip)(
      'runs by npx as docs/installation.md says, with the install script of better-sqlite3',
      async () => {
        const home = join(place.directory, 'visitor');
        mkdirSync(home);
        const more = { npm_config_ignore_scripts: 'false', npm_config_yes: 'true', HOME: home };
        const all = { ...env, ...npm(), ...more, ...prebuiltSqlite(place.directory) };
        const ran = await runLater('/bin/sh', ['-c', npx], all, place.directory);
        strictEqual(ran.code, 0, ran.stderr);
        match(ran.stdout, /^public key +[0-9a-f]{64}$/m);
      },
    );
  });

  real('oclif-host', 'the plugin in an oclif host', function () {
    let place: Scratch;
    before(() => {
      place = scratch();
      for (const file of ['package.json', 'hostcli.js'])
        copyFileSync(join(root, 'test', 'oclif-host', file), join(place.directory, file));
      symlinkSync(join(oclifHost(), 'node_modules'), join(place.directory, 'node_modules'), 'junction');
      writeFileSync(join(place.directory, 'mission.json'), JSON.stringify(plan));
      mkdirSync(join(place.directory, 'bin'));
      const start = `#!/bin/sh\nexec '${process.execPath}' '${join(place.directory, 'hostcli.js')}' "$@"\n`;
      writeFileSync(join(place.directory, 'bin', 'hostcli'), start, { mode: 0o755 });
    });
    after(() => place.remove());

    const env = (): Env => ({
      ...place.env,
      ...npm(),
      PATH: `${join(place.directory, 'bin')}:${place.env['PATH'] ?? ''}`,
    });
    const host = (...words: readonly string[]): Promise<Ran> => runLater('hostcli', words, env(), place.directory);
    const done = async (...words: readonly string[]): Promise<string> => {
      const { code, stdout, stderr } = await host(...words);
      strictEqual(code, 0, `${words.join(' ')}: ${stderr}${stdout}`);
      return stdout;
    };
    const script = async (text: string): Promise<string> => {
      const ran = await runLater('/bin/sh', ['-c', text], env(), place.directory);
      strictEqual(ran.code, 0, `${text}: ${ran.stderr}${ran.stdout}`);
      return ran.stdout;
    };
    /** Runs the commands of a block of docs/plugin.md and returns what they print. */
    const follow = (block: string): Promise<string> => script(commandScript(pluginPage, block));
    /** Runs the commands of its last block; the last one asks, so a terminal and the id of the mission are needed. */
    const used = async (): Promise<void> => {
      const lines = commandLines(pluginPage, 'use');
      const [, id = ''] = /^([0-9a-f]{8}) .*review/m.exec(await script(['set -e', ...lines.slice(0, -1)].join('\n'))) ?? [];
      const review = lines.at(-1)?.replace(' 0f8f ', ` ${id} `) ?? '';
      match(review, /^hostcli agent review [0-9a-f]{8} --home D$/);
      if (whyNoTerminal() !== null) return;
      const { code, stdout } = lineOnTerminal(review, { ...env(), NO_COLOR: '1' }, place.directory, 'a\nchecked\n');
      strictEqual(code, 0, stdout);
      match(stdout, /next: hostcli agent export /);
    };
    /** A home is made, a mission is run and listed. */
    const works = async (home: string): Promise<void> => {
      match(await done('agent', 'init', '--home', home), /^public key +[0-9a-f]{64}$/m);
      const ran = await done('agent', 'run', 'mission.json', '--execute', '--home', home, '--json');
      const { id, state } = JSON.parse(ran) as { readonly id: string; readonly state: string };
      strictEqual(state, 'review');
      match(await done('agent', 'list', '--home', home), new RegExp(`^${id.slice(0, 8)} .*review`, 'm'));
    };

    it('is installed from the packed archive, reports what its native code needs, lists its commands and runs them', async () => {
      placeArchive(place.directory);
      const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string };
      match(await follow('plugins install'), new RegExp(`^agent-cli ${version.replaceAll('.', '\\.')}[^]*^ {2}agent init `, 'm'));
      if (isNewer) return works('installed');
      const refused = await host('agent', 'init', '--home', 'installed');
      deepStrictEqual([refused.code, refused.stdout], [7, ''], refused.stderr);
      match(refused.stderr, /\n {2}→ npm run install --prefix "?\S+\/hostcli\/node_modules\/better-sqlite3"?\n$/);
      buildBinding({ modules: join(place.directory, '.local', 'share', 'hostcli', 'node_modules') });
      await works('installed');
    });

    it('is linked from a clone, and its commands are used, as docs/plugin.md says', async () => {
      rmSync(join(place.directory, '.local'), { recursive: true, force: true });
      symlinkSync(root, join(place.directory, 'agent-cli'), 'junction');
      match(await follow('plugins link'), /^ {2}agent init /m);
      match(await done('plugins'), /^agent-cli .*\(link\) /m);
      match(await done('--help'), /^ {2}agent +plan and research under review/m);
      match(await done('agent', 'run', '--help'), /\$ hostcli agent run /);
      await used();
    });
  });
});
