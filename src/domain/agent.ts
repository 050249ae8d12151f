/** The restarts of an agent. Every event holds the number of all of them. */
import { roles } from '../codec/roles.js';
import { streams } from './stream.js';

export interface AgentRecord {
  readonly restarts: number;
}

export const agentStream = streams<AgentRecord, 'agent.'>('@agent:', {
  noun: 'agent',
  events: ['agent.'],
  isId: (role) => roles.some((known) => known === role),
  evolve: (_, { document: { restarts } }) => ({ restarts }),
  isWhole: () => true,
});
