/** The real daemon for tests of the console: `serve` on a home of its own, with a token of each role. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { openHome } from '../../src/app/home/open.js';
import { initHome } from '../../src/app/home/init.js';
import { worldOf } from '../../src/app/home/home.js';
import { createToken } from '../../src/app/tokens/change.js';
import { hostedScratch, program, root, type Env, type Scratch } from '../support/cli/cli-run.js';

export type Role = 'viewer' | 'reviewer' | 'admin';

export interface ConsoleServer {
  readonly url: string;
  readonly tokens: Readonly<Record<Role, string>>;
  /** The command line on the same home, as another operator would use it. */
  readonly cli: Scratch;
  readonly close: () => Promise<void>;
}

/** The program with another clock; as it is built, it starts in less time. */
const programAt = join(root, 'dist', 'test', 'support', 'cli', 'cli-at.js');

export interface DaemonOptions {
  /** How far its clock goes before this machine's. */
  readonly offset_ms?: number;
  /** Variables of the daemon and of its commands. */
  readonly env?: Env;
  /** Works in the home before the daemon is there. */
  readonly before?: (cli: Scratch) => Promise<void>;
}

export async function startDaemon({ offset_ms = 0, env, before }: DaemonOptions = {}): Promise<ConsoleServer> {
  const cli = hostedScratch(env);
  const tokens = await makeHome(cli);
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

/** Makes the home in this process, because each command would take half a second to start. */
async function makeHome({ env }: Scratch): Promise<ConsoleServer['tokens']> {
  const world = worldOf(env['AGENT_HOME'], env, Date.now);
  initHome(world);
  const home = openHome(world);
  try {
    const named = async (role: 'reviewer' | 'viewer'): Promise<string> => (await createToken(home, role, role, 'operator')).token;
    const admin = readFileSync(home.paths.apiToken, 'utf8').trim();
    return { admin, reviewer: await named('reviewer'), viewer: await named('viewer') };
  } finally {
    home.close();
  }
}

const serve = ({ env, directory }: Scratch, offset_ms: number): ChildProcess =>
  spawn(process.execPath, [offset_ms === 0 ? program : programAt, 'serve', '--port=0', '--json'], {
    cwd: directory,
    env: { ...env, AGENT_TEST_CLOCK_OFFSET_MS: String(offset_ms) },
    stdio: ['ignore', 'pipe', 'ignore'],
  });

/** The first line of the daemon is its address; later lines are read and dropped. */
const urlOf = (daemon: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    if (daemon.stdout === null) throw new Error('the daemon has no output');
    createInterface(daemon.stdout).on('line', (line) => {
      const said = JSON.parse(line) as { readonly type: string; readonly url: string };
      if (said.type === 'serving') resolve(said.url);
    });
    daemon.once('exit', (code) => reject(new Error(`the daemon ended with ${String(code)}`)));
  });
