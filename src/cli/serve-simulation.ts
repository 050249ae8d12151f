/** Starts the standalone simulation server and formats its output; http/simulation-alone is a shim over this. */
import { parseArgs } from 'node:util';
import { alertSettings } from '../app/alerts/alerts.js';
import { busSettings, type BusSettings } from '../app/bus/settings.js';
import { checkSandboxLimits } from '../app/code/sandbox.js';
import { type World, worldOf } from '../app/home/world.js';
import { requiredSettings, simulationEnvironment, type SimulationSettings, withPort } from '../app/simulation/settings.js';
import { errorCode, messageOf } from '../base/fault.js';
import { invalid } from '../base/refusal.js';
import { RefusalError } from '../base/result.js';
import { addressOf, hostOf, reachWarnings, tokenWarnings, urlOf } from './serve.js';

export const simulationUsage = `usage: node dist/program/src/http/simulation-main.js [--host HOST] [--port PORT] [--home DIR]

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

export interface SimulationStart {
  readonly host: string;
  readonly settings: SimulationSettings;
  readonly bus: BusSettings | null;
  readonly webhook: URL | null;
  readonly world: World;
  readonly warnings: readonly string[];
}

/** Reads flags, environment and .env. Returns null for `--help`. @throws RefusalError `invalid` */
export function simulationStart(args: readonly string[]): SimulationStart | null {
  const { host: given, port, home, help } = readArguments(args);
  if (help) return null;
  const host = hostOf(given);
  if (host === '') throw new RefusalError(invalid('host', 'is empty; 0.0.0.0 is every address'));
  const env = simulationEnvironment(process.env, process.cwd());
  const settings = withPort(requiredSettings(env), port);
  checkSandboxLimits(env);
  return {
    host,
    settings,
    bus: busSettings(env),
    webhook: alertSettings(env),
    world: worldOf(home, env, Date.now),
    warnings: [...reachWarnings(host), ...tokenWarnings(host, settings)],
  };
}

function readArguments(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: false }).values;
  } catch (error) {
    if (!errorCode(error).startsWith('ERR_PARSE_ARGS')) throw error;
    throw new RefusalError(invalid('', messageOf(error)));
  }
}

/** The text for people once the server listens. */
export const simulationServingText = (
  host: string,
  { port, bus }: { readonly port: number; readonly bus: Parameters<typeof addressOf>[0] | null },
  directory: string,
): string => {
  const lines = [`simulation ${urlOf(host, port)}`, `home       ${directory}, pid ${process.pid}`];
  return [...lines, ...(bus === null ? [] : [`bus        ${addressOf(bus)}`]), ''].join('\n');
};
