/**
 * How far a run is, from the messages of the progress socket. The server replays a run from its start to whoever comes later, so taking
 * a message twice changes nothing.
 */
import type { ProgressMessage, Run } from '../../../codec/api-simulation.js';
import type { RunState } from '../../../codec/simulation.js';

export interface RunProgress {
  readonly id: string;
  /** Disrupted sectors up to each year; the first is year 1. */
  readonly affected: readonly number[];
  readonly generation: number;
  /** Null until the run has ended. */
  readonly ended: RunState | null;
}

export const begun = (id: string): RunProgress => ({ id, affected: [], generation: 0, ended: null });

/** The progress after a message; the very same object where the message says nothing new. */
export function taken(progress: RunProgress, message: ProgressMessage): RunProgress {
  switch (message.type) {
    case 'year': {
      const { affected } = progress;
      // Years come in order, and those of a run that is started again are the same.
      return message.year === affected.length + 1 ? { ...progress, affected: [...affected, message.affected] } : progress;
    }
    case 'generation':
      return message.generation <= progress.generation ? progress : { ...progress, generation: message.generation };
    case 'ended':
      return progress.ended === message.state ? progress : { ...progress, ended: message.state };
  }
}

/** The share of a run that is done: its years are a moment, its generations are the work. */
export const shareDone = (progress: RunProgress | undefined, generations: number): number =>
  progress === undefined ? 0 : Math.max(0, Math.min(1, progress.generation / generations));

/** How many seconds a run still takes: what the server expected, less the share that was done since. */
export const timeLeft = ({ remaining_s, progress }: Pick<Run, 'remaining_s' | 'progress'>, done: number): number =>
  done >= 1 || remaining_s === undefined ? 0 : Math.ceil((remaining_s * (1 - done)) / (1 - progress));

const first_ms = 500;
const most_ms = 60_000;

/** How long to wait before connection attempt `n` (from 1) after the last that stood; `chance` in 0..1 spreads many clients. */
export const retryDelay = (n: number, chance: number): number =>
  Math.min(most_ms, first_ms * 2 ** Math.min(10, n - 1)) * (0.75 + 0.5 * chance);
