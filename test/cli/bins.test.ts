/** The package's two command names: the specification calls the command line `cli`, and `agent-cli` is the name that no other package has. */
import { deepStrictEqual, match, strictEqual, notStrictEqual } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, chmodSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { hostedCli, type Ran, root, scratch, type Scratch, program } from '../support/cli/cli-run.js';
import { commandHost } from '../support/cli/command-host.js';
import { hang_ms } from '../support/wait.js';
import { foreignNode, real } from '../support/real.js';

interface Package {
  readonly bin: Readonly<Record<string, string>>;
}

describe('the names of the command line', () => {
  let place: Scratch;
  before(() => {
    place = scratch();
    mkdirSync(join(place.directory, 'bin'));
    const { bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Package;
    // As npm links them.
    for (const [name, file] of Object.entries(bin)) symlinkSync(join(root, file), join(place.directory, 'bin', name));
  });
  after(() => place.remove());

  const run = (name: string, ...args: readonly string[]): Ran => {
    const { status, stdout, stderr } = spawnSync(join(place.directory, 'bin', name), args, {
      cwd: place.directory,
      env: { ...place.env },
      encoding: 'utf8',
      timeout: hang_ms,
    });
    return { code: status, stdout, stderr };
  };

  it('print the same: help, a command’s help, a result and a usage error', () => {
    for (const args of [[], ['simulate', '--help'], ['init', '--json', '--home', 'home'], ['nothing-like-it']]) {
      const [long, short] = [run('agent-cli', ...args), run('cli', ...args)];
      if (args[0] === 'init') deepStrictEqual([long.code, short.code], [0, 2], 'the home of the first is there for the second');
      else deepStrictEqual(short, long, args.join(' '));
    }
  });

  it('are called agent-cli in every hint, which is there too', () => {
    match(run('cli', '--help').stdout, /Usage: agent-cli /);
    match(run('cli', 'list', '--home', 'home').stdout, /next: agent-cli examples/);
  });
});

describe('the choice of the home', () => {
  let place: Scratch;
  const host = commandHost();
  const cli = hostedCli(host);
  const at = (name: string): string => join(place.directory, name);
  before(() => {
    place = scratch();
    for (const name of ['flag', 'variable']) strictEqual(cli(['init', '--home', at(name)], place.env, place.directory).code, 0);
    const named = cli(['--home', at('flag'), 'run', 'plan.json'], place.env, place.directory);
    match(named.stderr, /plan\.json cannot be read/);
  });
  after(() => {
    host.release();
    place.remove();
  });

  const homeOf = (args: readonly string[], env: Readonly<Record<string, string>>): string => {
    const { code, stdout, stderr } = cli(args, env, place.directory);
    strictEqual(code, 0, stderr);
    return (JSON.parse(stdout) as { identity: string }).identity;
  };

  it('takes --home before the command, after it, with =, and relative to the working directory', () => {
    const env = { ...place.env, AGENT_HOME: at('variable') };
    const expected = homeOf(['doctor', '--json', '--home', at('flag')], env);
    for (const args of [
      ['--home', at('flag'), 'doctor', '--json'],
      ['--json', `--home=${at('flag')}`, 'doctor'],
      ['doctor', '--json', '--home=flag'],
    ]) {
      strictEqual(homeOf(args, env), expected, args.join(' '));
    }
    const variable = homeOf(['doctor', '--json'], env);
    strictEqual(variable === expected, false);
  });

  it('falls back to XDG_DATA_HOME, then to ~/.local/share', () => {
    const { AGENT_HOME: _, ...env } = place.env;
    const init = (more: Readonly<Record<string, string>>): string => {
      const { stdout, stderr } = cli(['init', '--json'], { ...env, ...more }, place.directory);
      strictEqual(stderr, '');
      return (JSON.parse(stdout) as { home: string }).home;
    };
    strictEqual(init({ XDG_DATA_HOME: at('xdg') }), at('xdg/agent-cli'));
    strictEqual(init({ XDG_DATA_HOME: '', AGENT_HOME: '' }), at('.local/share/agent-cli'));
    strictEqual(existsSync(at('.local/share/agent-cli/journal.sqlite3')), true);
  });

  it('refuses two homes, and a home without a command', () => {
    const two = cli(['--home', at('flag'), 'list', '--home', at('variable'), '--json'], place.env, place.directory);
    strictEqual(two.code, 2);
    match((JSON.parse(two.stderr) as { detail: string }).detail, /--home can only be specified once/);
    for (const args of [['--home'], ['--home', at('flag')], ['--home', at('flag'), '--json']]) {
      const { code, stdout, stderr } = cli(args, place.env, place.directory);
      strictEqual(code, 2, args.join(' '));
      strictEqual(stdout, '');
      match(stderr, /a command is missing: agent-cli \[--home DIR\] COMMAND/);
    }
  });
});

const [node22 = ''] = foreignNode('node-22');
let at: Scratch;
const cache = (): string => join(at.directory, 'cache');

/** Runs a command that loads no native code, with this Node's own or another one. */
function version(node: string, env: Readonly<Record<string, string>> = {}): void {
  const { NODE_V8_COVERAGE: _, ...own } = at.env;
  const { status, stderr } = spawnSync(node, [program, '--version'], {
    env: { ...own, XDG_CACHE_HOME: cache(), ...env },
    encoding: 'utf8',
  });
  strictEqual(status, 0, stderr);
}

const filesIn = (directory: string): number => (existsSync(directory) ? readdirSync(directory, { recursive: true }).length : 0);

real('node-22', 'the compile cache', () => {
  beforeEach(() => {
    at = scratch();
  });
  afterEach(() => at.remove());

  it('is kept in a private directory of the user, and by default below ~/.cache', () => {
    version(node22);
    const kept = join(cache(), 'agent-cli');
    strictEqual(statSync(kept).mode & 0o777, 0o700);
    notStrictEqual(filesIn(kept), 0);
    version(node22, { XDG_CACHE_HOME: '' });
    notStrictEqual(filesIn(join(at.directory, '.cache', 'agent-cli')), 0);
  });

  it('is off where others can write to the directory, or it is a link', () => {
    const open = join(cache(), 'agent-cli');
    mkdirSync(open, { recursive: true });
    chmodSync(open, 0o777);
    version(node22);
    strictEqual(filesIn(open), 0);
    const elsewhere = join(at.directory, 'elsewhere');
    const link = join(at.directory, 'linked');
    mkdirSync(elsewhere, { mode: 0o700 });
    mkdirSync(link);
    symlinkSync(elsewhere, join(link, 'agent-cli'));
    version(node22, { XDG_CACHE_HOME: link });
    strictEqual(filesIn(elsewhere), 0);
  });

  it('is off where no directory can be made, where Node has none, and where it is disabled', () => {
    version(node22, { XDG_CACHE_HOME: '/proc/none' });
    if (process.version.startsWith('v20.')) version(process.execPath);
    version(node22, { NODE_DISABLE_COMPILE_CACHE: '1' });
    deepStrictEqual(readdirSync(at.directory), []);
  });
});
