/** The progress of a run in the memory of its process: all it has reported so far, in so few numbers that none are dropped. */
import { remaining_elapsed_ms_min, remaining_share_min } from '../../base/simulation-limits.js';
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
  /** When it began to run, in ms of a clock that nobody sets; null before, and after a restart, which its share does not tell of. */
  private began_ms: number | null = null;

  /** @param order rises from run to run */
  constructor(
    readonly id: string,
    readonly order: number,
  ) {}

  begin(now_ms: number): void {
    this.state = 'running';
    this.began_ms = now_ms;
  }

  /** Forgets how fast the run is: its share from before a restart is not a measure any more. */
  forgetPace(): void {
    this.began_ms = null;
  }

  /**
   * Returns how many seconds the search still takes if it continues as fast as before; null while there is too little to tell from, and
   * when the search is complete.
   */
  remaining(now_ms: number): number | null {
    const { fraction, began_ms } = this;
    if (began_ms === null || this.isEnded || fraction < remaining_share_min || fraction >= 1) return null;
    const elapsed_ms = now_ms - began_ms;
    if (elapsed_ms < remaining_elapsed_ms_min) return null;
    return Math.ceil((elapsed_ms * (1 - fraction)) / fraction / 1_000);
  }

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
