import { setTimeout as sleep } from 'node:timers/promises';
import { RefusalError } from '../../base/refusal.js';

/** Tries to record an outcome. Each waits `append_busy_ms_max` for the write lock: together they take as long as the lease. */
export const outcome_busy_tries_max = 120;

const pause_ms = 100;

/**
 * Retries an attempt while another process holds the write lock for longer than a command waits for it. Each attempt has its own
 * wait. Once the signal has aborted, at most one more attempt follows.
 */
export async function patiently<A>(attempt: () => Promise<A>, signal: AbortSignal | undefined): Promise<A> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      const isBusy = error instanceof RefusalError && error.refusal.code === 'in_use';
      if (!isBusy || tries >= outcome_busy_tries_max || signal?.aborted === true) throw error;
      await sleep(pause_ms);
    }
  }
}
