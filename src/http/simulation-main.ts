/**
 * Serves only the simulation, over a home of its own: `node dist/program/src/http/simulation-main.js [--host H] [--port P] [--home
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
  if (made !== null) process.stderr.write(`home created: ${made}\n`);
  const server = await startSimulationAlone(world, { settings, host, logger, bus, webhook });
  process.stdout.write(simulationServingText(host, server, server.daemon.home.paths.directory));
  await followUntil(server, ending, () => undefined);
}

try {
  const { serveSimulationAlone } = await import('./simulation-alone.js');
  await serveSimulationAlone(process.argv.slice(2));
} catch (error) {
  const { reportFailure } = await import('../cli/failure.js');
  const failure = error instanceof Error ? error : new Error(String(error));
  reportFailure(failure, { json: false, bin: 'agent-cli', help: 'node dist/program/src/http/simulation-main.js --help' });
}
