/** How an attempt fails, in its record and to whoever executes it. */
import type { Refusal } from '../../base/refusal.js';
import type { MissionError } from '../../codec/events/mission.js';
import type { Mission } from '../../codec/record.js';

/** Ends an attempt with a recorded failure. */
export class AttemptFailed extends Error {
  constructor(readonly error: MissionError) {
    super(error.message);
  }
}

const message_chars_max = 2_000;

/** Returns a failure's message as it is recorded. */
export const recordable = (message: string): string => message.slice(0, message_chars_max).toWellFormed();

const codes = new Map<string, Refusal['code']>([
  ['paused', 'paused'],
  ['configuration_changed', 'conflict'],
  ['interrupted', 'interrupted'],
  ['tool_disabled', 'tool_disabled'],
  ['provider_failed', 'provider_failed'],
  ['storage_full', 'storage_full'],
  ['provider_failed', 'provider_failed'],
]);

/** Returns the refusal that the executing command reports for a failure; the record keeps the failure too. */
export function failureRefusal(mission: Mission): Refusal {
  const { code = 'execution_failed', message = 'failed' } = mission.error ?? {};
  return {
    code: codes.get(code) ?? 'execution_failed',
    detail: `mission ${mission.id} failed: ${message}`,
    facts: { mission: mission.id, error: mission.error, revision: mission.revision },
    hint: `agent-cli recover ${mission.id}`,
  };
}
