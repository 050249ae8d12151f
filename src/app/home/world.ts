/** The environment of a command: environment variables, clock, and home directory. */
import type { Clock } from '../../base/time.js';
import { homeDirectory } from '../../home/paths.js';
import type { World } from './home.js';

export const worldOf = (home: string | undefined, env: World['env'], clock: Clock): World => ({
  env,
  clock,
  directory: homeDirectory(home, env),
});

/** Returns milliseconds of a clock that nobody sets. */
export const monotonic = (world: World): number => world.monotonic?.() ?? performance.now();
