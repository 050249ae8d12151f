/** The progress of a run in the memory of its process: all it has reported so far, in so few numbers that none are dropped. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProgressMessage } from '../../../codec/api-simulation.js';
import type { RunState } from '../../../codec/simulation.js';

/** The share of a run and the time since its start from which on its remaining time is estimated. */
const remaining_share_min = 0.05;
const remaining_elapsed_ms_min = 1_000;
/** Ended runs that are still reported to slow followers of all runs. */
export const progress_ended_max = 256;
/** Time between two reads of a followed run, or sweep, that another process executes. */
export const progress_look_ms = 1_000;

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

  /** @param sweep the sweep of which it is a run, or null */
  constructor(
    readonly id: string,
    readonly sweep: string | null = null,
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

const newPlace = (): Place => ({ years: 0, generations: 0, hasEnded: false });

/** Returns the next item for a listener at this place, or null while there is none; advances the place. */
function nextItem({ id, affected, generation, state, isEnded }: RunProgress, place: Place): ProgressMessage | null {
  if (place.years < affected.length) {
    place.years++;
    return { id, type: 'year', year: place.years, affected: affected[place.years - 1] ?? 0 };
  }
  if (place.generations < generation) return { id, type: 'generation', generation: ++place.generations };
  if (!isEnded || place.hasEnded) return null;
  place.hasEnded = true;
  return { id, type: 'ended', state };
}

export type ProgressFeed = Pick<ProgressBroadcaster, 'follow'>;

/**
 * Broadcasts the progress of runs to any number of listeners. Nothing is queued for a listener: each pulls its next item, which
 * is derived from a few numbers of the run and the listener's position in them. A slow listener costs no more than a fast one,
 * and a late one receives a run from its start.
 */
export class ProgressBroadcaster {
  /** Runs in flight and the last ones that ended, in the order in which they were requested. */
  private readonly runs = new Map<string, RunProgress>();
  private readonly ended: string[] = [];
  private waiting = new Set<() => void>();
  private inFlight = 0;

  /**
   * @param finished returns the whole progress of a run that is not in flight, or throws a RefusalError if there is no such run
   */
  constructor(private readonly finished: (id: string) => RunProgress) {}

  get(id: string): RunProgress | undefined {
    return this.runs.get(id);
  }

  begin(id: string, sweep: string | null = null): RunProgress {
    const progress = new RunProgress(id, sweep);
    this.runs.set(id, progress);
    this.inFlight++;
    this.changed();
    return progress;
  }

  end(progress: RunProgress, state: RunProgress['state']): void {
    if (progress.isEnded) return;
    progress.state = state;
    this.inFlight--;
    this.ended.push(progress.id);
    if (this.ended.length > progress_ended_max) this.runs.delete(this.ended.shift() ?? '');
    this.changed();
  }

  /** Wakes all listeners. */
  changed(): void {
    const waking = this.waiting;
    this.waiting = new Set();
    for (const wake of waking) wake();
  }

  /**
   * Returns the items of runs, in order within each run: every year, every generation, its end. Ends when the signal aborts.
   * @param id a run, reported from its start to its end, also if it has finished. Null: all runs in flight (queued or running)
   * and later ones, until none is in flight and at least one was reported
   * @throws RefusalError `invalid` or `not_found` for a run that does not exist
   */
  readonly follow = (id: string | null, signal: AbortSignal): AsyncIterable<ProgressMessage> =>
    id === null ? this.followAll(signal) : this.followOne(this.runs.get(id) ?? this.finished(id), signal);

  private async *followOne(first: RunProgress, signal: AbortSignal): AsyncGenerator<ProgressMessage, void, undefined> {
    const place = newPlace();
    let progress = first;
    while (!signal.aborted) {
      for (let item = nextItem(progress, place); item !== null; item = nextItem(progress, place)) {
        yield item;
        if (signal.aborted) return;
      }
      if (place.hasEnded) return;
      progress = await this.next(progress, signal);
    }
  }

  /** Resolves when a run has ended or the signal aborts. @throws RefusalError `invalid` or `not_found` */
  readonly untilEnded = async (id: string, signal: AbortSignal): Promise<void> => {
    let progress = this.runs.get(id) ?? this.finished(id);
    while (!progress.isEnded && !signal.aborted) progress = await this.next(progress, signal);
  };

  /**
   * Waits for news of a run. The state of a run of another process, which does not report to this one, is read again after a pause.
   */
  private async next(progress: RunProgress, signal: AbortSignal): Promise<RunProgress> {
    if (this.runs.get(progress.id) === progress) {
      await this.nextChange(signal);
      return progress;
    }
    await sleep(progress_look_ms, undefined, { signal }).catch(() => undefined);
    return signal.aborted ? progress : (this.runs.get(progress.id) ?? this.finished(progress.id));
  }

  /** Follows all runs that have not ended yet, and later ones. Of those that ended while the listener was busy, it reports the ones that are still kept. */
  private async *followAll(signal: AbortSignal): AsyncGenerator<ProgressMessage, void, undefined> {
    const over = new WeakSet([...this.runs.values()].filter((progress) => progress.isEnded));
    const places = new WeakMap<RunProgress, Place>();
    let hasSeen = false;
    while (!signal.aborted) {
      let isNews = false;
      for (const progress of this.runs.values()) {
        if (over.has(progress)) continue;
        const place = places.get(progress) ?? newPlace();
        places.set(progress, place);
        hasSeen = true;
        for (let item = nextItem(progress, place); item !== null; item = nextItem(progress, place)) {
          isNews = true;
          yield item;
          if (signal.aborted) return;
        }
      }
      // While the listener took the last item there may have been more.
      if (isNews) continue;
      if (hasSeen && this.inFlight === 0) return;
      await this.nextChange(signal);
    }
  }

  /** Resolves at the next news of any run, or when the signal aborts. */
  nextChange(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        this.waiting.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      this.waiting.add(wake);
      if (signal.aborted) wake();
      else signal.addEventListener('abort', wake);
    });
  }
}
