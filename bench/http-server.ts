/**
 * The servers that the benches measure, each in a process of its own: a bare Node server, and over a home the operator's (with
 * the number of concurrent executions) or the simulation's (`simulation`).
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startDaemon } from '../src/app/daemon/daemon.js';
import type { World } from '../src/app/home/home.js';
import { one_island } from '../src/app/simulation/islands/settings.js';
import { createLogger } from '../src/http/log.js';
import { startServers } from '../src/http/start.js';
import { startSimulationServer } from '../src/http/simulation/serve.js';

/** The first argument of the process that serves. */
export const role = 'serve-for-bench';

export const simulation_token = 'the-token-of-the-benches';

/** The message of a server once it listens, and when its heap size is requested. */
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
  const { port } = await startServers(worldOf(directory, witness), {
    host: '127.0.0.1',
    port: 0,
    allowedHosts: [],
    logger: createLogger('info'),
    daemon: { executing_max },
  });
  return port;
}

/** Starts the simulation's server with the token of the benches. */
async function simulation(directory: string, witness: string): Promise<number> {
  const daemon = await startDaemon(worldOf(directory, witness), { onWarning: () => undefined });
  const settings = { token: simulation_token, port: 0, rate_limit: 0, origins: '*', islands: one_island } as const;
  const { port } = await startSimulationServer(daemon, { settings, host: '127.0.0.1', logger: createLogger('info') });
  return port;
}

const worldOf = (directory: string, witness: string): World => ({
  env: { AGENT_WITNESS: witness },
  clock: Date.now,
  directory,
});

async function serve([directory, witness = '', what]: readonly string[]): Promise<void> {
  const tell = (said: Said): void => void process.send?.(said);
  if (directory === undefined) tell({ port: await bare() });
  else if (what === 'simulation') tell({ port: await simulation(directory, witness) });
  else tell({ port: await agent(directory, witness, Number(what)) });
  process.on('message', () => {
    globalThis.gc?.();
    tell({ heap_bytes: process.memoryUsage().heapUsed });
  });
}

if (process.argv[2] === role) await serve(process.argv.slice(3));
