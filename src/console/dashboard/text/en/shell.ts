/** English: what stands around every page of the dashboard. */
import type { PageWords } from '../../../kit/text/words.js';

export const page: PageWords = {
  app: 'Simulation dashboard',
  commandHome: 'AGENT_HOME or --home names the home that the server works on; without them a command uses the default home.',
  notSent: 'The run was not started',
  signIn: {
    lead: 'Start scenario runs, watch them, and look at what they say: forecasts with uncertainty, sectors, populations.',
    where: 'The value of API_TOKEN of the server that serves this page.',
    wrong: 'The server does not accept this token.',
    ended: 'The server no longer accepts the token. Sign in again.',
  },
  problem: {
    network: 'The server does not answer. Is it running? The page keeps what you typed.',
    unexpected: 'The server answered something that this dashboard does not understand.',
  },
};

export const shell = {
  brand: 'Simulation',
  pages: { new: 'New run', runs: 'Runs', compare: 'Compare', insight: 'Insight' },
  feedHint: 'The progress of runs arrives here as it happens.',
  notFound: 'There is no such page',
  notFoundText: (path: string) => `Nothing stands at “${path}”.`,
  toNew: 'To a new run',
  caveatTitle: 'A scenario, not a prediction.',
  caveat:
    'These figures follow from the inputs and from a simple model. They say what would happen if both held, not what will happen.',
};

export const states = {
  queued: 'Waiting',
  running: 'Running',
  succeeded: 'Succeeded',
  failed: 'Failed',
  cancelled: 'Cancelled',
};
