/** Simulates from the command line, with a progress bar; Ctrl-C ends the run at its next generation, which is recorded. */
import type { Home } from '../app/home/home.js';
import type { SimulationRequest } from '../codec/simulation.js';
import type { Results } from '../codec/api-simulation.js';
import { paint } from './paint.js';
import { withProgress } from './progress.js';
import { printable } from '../base/text.js';

export interface Simulating {
  readonly actor: string;
  readonly genome: boolean;
  /** Whether to show a progress bar, on a terminal only. */
  readonly visible: boolean;
}

const warn = (message: string): void => void process.stderr.write(`${paint.err('yellow', '!')} ${printable(message)}\n`);

export async function simulate(home: Home, request: SimulationRequest, { actor, genome, visible }: Simulating): Promise<Results> {
  const { simulateHere } = await import('../app/simulation/simulate.js');
  let isStopped = false;
  const stop = (): void => {
    isStopped = true;
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  try {
    return await withProgress(visible, (update) =>
      simulateHere(home, request, {
        directory: process.cwd(),
        genome,
        actor,
        whyStop: () => (isStopped ? 'cancelled' : null),
        onYears: () => update('simulate', 0),
        onGeneration: (_, done) => update('simulate', done),
        onRestart: (attempt, reason) => warn(`attempt ${attempt}: ${reason}`),
        onWarning: warn,
      }),
    );
  } finally {
    process.removeListener('SIGINT', stop);
    process.removeListener('SIGTERM', stop);
  }
}
