/** The real daemon for tests of the console: `agent-cli serve` on a home of its own, with a token of each role. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { program, scratch, type Scratch } from '../support/cli-run.js';
import type { ConsoleServer } from '../support/console-mock-types.js';

const start_ms_max = 20_000;

export async function startDaemon(): Promise<ConsoleServer> {
  const cli = scratch();
  cli.json('init');
  const named = (role: string): string => String(cli.json('token', 'create', role, '--role', role)['token']);
  const tokens = {
    admin: readFileSync(join(cli.env['AGENT_HOME'] ?? '', 'api.token'), 'utf8').trim(),
    reviewer: named('reviewer'),
    viewer: named('viewer'),
  };
  const port = await freePort();
  const daemon = serve(cli, port);
  const url = `http://127.0.0.1:${port}/`;
  await answers(url, daemon);
  return {
    url,
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

const serve = ({ env, directory }: Scratch, port: number): ChildProcess =>
  spawn(process.execPath, [program, 'serve', '--port', String(port)], { cwd: directory, env, stdio: 'ignore' });

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

async function answers(url: string, daemon: ChildProcess): Promise<void> {
  for (const end = Date.now() + start_ms_max; ; ) {
    if (daemon.exitCode !== null) throw new Error(`the daemon ended with ${daemon.exitCode}`);
    const there = await fetch(`${url}healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (there) return;
    if (Date.now() > end) throw new Error('the daemon does not answer');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
