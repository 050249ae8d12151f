/** How often each operation was done, how long it took, and which failed; and the daemon's memory and file handles over time. */
import { type Asked, spreadOf } from '../drill/probe.js';
import { detailOf, isOk } from '../drill/load.js';
import { rss_growth_bytes_max } from '../drill/real-daemon.js';

export interface OperationRow {
  readonly operation: string;
  readonly count: number;
  /** Requests that a kill or a restart cut off: they are neither done nor failed. */
  readonly interrupted: number;
  readonly failures: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
}

interface Tally {
  readonly times: number[];
  interrupted: number;
  failures: number;
}

const kept_failures_max = 20;

export class Operations {
  private readonly tallies = new Map<string, Tally>();
  /** What the first failures said. */
  readonly failures: string[] = [];

  /** @param disturbances returns a number that changes with every kill and restart, or null while there is no daemon */
  constructor(private readonly disturbances: () => number | null) {}

  /**
   * Does and times an operation. Returns what it returns, or null if it failed or was interrupted.
   * @param needsDaemon false for what a kill of the daemon must not cut off
   */
  async timed<A>(
    operation: string,
    act: () => Promise<A>,
    whyNot: (made: A) => string | null,
    needsDaemon = true,
  ): Promise<A | null> {
    const tally = this.tallyOf(operation);
    const before = this.disturbances();
    const began = performance.now();
    const made = await act().catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));
    const wrong = made instanceof Error ? made.message : whyNot(made);
    if (wrong === null && !(made instanceof Error)) {
      tally.times.push(performance.now() - began);
      return made;
    }
    if (needsDaemon && (before === null || this.disturbances() !== before)) {
      tally.interrupted++;
      return null;
    }
    tally.failures++;
    if (this.failures.length < kept_failures_max) this.failures.push(`${operation}: ${wrong}`);
    return null;
  }

  asked(operation: string, act: () => Promise<Asked>): Promise<Asked | null> {
    return this.timed(operation, act, (response) => (isOk(response) ? null : `${response.status}: ${detailOf(response)}`));
  }

  get count(): number {
    return [...this.tallies.values()].reduce((sum, { times }) => sum + times.length, 0);
  }

  rows(): readonly OperationRow[] {
    return [...this.tallies]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([operation, { times, interrupted, failures }]) => {
        const { count, p50_ms, p99_ms } = spreadOf(times, failures);
        return { operation, count, interrupted, failures, p50_ms, p99_ms };
      });
  }

  private tallyOf(operation: string): Tally {
    const known = this.tallies.get(operation) ?? { times: [], interrupted: 0, failures: 0 };
    this.tallies.set(operation, known);
    return known;
  }
}

export interface Sample {
  /** Since the daemon of that moment was started. */
  readonly age_ms: number;
  /** Which daemon it was, from 0. */
  readonly life: number;
  readonly rss_bytes: number;
  readonly handles: number;
}

export const medianOf = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

export interface Level {
  readonly rss_bytes: number;
  readonly handles: number;
}

/** Returns the medians of the samples within a part of a list, from 0 to 1. */
export function levelOf(samples: readonly Sample[], from: number, to: number): Level {
  const part = samples.slice(Math.floor(samples.length * from), Math.max(1, Math.ceil(samples.length * to)));
  return { rss_bytes: medianOf(part.map(({ rss_bytes }) => rss_bytes)), handles: medianOf(part.map(({ handles }) => handles)) };
}

/** What memory may grow within the quiet part, beside what a garbage collection frees. */
const flat_bytes_max = 64 * 1_048_576;
/** The heap of a younger process still grows with the rate of the load. */
const flat_life_ms_min = 300_000;
/** Handles that a daemon at rest may hold more than at the beginning: files that SQLite opens as it needs them, and idle threads. */
export const flat_handles_max = 16;

/** Returns what is wrong with memory and handles. */
export function grown(quiet: readonly Sample[], samples: readonly Sample[], before: Level, after: Level): readonly string[] {
  const [early, late] = [levelOf(quiet, 0.2, 0.4), levelOf(quiet, 0.8, 1)];
  const isLong = (quiet.at(-1)?.age_ms ?? 0) >= flat_life_ms_min;
  const most = Math.max(...samples.map(({ rss_bytes }) => rss_bytes));
  const mb = (bytes: number): string => `${Math.round(bytes / 1_048_576)} MB`;
  return [
    ...(isLong && late.rss_bytes - early.rss_bytes > flat_bytes_max
      ? [`the memory of one daemon grew from ${mb(early.rss_bytes)} to ${mb(late.rss_bytes)} under the same load`]
      : []),
    ...(most - before.rss_bytes > rss_growth_bytes_max
      ? [`the daemon held up to ${mb(most)}, at rest ${mb(before.rss_bytes)}`]
      : []),
    ...(after.handles > before.handles + flat_handles_max
      ? [`${after.handles} file handles remain open at rest, ${before.handles} before the load`]
      : []),
  ];
}
