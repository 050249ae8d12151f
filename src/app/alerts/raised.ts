/** What alerts are raised for, and their texts. A text has no goal, note, input or secret: only names, ids, codes and numbers. */
import type { AlertType } from '../../codec/api-alerts.js';
import type { Role } from '../../codec/roles.js';

export type Raised =
  | { readonly type: 'agent_restarted'; readonly role: Role; readonly restarts: number }
  | { readonly type: 'run_failed'; readonly id: string; readonly code: string }
  | { readonly type: 'responses_refused'; readonly server: string; readonly refused: number; readonly responses: number }
  | { readonly type: 'journal_failed' }
  | { readonly type: 'disk_low'; readonly free_bytes: number };

type TextOf = { readonly [K in AlertType]: (raised: Extract<Raised, { type: K }>) => string };
const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(0)} %`;

const texts: TextOf = {
  agent_restarted: ({ role, restarts }) => `the ${role} agent was restarted (restart ${restarts})`,
  run_failed: ({ id, code }) => `simulation run ${id} failed: ${code}`,
  responses_refused: ({ server, refused, responses }) =>
    `${percent(refused, responses)} of the responses of the ${server} server within a minute were 429 (${refused} of ${responses})`,
  journal_failed: () =>
    'the journal failed its verification; only pauses, failures and cancellations are recorded. Run agent-cli verify',
  disk_low: ({ free_bytes }) => `the disk of the home is nearly full: ${Math.floor(free_bytes / 1_048_576)} MiB are free`,
};

export const textOf = (raised: Raised): string => `agent-cli: ${(texts[raised.type] as (raised: Raised) => string)(raised)}`;

/** Returns what makes two alerts the same one. */
export function keyOf(raised: Raised): string {
  switch (raised.type) {
    case 'agent_restarted':
      return `${raised.type} ${raised.role}`;
    case 'run_failed':
      return `${raised.type} ${raised.id}`;
    case 'responses_refused':
      return `${raised.type} ${raised.server}`;
    case 'journal_failed':
    case 'disk_low':
      return raised.type;
  }
}
