/** A local Ethereum node (anvil) for a suite: it takes a free loopback port itself, and is ended by its own process id. */
import { spawn, type ChildProcess } from 'node:child_process';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { freshFetch } from '../http/fetch.js';
import { hang_ms } from '../wait.js';

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
  const chain = options.includes('--chain-id') ? [] : ['--chain-id', String(chain_id)];
  const args = ['--host', '127.0.0.1', '--port', '0', ...chain, ...options];
  const child = spawn(binary(), args, { stdio: ['ignore', 'pipe', 'ignore'] });
  const gone = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const end = (): void => void child.kill('SIGKILL');
  process.once('exit', end);
  const stop = async (): Promise<void> => {
    process.removeListener('exit', end);
    end();
    await gone;
  };
  try {
    const url = await listening(child);
    return { url, call: (method, ...params) => rpc(url, method, params), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The node's address, once it says that it listens there; it goes on talking, which is read and forgotten. */
const listening = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('anvil does not listen')), hang_ms);
    const settle = (how: () => void): void => {
      clearTimeout(timer);
      how();
    };
    child.once('error', (error) => settle(() => reject(new Error('anvil did not start', { cause: error }))));
    child.once('exit', (code) => settle(() => reject(new Error(`anvil ended with ${String(code)}`))));
    if (child.stdout === null) throw new Error('anvil has no output');
    createInterface(child.stdout).on('line', (line) => {
      const address = /^Listening on (\S+)$/.exec(line)?.[1];
      if (address !== undefined) settle(() => resolve(`http://${address}`));
    });
  });
