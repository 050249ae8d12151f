/**
 * Serves the simulation alone, over a home of its own: `node dist/program/src/http/simulation-main.js [--host H] [--port P] [--home
 * DIR]`. A shim over the start-up code of `serve`; exit codes are those of the refusal table.
 */
import { makeMissingHome } from '../app/simulation/simulate.js';
import {
  reportSimulationFailure,
  simulationServingText,
  simulationStart,
  simulationUsage,
  type SimulationStart,
} from '../cli/serve-simulation.js';
import { endingSignal } from '../cli/serve.js';
import { createLogger } from './core/log.js';
import { followUntil, startSimulationAlone } from './start.js';

async function serve({ host, settings, bus, webhook, world, warnings }: SimulationStart): Promise<void> {
  const ending = endingSignal();
  const logger = createLogger('info');
  for (const warning of warnings) logger.warn(warning);
  const made = makeMissingHome(world);
  if (made !== null) process.stderr.write(`a home was made at ${made}\n`);
  const server = await startSimulationAlone(world, { settings, host, logger, bus, webhook });
  process.stdout.write(simulationServingText(host, server, server.daemon.home.paths.directory));
  await followUntil(server, ending, () => undefined);
}

try {
  const start = simulationStart(process.argv.slice(2));
  if (start === null) process.stdout.write(simulationUsage);
  else await serve(start);
} catch (error) {
  reportSimulationFailure(error);
}
