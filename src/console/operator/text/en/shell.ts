/** English: what stands around every page. */
import type { PageWords } from '../../../kit/text/words.js';

export const page: PageWords = {
  app: 'Operator console',
  commandHome: 'AGENT_HOME or --home names the home of this agent; without them a command uses the default home.',
  notSent: 'The mission was not queued',
  signIn: {
    lead: 'This console shows what waits for you, lets you decide, and lets you check what the screen says.',
    where:
      'The token of a fresh home stands in the file api.token of the agent’s home directory; agent-cli init prints its path. Named tokens are made with agent-cli token create.',
    wrong: 'The agent does not accept this token.',
    ended: 'The agent no longer accepts the token. Sign in again.',
  },
  problem: {
    network: 'The agent does not answer. Is it running? The page keeps what you typed.',
    unexpected: 'The agent answered something that this console does not understand.',
  },
};

export const shell = {
  pages: { missions: 'Missions', create: 'New mission', journal: 'Journal', tools: 'Tools', doctor: 'Doctor' },
  actingAs: (name: string, role: string) => `Acting as ${name} (${role})`,
  access: { viewer: 'viewer', reviewer: 'reviewer', admin: 'admin' },
  control: { ready: 'Ready', paused: 'Paused', pause: 'Pause', resume: 'Resume' },
  controlHint: { pause: 'Stop execution, review and receipt recording', resume: 'Allow execution and review again' },
  pausedBanner:
    'The agent is paused. Execution, review and receipt recording are stopped until it is resumed; missions can still be queued.',
  pausedNow: 'The agent is paused.',
  resumedNow: 'The agent is ready again.',
  feedHint: 'New entries of the journal appear here as they are written.',
  journalBad: 'The agent could not verify its journal. Trust nothing on these pages before the doctor is content.',
  limited: 'The agent takes the token but cannot tell its state. The doctor says what mends it; an administrator can pause it.',
  seeDoctor: 'Open the doctor page',
  notFound: 'There is no such page',
  notFoundText: (path: string) => `Nothing stands at “${path}”.`,
  toMissions: 'To the missions',
};

export const states = {
  queued: 'Queued',
  running: 'Running',
  review: 'Waits for review',
  completed: 'Completed',
  rejected: 'Rejected',
  failed: 'Failed',
};
