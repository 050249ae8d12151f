/** The servers that `bench/http.ts` asks, each in a process of its own: a bare one of Node's, and the agent's over a home. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLogger } from '../src/http/log.js';
import { startOperator } from '../src/http/operator/serve.js';

/** The first argument of the process that serves. */
export const role = 'serve-for-bench';

/** What a server tells once it listens, and when it is asked how much it holds. */
export type Said = { readonly port: number } | { readonly heap_bytes: number };

function bare(): Promise<number> {
  const server = createServer((_request, response) => {
    response.setHeader('Content-Type', 'application/json');
    response.end('{"status":"ok"}');
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

async function agent(directory: string, witness: string, executing_max: number): Promise<number> {
  const world = { env: { AGENT_WITNESS: witness }, clock: Date.now, directory };
  const { port } = await startOperator(world, {
    host: '127.0.0.1',
    port: 0,
    allowedHosts: [],
    logger: createLogger('info'),
    daemon: { executing_max },
  });
  return port;
}

async function serve([directory, witness, executing_max]: readonly string[]): Promise<void> {
  const tell = (said: Said): void => void process.send?.(said);
  tell({ port: directory === undefined ? await bare() : await agent(directory, witness ?? '', Number(executing_max)) });
  process.on('message', () => {
    globalThis.gc?.();
    tell({ heap_bytes: process.memoryUsage().heapUsed });
  });
}

if (process.argv[2] === role) await serve(process.argv.slice(3));
