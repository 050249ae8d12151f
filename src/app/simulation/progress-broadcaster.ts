/**
 * Broadcasts the progress of runs to any number of listeners. Nothing is queued for anybody: each listener asks for its next item, which is made from the run's
 * own few numbers and the listener's place in them. A slow one costs what a fast one does, and a late one hears a run from its start.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { progress_ended_max, progress_look_ms } from '../../base/simulation-limits.js';
import type { ProgressMessage } from '../../codec/api-simulation.js';
import { newPlace, nextItem, RunProgress, type Place } from './run-progress.js';

export interface ProgressFeed {
  /**
   * Items of runs, each run's in order: every year, every generation, its end. Ends when the signal aborts.
   * @param id a run: told whole from its start, also when it has finished, then ends. Null: every run in flight (queued or running), and those that
   * come; ends when none is in flight and one at least was heard
   * @throws RefusalError `invalid` or `not_found` for a run that there is not
   */
  readonly follow: (id: string | null, signal: AbortSignal) => AsyncIterable<ProgressMessage>;
}

export class ProgressBroadcaster implements ProgressFeed {
  /** Runs in flight, and the last ones that ended, in the order in which they were asked for. */
  private readonly runs = new Map<string, RunProgress>();
  private readonly ended: string[] = [];
  private waiting = new Set<() => void>();
  private orders = 0;
  private inFlight = 0;

  /** @param finished makes the whole progress of a run that is not in flight; @throws RefusalError where there is none */
  constructor(private readonly finished: (id: string) => RunProgress) {}

  get(id: string): RunProgress | undefined {
    return this.runs.get(id);
  }

  begin(id: string): RunProgress {
    const progress = new RunProgress(id, ++this.orders);
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

  /** Lets the listeners look again. */
  changed(): void {
    const waking = this.waiting;
    this.waiting = new Set();
    for (const wake of waking) wake();
  }

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
      if (this.runs.get(progress.id) === progress) await this.change(signal);
      else progress = await this.lookAgain(progress, signal);
    }
  }

  /** A run of another process tells this one nothing: how it stands is looked up now and then. */
  private async lookAgain(progress: RunProgress, signal: AbortSignal): Promise<RunProgress> {
    await sleep(progress_look_ms, undefined, { signal }).catch(() => undefined);
    return signal.aborted ? progress : (this.runs.get(progress.id) ?? this.finished(progress.id));
  }

  /** Of runs that ended while the listener was busy, as many are told as are kept: it holds places of kept runs alone. */
  private async *followAll(signal: AbortSignal): AsyncGenerator<ProgressMessage, void, undefined> {
    const places = new Map<RunProgress, Place>();
    let heard = 0;
    for (const progress of this.runs.values()) if (progress.isEnded) heard = Math.max(heard, progress.order);
    let from = [...this.runs.values()].filter((progress) => !progress.isEnded);
    let hasSeen = false;
    while (!signal.aborted) {
      for (const progress of from) places.set(progress, newPlace());
      hasSeen ||= from.length > 0;
      for (const [progress, place] of places) {
        for (let item = nextItem(progress, place); item !== null; item = nextItem(progress, place)) {
          yield item;
          if (signal.aborted) return;
        }
        if (place.hasEnded || this.runs.get(progress.id) !== progress) places.delete(progress);
        heard = Math.max(heard, progress.order);
      }
      from = this.after(heard);
      if (from.length > 0) continue;
      if (hasSeen && this.inFlight === 0 && places.size === 0) return;
      await this.change(signal);
      from = this.after(heard);
    }
  }

  private after(order: number): RunProgress[] {
    return order === this.orders ? [] : [...this.runs.values()].filter((progress) => progress.order > order);
  }

  private change(signal: AbortSignal): Promise<void> {
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
