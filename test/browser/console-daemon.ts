/** The real daemon for tests of the console: `agent-cli serve` on a home of its own, with a token of each role. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { program, root, scratch, type Env, type Scratch } from '../support/cli-run.js';
import type { ConsoleServer } from '../support/console-mock-types.js';

const programAt = join(root, 'dist', 'test', 'support', 'cli-at.js');

export interface DaemonOptions {
  /** How far its clock goes before this machine's. */
  readonly offset_ms?: number;
  /** Variables of the daemon and of its commands. */
  readonly env?: Env;
  /** Works in the home before the daemon is there. */
  readonly before?: (cli: Scratch) => Promise<void>;
}

export async function startDaemon({ offset_ms = 0, env, before }: DaemonOptions = {}): Promise<ConsoleServer> {
  const cli = scratch(env);
  cli.json('init');
  const named = (role: string): string => String(cli.json('token', 'create', role, '--role', role)['token']);
  const tokens = {
    admin: readFileSync(join(cli.env['AGENT_HOME'] ?? '', 'api.token'), 'utf8').trim(),
    reviewer: named('reviewer'),
    viewer: named('viewer'),
  };
  await before?.(cli);
  const daemon = serve(cli, offset_ms);
  return {
    url: await urlOf(daemon),
    tokens,
    cli,
    close: async () => {
      const ended = once(daemon, 'exit');
      daemon.kill('SIGTERM');
      await ended;
      cli.remove();
    },
  };
}

const serve = ({ env, directory }: Scratch, offset_ms: number): ChildProcess =>
  spawn(process.execPath, [offset_ms === 0 ? program : programAt, 'serve', '--port=0', '--json'], {
    cwd: directory,
    env: { ...env, AGENT_TEST_CLOCK_OFFSET_MS: String(offset_ms) },
    stdio: ['ignore', 'pipe', 'ignore'],
  });

/** What the daemon says first is where it answers; what it says later is read and forgotten. */
function urlOf(daemon: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    if (daemon.stdout === null) throw new Error('the daemon has no output');
    createInterface(daemon.stdout).on('line', (line) => {
      const said = JSON.parse(line) as { readonly type: string; readonly url: string };
      if (said.type === 'serving') resolve(said.url);
    });
    daemon.once('exit', (code) => reject(new Error(`the daemon ended with ${String(code)}`)));
  });
}
