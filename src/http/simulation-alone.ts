/** Serves the simulation alone until a signal ends it; a shim over the start-up code of `serve`. */
import { makeMissingHome } from '../app/simulation/runs/simulate.js';
import { simulationServingText, simulationStart, simulationUsage, type SimulationStart } from '../cli/serve-simulation.js';
import { endingSignal } from '../cli/serve.js';
import { createLogger } from './log.js';
import { followUntil, startSimulationAlone } from './start.js';

/** @param args the command line, without the program. @throws RefusalError before anything is served */
export async function serveSimulationAlone(args: readonly string[]): Promise<void> {
  const start = simulationStart(args);
  if (start === null) process.stdout.write(simulationUsage);
  else await serve(start);
}

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
