/** The refusals of the simulation's server when it accepts no more runs, and the error of the runs that it ends. */
import type { Refusal } from '../../base/refusal.js';
import type { RunError } from '../../codec/events/simulation.js';

/** The time after which a refused client may retry, in seconds. */
const retry_after_s = 5;

export const stopped: RunError = { code: 'interrupted', message: 'the server was stopped' };
export const stopping: Refusal = { code: 'interrupted', detail: 'the server is stopping; nothing was started' };
export const full = (waiting: number): Refusal => ({
  code: 'busy',
  detail: `${waiting} runs are queued already; try again later`,
  facts: { waiting, retry_after_s },
});
