/** The commands that do what a mission's page offers in its state. */
import type { MissionRecord, ReviewBody } from '../../../codec/api-missions.js';
import { failsAgain } from '../../../codec/events/mission.js';
import { agentCli } from '../../kit/controls/agent-cli.js';

type CommandSubject = Pick<MissionRecord, 'id' | 'state' | 'request' | 'error'>;

/** `review` asks for the decision; the exact command of one is shown where it is confirmed. */
export function commandsFor({ id, state, request, error }: CommandSubject): string[] {
  const show = agentCli('show', id);
  if (request === null) return [show]; // erased
  switch (state) {
    case 'queued':
      return [show, agentCli('execute', id), agentCli('cancel', id)];
    case 'running':
      return [show, agentCli('cancel', id)];
    case 'review':
      return [show, agentCli('review', id)];
    case 'completed':
      return [
        show,
        agentCli('report', id, '--output', `${id.slice(0, 8)}.html`),
        agentCli('export', id, '--output', `${id.slice(0, 8)}.export.json`),
      ];
    case 'failed':
      return [show, failsAgain(error) ? agentCli('run', '--from', id) : agentCli('recover', id)];
    case 'rejected':
      return [show];
  }
}

export type Decision = ReviewBody & { readonly id: string };

export const reviewCommand = ({ id, revision, result_hash, approve, note }: Decision): string =>
  agentCli(
    'review',
    id,
    '--revision',
    revision,
    '--result-hash',
    result_hash,
    approve ? '--approve' : '--reject',
    '--note',
    note,
  );
