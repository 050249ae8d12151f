/** A feature that works on the daemon's home. The daemon does not depend on any: the program that starts it supplies them. */
import type { Home } from '../home/home.js';

export interface Feature {
  /**
   * Called once the daemon holds the home, before anything is served; the next feature starts when it resolves. An error aborts
   * the daemon's start, so a problem that the daemon can tolerate must be reported as a warning instead.
   */
  readonly onStart: (home: Home, onWarning: (message: string) => void) => Promise<void>;
}
