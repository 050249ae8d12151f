/** What a home is opened in (environment variables, clock, directory), and how. */
import type { Clock } from '../../base/time.js';
import { homeDirectory } from '../../home/paths.js';
import type { Tolerable } from './damage-faults.js';

export interface World {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** Returns milliseconds of a clock that nobody sets; the process's own when absent. */
  readonly monotonic?: (() => number) | undefined;
  readonly directory: string;
}

export interface OpenOptions {
  readonly lock?: 'command' | 'daemon';
  /** Opens the home without bringing it up to date or writing anything: for `verify`. */
  readonly asIs?: boolean;
  /** Called while a large journal is verified because no recent full verification is known. */
  readonly onVerify?: (verified: number, total: number) => void;
  /** What the daemon of the home last found, in place of a verification of a large journal here. `sequence`: the first bad entry, or null. */
  readonly verification?: { readonly failure: string | null; readonly sequence: number | null };
  /** Faults that this command inspects or repairs. */
  readonly tolerate?: readonly Tolerable[];
}

export const worldOf = (home: string | undefined, env: World['env'], clock: Clock): World => ({
  env,
  clock,
  directory: homeDirectory(home, env),
});

/** Returns milliseconds of a clock that nobody sets. */
export const monotonic = (world: World): number => world.monotonic?.() ?? performance.now();
