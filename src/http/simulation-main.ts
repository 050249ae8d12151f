/**
 * The simulation's server alone, over a home of its own: `node dist/src/http/simulation-main.js [--host H] [--port P] [--home DIR]`.
 * Exit codes are those of the refusal table.
 */
import { parseArgs } from 'node:util';
import { startDaemon } from '../app/daemon/daemon.js';
import type { World } from '../app/home/home.js';
import { simulationEnvironment } from '../app/simulation/env-file.js';
import { simulationFeature } from '../app/simulation/feature.js';
import { requiredSettings, withPort } from '../app/simulation/settings.js';
import { makeMissingHome } from '../app/simulation/simulate.js';
import { worldOf } from '../app/home/world.js';
import { errorCode } from '../base/fault.js';
import { invalid, refusals } from '../base/refusal.js';
import { RefusalError } from '../base/result.js';
import { signal_echo_ms } from '../base/simulation-limits.js';
import { createLogger } from './core/log.js';
import { startSimulationServer, type SimulationServer } from './simulation/serve.js';

const usage = `usage: node dist/src/http/simulation-main.js [--host HOST] [--port PORT] [--home DIR]

Serves the simulation's API, progress socket and dashboard. API_TOKEN must be set, in the environment or in .env.
  --host HOST  the address to listen on (default: 127.0.0.1)
  --port PORT  the port (default: PORT, else 8000); 0 takes any free one
  --home DIR   the home (default: AGENT_HOME, else the user data directory); it is made when there is none
`;

const options = {
  host: { type: 'string', default: '127.0.0.1' },
  port: { type: 'string' },
  home: { type: 'string' },
  help: { type: 'boolean', default: false },
} as const;

function readArguments() {
  try {
    return parseArgs({ options, strict: true, allowPositionals: false }).values;
  } catch (error) {
    if (!errorCode(error).startsWith('ERR_PARSE_ARGS')) throw error;
    throw new RefusalError(invalid('', error instanceof Error ? error.message : String(error)));
  }
}

/**
 * Aborts when the process is told to end. `timeout`, `npm` and a terminal say so twice at once, to the process and to its group; a signal
 * that comes later ends it at once.
 */
function endingSignal(): AbortSignal {
  const ending = new AbortController();
  const end = (): void => {
    if (ending.signal.aborted) return;
    ending.abort();
    setTimeout(() => process.off('SIGINT', end).off('SIGTERM', end), signal_echo_ms).unref();
  };
  process.on('SIGINT', end).on('SIGTERM', end).on('SIGHUP', end);
  return ending.signal;
}

const loopback = /^(?:localhost|127(?:\.[0-9]{1,3}){3}|::1)$/i;
const plain = 'can be reached from other machines, and HTTP is not encrypted: put a proxy with TLS in front';

async function main(): Promise<void> {
  const { host: given, port, home, help } = readArguments();
  if (help) return void process.stdout.write(usage);
  const host = given.replace(/^\[(.*)\]$/, '$1');
  // Node would take it for every address of the machine.
  if (host === '') throw new RefusalError(invalid('host', 'is empty; 0.0.0.0 is every address'));
  const env = simulationEnvironment(process.env, process.cwd());
  const settings = withPort(requiredSettings(env), port);
  const ending = endingSignal();
  const logger = createLogger('info');
  if (!loopback.test(host)) logger.warn(`${host} ${plain}`);
  const world: World = worldOf(home, env, Date.now);
  const made = makeMissingHome(world);
  if (made !== null) process.stderr.write(`a home was made at ${made}\n`);
  const daemon = await startDaemon(world, { features: [simulationFeature], onWarning: (message) => logger.warn(message) });
  let server: SimulationServer | null = null;
  try {
    server = await startSimulationServer(daemon, { settings, host, logger });
    const { directory } = daemon.home.paths;
    const name = host.includes(':') ? `[${host}]` : host;
    process.stdout.write(`simulation http://${name}:${server.port}/\nhome       ${directory}, pid ${process.pid}\n`);
    await untilEnding(ending, daemon.ended);
  } finally {
    await server?.stop();
    await daemon.stop();
  }
  await daemon.ended;
}

/** Also when the daemon had to end by itself, which it tells afterwards. */
function untilEnding(ending: AbortSignal, ended: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => resolve();
    if (ending.aborted) go();
    ending.addEventListener('abort', go, { once: true });
    ended.then(go, go);
  });
}

try {
  await main();
} catch (error) {
  const refusal = error instanceof RefusalError ? error.refusal : null;
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(refusal === null ? `✗ ${message}\n` : `✗ ${refusals[refusal.code].title}: ${refusal.detail}\n`);
  process.exitCode = refusal === null ? 1 : refusals[refusal.code].exit;
}
