/** The outside world of a command: environment, clock, and which home. */
import type { Clock } from '../../base/time.js';
import { homeDirectory } from '../../home/paths.js';
import type { World } from './home.js';

export const worldOf = (home: string | undefined, env: World['env'], clock: Clock): World => ({
  env,
  clock,
  directory: homeDirectory(home, env),
});
