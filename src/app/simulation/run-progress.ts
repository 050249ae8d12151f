/** The progress of a run in the memory of its process: all it has reported so far, in so few numbers that none are dropped. */
import type { RunState } from '../../codec/simulation.js';
import type { ProgressMessage } from '../../codec/api-simulation.js';

export class RunProgress {
  state: RunState = 'queued';
  /** Sectors disrupted by each year, the first at index 0; empty until it is computed. */
  affected: readonly number[] = [];
  /** The number of completed generations. */
  generation = 0;
  /** The completed share of the run, from 0 to 1. */
  fraction = 0;

  /** @param order rises from run to run */
  constructor(
    readonly id: string,
    readonly order: number,
  ) {}

  get isEnded(): boolean {
    return this.state !== 'queued' && this.state !== 'running';
  }
}

/** A listener's position in the progress of a run: a few numbers, however long the run is. */
export interface Place {
  years: number;
  generations: number;
  hasEnded: boolean;
}

export const newPlace = (): Place => ({ years: 0, generations: 0, hasEnded: false });

/** Returns the next item for a listener at this place, or null while there is none; advances the place. */
export function nextItem({ id, affected, generation, state, isEnded }: RunProgress, place: Place): ProgressMessage | null {
  if (place.years < affected.length) {
    place.years++;
    return { id, type: 'year', year: place.years, affected: affected[place.years - 1] ?? 0 };
  }
  if (place.generations < generation) return { id, type: 'generation', generation: ++place.generations };
  if (!isEnded || place.hasEnded) return null;
  place.hasEnded = true;
  return { id, type: 'ended', state };
}
