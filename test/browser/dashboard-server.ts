/** The real simulation server for tests of the dashboard: the module's entry point on a home of its own. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { scratch } from '../support/cli/cli-run.js';
import { hang_ms } from '../support/wait.js';

const entry = join(import.meta.dirname, '..', 'support', 'app', 'simulation-at.js');
const token = 'token of the dashboard tests'.replaceAll(' ', '-');

export interface DashboardServer {
  readonly url: string;
  readonly token: string;
  /** Makes a named token of the home, of the role viewer. */
  readonly viewer: () => string;
  /** Stops the process where it is, or lets it go on. */
  readonly hang: (hangs: boolean) => void;
  readonly close: () => Promise<void>;
}

export async function startSimulationServer(): Promise<DashboardServer> {
  const { env, directory, remove, json } = scratch();
  const server = spawn(process.execPath, [entry, '--port', '0'], {
    cwd: directory,
    env: { ...env, API_TOKEN: token, API_RATE_LIMIT: '0', API_HOME_TOKENS: '1' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return {
    url: await addressOf(server),
    token,
    viewer: () => String(json('token', 'create', 'reader', '--role', 'viewer')['token']),
    hang: (hangs) => void server.kill(hangs ? 'SIGSTOP' : 'SIGCONT'),
    close: async () => {
      const ended = once(server, 'exit');
      server.kill('SIGTERM');
      await ended;
      remove();
    },
  };
}

/** The server says where it listens once it does. */
const addressOf = (server: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('the simulation server does not start')), hang_ms);
    server.once('exit', (code) => reject(new Error(`the simulation server ended with ${String(code)}`)));
    if (server.stdout === null) return;
    createInterface({ input: server.stdout }).on('line', (line) => {
      const url = /http:\/\/\S+/.exec(line)?.[0];
      if (url === undefined) return;
      clearTimeout(timer);
      resolve(url);
    });
  });
