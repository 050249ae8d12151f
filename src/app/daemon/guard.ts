/**
 * Restricts what is recorded once the journal has failed its verification to events that stop work. New signed entries after
 * damaged ones would lend the damaged ones credibility, but a daemon that can no longer be paused would be worse.
 */
import { RefusalError } from '../../base/result.js';
import type { Command } from '../../journal/writer.js';
import type { Verification } from './verification.js';

const stops = new Set(['control.paused', 'mission.failed', 'mission.cancelled', 'simulation.failed', 'simulation.cancelled']);

/**
 * Returns the command, refused with `integrity` if it records anything but a stop while the journal is known to be damaged. The command
 * itself may find the damage, in the rows that it reads.
 */
export const guarded =
  <A>(command: Command<A>, verification: () => Verification): Command<A> =>
  (tx) =>
    command({
      ...tx,
      append: (stream, event) => {
        const { valid, failure, verified_at } = verification();
        if (valid !== false || stops.has(event.type)) return tx.append(stream, event);
        const found = `${failure ?? ''}, found ${verified_at ?? ''}`;
        throw new RefusalError({
          code: 'integrity',
          detail: `the journal failed its verification (${found}); until a verification passes, only pauses, failures and cancellations are recorded`,
          hint: 'agent-cli verify',
        });
      },
    });
