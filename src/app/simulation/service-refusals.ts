/** What the simulation's server answers when it takes no more, and how it ends what it had. */
import type { Refusal } from '../../base/refusal.js';
import type { RunError } from '../../codec/events/simulation.js';

/** What a client that was refused is told to wait. */
const retry_after_s = 5;

export const stopped: RunError = { code: 'interrupted', message: 'the server was stopped' };
export const stopping: Refusal = { code: 'interrupted', detail: 'the server is stopping; nothing was begun' };
export const full = (waiting: number): Refusal => ({
  code: 'busy',
  detail: `${waiting} runs wait already; try again in a while`,
  facts: { waiting, retry_after_s },
});
