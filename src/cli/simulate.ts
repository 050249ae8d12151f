/** Simulates from the command line, with a progress bar; Ctrl-C ends the run at its next generation, which is recorded. */
import type { Home } from '../app/home/home.js';
import type { Sweep } from '../domain/sweep.js';
import type { SweepReport } from '../app/simulation/runs/sweep.js';
import type { SimulationRequest } from '../codec/simulation.js';
import type { Results } from '../codec/api-simulation.js';
import { paint } from './paint.js';
import { withProgress } from './progress.js';
import { simulated } from './stage-share.js';
import { printable } from '../base/text.js';

export interface Simulating {
  readonly actor: string;
  readonly genome: boolean;
  /** The run's name. */
  readonly name?: string | undefined;
  /** Whether to show a progress bar, on a terminal only. */
  readonly visible: boolean;
}

const warn = (message: string): void => void process.stderr.write(`${paint.err('yellow', '!')} ${printable(message)}\n`);

export const simulate = (
  home: Home,
  request: SimulationRequest,
  { actor, genome, name, visible }: Simulating,
): Promise<Results> =>
  untilStopped(visible, async (update, whyStop) => {
    const { simulateHere } = await import('../app/simulation/runs/simulate.js');
    return simulateHere(home, request, {
      directory: process.cwd(),
      genome,
      name,
      actor,
      whyStop,
      onYears: () => update('forecast', 0),
      onGeneration: (_, share) => {
        const { label, done } = simulated(share);
        update(label, done);
      },
      onRestart: (attempt, reason) => warn(`attempt ${attempt}: ${reason}`),
      onWarning: warn,
    });
  });

interface Sweeping extends Pick<Simulating, 'actor' | 'visible'> {
  readonly sweep: Sweep;
  readonly seeds: number;
}

/** @param document a request without the field that the sweep varies */
export const simulateSweep = (
  home: Home,
  document: Readonly<Record<string, unknown>>,
  { visible, ...options }: Sweeping,
): Promise<SweepReport> =>
  untilStopped(visible, async (update, whyStop) => {
    const { sweepHere } = await import('../app/simulation/runs/sweep.js');
    const onProgress = (done: number): void => update('sweep', done);
    return sweepHere(home, document, { ...options, directory: process.cwd(), whyStop, onProgress, onWarning: warn });
  });

type Work<A> = (update: (what: string, done: number) => void, whyStop: () => 'cancelled' | null) => Promise<A>;

/** Works with a progress bar, until Ctrl-C asks for the end. */
async function untilStopped<A>(visible: boolean, work: Work<A>): Promise<A> {
  let isStopped = false;
  const stop = (): void => {
    isStopped = true;
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  try {
    return await withProgress(visible, (update) => work(update, () => (isStopped ? 'cancelled' : null)));
  } finally {
    process.removeListener('SIGINT', stop);
    process.removeListener('SIGTERM', stop);
  }
}
