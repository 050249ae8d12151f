/** What is known of a run under way, in the memory of its process: what it has told so far, in so few numbers that it is never cut. */
import type { RunState } from '../../codec/simulation.js';
import type { ProgressMessage } from '../../codec/api-simulation.js';

export class RunProgress {
  state: RunState = 'queued';
  /** Sectors disrupted by each year, the first at index 0; empty until it is computed. */
  affected: readonly number[] = [];
  /** Generations completed. */
  generation = 0;
  /** 0..1 of the run. */
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

/** How far somebody has heard a run: a few numbers, whatever the run has to tell. */
export interface Place {
  years: number;
  generations: number;
  hasEnded: boolean;
}

export const newPlace = (): Place => ({ years: 0, generations: 0, hasEnded: false });

/** The next thing that a listener at this place has not heard, or null while there is none; moves the place. */
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
