/** Serves the simulation alone until a signal ends it, by the start-up code of `serve`. */
import { parseArgs } from 'node:util';
import { alertSettings } from '../app/alerts/alerts.js';
import { busSettings } from '../app/bus/settings.js';
import { checkSandboxLimits } from '../app/code/sandbox.js';
import { worldOf } from '../app/home/home.js';
import { makeMissingHome } from '../app/simulation/runs/simulate.js';
import { requiredSettings, simulationEnvironment, withPort } from '../app/simulation/settings.js';
import { errorCode, invalid, messageOf, RefusalError } from '../base/refusal.js';
import { addressOf, endingSignal, hostOf, reachWarnings, tokenWarnings, urlOf } from '../cli/serve.js';
import { createLogger } from './log.js';
import { followUntil, startSimulationAlone } from './start.js';

const usage = `usage: node dist/program/src/http/simulation-main.js [--host HOST] [--port PORT] [--home DIR]

Serves the simulation's API, progress socket and dashboard, and the message bus on AGI_INSIGHT_BUS_PORT (else 6006; 0 turns it
off). API_TOKEN must be set, in the environment or in .env.
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

/** @param args the command line, without the program. @throws RefusalError before anything is served */
export async function serveSimulationAlone(args: readonly string[]): Promise<void> {
  const { host: given, port, home, help } = readArguments(args);
  if (help) return void process.stdout.write(usage);
  const host = hostOf(given);
  if (host === '') throw new RefusalError(invalid('host', 'is empty; 0.0.0.0 is every address'));
  const env = simulationEnvironment(process.env, process.cwd());
  const settings = withPort(requiredSettings(env), port);
  checkSandboxLimits(env);
  const [bus, webhook, world] = [busSettings(env), alertSettings(env), worldOf(home, env, Date.now)];
  const warnings = [...reachWarnings(host), ...tokenWarnings(host, settings)];
  const ending = endingSignal();
  const logger = createLogger('info');
  for (const warning of warnings) logger.warn(warning);
  const made = makeMissingHome(world);
  if (made !== null) process.stderr.write(`home created: ${made}\n`);
  const server = await startSimulationAlone(world, { settings, host, logger, bus, webhook });
  const lines = [
    `simulation ${urlOf(host, server.port)}`,
    `home       ${server.daemon.home.paths.directory}, pid ${process.pid}`,
    ...(server.bus === null ? [] : [`bus        ${addressOf(server.bus)}`]),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  await followUntil(server, ending, () => undefined);
}

function readArguments(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: false }).values;
  } catch (error) {
    if (!errorCode(error).startsWith('ERR_PARSE_ARGS')) throw error;
    throw new RefusalError(invalid('', messageOf(error)));
  }
}
