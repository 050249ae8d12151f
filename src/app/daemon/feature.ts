/** What else works on a home that is served. The daemon knows none of them: the program that starts it names them. */
import type { Home } from '../home/home.js';

export interface Feature {
  /**
   * Called once the daemon holds the home, before anything is served; the next feature waits for it. What it throws ends the start, so
   * what the daemon can do without is told as a warning instead.
   */
  readonly onStart: (home: Home, onWarning: (message: string) => void) => Promise<void>;
}
