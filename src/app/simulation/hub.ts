/**
 * Progress of runs for any number of listeners. Nothing is queued for anybody: each listener asks for its next item, which is made from the run's
 * own few numbers and the listener's place in them. A slow one costs what a fast one does, and a late one hears a run from its start.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { progress_ended_max, progress_look_ms } from '../../base/simulation-limits.js';
import type { ProgressMessage } from '../../codec/api-simulation.js';
import { newPlace, nextItem, Track, type Place } from './track.js';

export interface ProgressHub {
  /**
   * Items of runs, each run's in order: every year, every generation, its end. Ends when the signal aborts.
   * @param id a run: told whole from its start, also when it has finished, then ends. Null: every run in flight (queued or running), and those that
   * come; ends when none is in flight and one at least was heard
   * @throws RefusalError `invalid` or `not_found` for a run that there is not
   */
  readonly follow: (id: string | null, signal: AbortSignal) => AsyncIterable<ProgressMessage>;
}

export class Tracks implements ProgressHub {
  /** Runs in flight, and the last ones that ended, in the order in which they were asked for. */
  private readonly tracks = new Map<string, Track>();
  private readonly ended: string[] = [];
  private waiting = new Set<() => void>();
  private orders = 0;
  private inFlight = 0;

  /** @param finished makes the whole track of a run that is not in flight; @throws RefusalError where there is none */
  constructor(private readonly finished: (id: string) => Track) {}

  get(id: string): Track | undefined {
    return this.tracks.get(id);
  }

  begin(id: string): Track {
    const track = new Track(id, ++this.orders);
    this.tracks.set(id, track);
    this.inFlight++;
    this.changed();
    return track;
  }

  end(track: Track, state: Track['state']): void {
    if (track.isEnded) return;
    track.state = state;
    this.inFlight--;
    this.ended.push(track.id);
    if (this.ended.length > progress_ended_max) this.tracks.delete(this.ended.shift() ?? '');
    this.changed();
  }

  /** Lets the listeners look again. */
  changed(): void {
    const waking = this.waiting;
    this.waiting = new Set();
    for (const wake of waking) wake();
  }

  readonly follow = (id: string | null, signal: AbortSignal): AsyncIterable<ProgressMessage> =>
    id === null ? this.followAll(signal) : this.followOne(this.tracks.get(id) ?? this.finished(id), signal);

  private async *followOne(first: Track, signal: AbortSignal): AsyncGenerator<ProgressMessage, void, undefined> {
    const place = newPlace();
    let track = first;
    while (!signal.aborted) {
      for (let item = nextItem(track, place); item !== null; item = nextItem(track, place)) {
        yield item;
        if (signal.aborted) return;
      }
      if (place.hasEnded) return;
      if (this.tracks.get(track.id) === track) await this.change(signal);
      else track = await this.lookAgain(track, signal);
    }
  }

  /** A run of another process tells this one nothing: how it stands is looked up now and then. */
  private async lookAgain(track: Track, signal: AbortSignal): Promise<Track> {
    await sleep(progress_look_ms, undefined, { signal }).catch(() => undefined);
    return signal.aborted ? track : (this.tracks.get(track.id) ?? this.finished(track.id));
  }

  /** Of runs that ended while the listener was busy, as many are told as are kept: it holds places of kept runs alone. */
  private async *followAll(signal: AbortSignal): AsyncGenerator<ProgressMessage, void, undefined> {
    const places = new Map<Track, Place>();
    let heard = 0;
    for (const track of this.tracks.values()) if (track.isEnded) heard = Math.max(heard, track.order);
    let from = [...this.tracks.values()].filter((track) => !track.isEnded);
    let hasSeen = false;
    while (!signal.aborted) {
      for (const track of from) places.set(track, newPlace());
      hasSeen ||= from.length > 0;
      for (const [track, place] of places) {
        for (let item = nextItem(track, place); item !== null; item = nextItem(track, place)) {
          yield item;
          if (signal.aborted) return;
        }
        if (place.hasEnded || this.tracks.get(track.id) !== track) places.delete(track);
        heard = Math.max(heard, track.order);
      }
      from = this.after(heard);
      if (from.length > 0) continue;
      if (hasSeen && this.inFlight === 0 && places.size === 0) return;
      await this.change(signal);
      from = this.after(heard);
    }
  }

  private after(order: number): Track[] {
    return order === this.orders ? [] : [...this.tracks.values()].filter((track) => track.order > order);
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
