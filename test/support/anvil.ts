/** A local Ethereum node (anvil) for a suite: started on a free loopback port, ended by its own process id. */
import { spawn, type ChildProcess } from 'node:child_process';
import { createRequire } from 'node:module';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { freshFetch } from './fetch.js';

const ready_ms_max = 30_000;
const poll_ms = 25;
const chain_id = 31_337;

const processors: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

/** The binary that the optional package of this platform carries. */
function binary(): string {
  const { platform, arch } = process;
  const name = `@foundry-rs/anvil-${platform}-${processors[arch] ?? arch}`;
  return createRequire(import.meta.url).resolve(`${name}/bin/anvil${platform === 'win32' ? '.exe' : ''}`);
}

export interface Anvil {
  readonly url: string;
  /** One JSON-RPC call. @throws Error with the node's message. */
  readonly call: (method: string, ...params: readonly unknown[]) => Promise<unknown>;
  readonly stop: () => Promise<void>;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

async function rpc(url: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const answer = await freshFetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { result, error } = (await answer.json()) as { result?: unknown; error?: { message: string } };
  if (error !== undefined) throw new Error(`${method}: ${error.message}`);
  return result;
}

/** @param options further arguments, as in `--chain-id 1` */
export async function startAnvil(...options: readonly string[]): Promise<Anvil> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const args = ['--host', '127.0.0.1', '--port', String(port), '--chain-id', String(chain_id), '--silent', ...options];
  const child = spawn(binary(), args, { stdio: 'ignore' });
  const call = (method: string, ...params: readonly unknown[]): Promise<unknown> => rpc(url, method, params);
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const end = (): void => void child.kill('SIGKILL');
  process.once('exit', end);
  const stop = async (): Promise<void> => {
    process.removeListener('exit', end);
    end();
    await gone;
  };
  try {
    await answered(child, call);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, call, stop };
}

async function answered(child: ChildProcess, call: Anvil['call']): Promise<void> {
  let failure: Error | null = null;
  child.once('error', (error) => (failure = error));
  for (const until = Date.now() + ready_ms_max; ; ) {
    if (failure !== null || child.exitCode !== null) throw new Error('anvil did not start', { cause: failure });
    try {
      await call('eth_chainId');
      return;
    } catch (error) {
      if (Date.now() > until) throw new Error('anvil does not answer', { cause: error });
      await pause(poll_ms);
    }
  }
}
