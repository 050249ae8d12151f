/** The clock of this process: the machine's, unless a test sets another before a command runs. */
import type { Clock } from '../base/time.js';

let current: Clock = Date.now;

export const clock = (): Clock => current;
export const setClock = (other: Clock): void => {
  current = other;
};
