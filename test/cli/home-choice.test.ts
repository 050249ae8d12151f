/** Which home a command uses: the flag in any position, else AGENT_HOME, else the user data directory. */
import { match, strictEqual } from 'node:assert';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { hostedCli, scratch, type Scratch } from '../support/cli-run.js';
import { commandHost } from '../support/command-host.js';

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
