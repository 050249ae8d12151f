/** English: texts around every page of the dashboard. */
import type { PageWords } from '../../../kit/text/words.js';

export const page: PageWords = {
  app: 'Simulation dashboard',
  commandHome: 'Set AGENT_HOME or --home to choose the home that the server works on; otherwise commands use the default home.',
  notSent: 'The run was not started',
  signIn: {
    lead: 'Run scenarios, follow their progress, and read the results: forecasts with uncertainty, sectors and populations',
    where: 'The token is the value of API_TOKEN on the server that serves this page.',
    wrong: 'The server does not accept this token.',
    ended: 'The server no longer accepts the token. Sign in again.',
  },
  problem: {
    network: 'The server did not respond. Check that it is running. This page keeps what you typed.',
    unexpected: 'The server sent a response that this dashboard does not understand.',
  },
};

export const shell = {
  brand: 'Simulation',
  pages: { new: 'New run', runs: 'Runs', compare: 'Compare', insight: 'Summary' },
  feedHint: 'Run progress appears here as it happens.',
  notFound: 'Page not found',
  notFoundText: (path: string) => `There is no page at “${path}”.`,
  toNew: 'Start a new run',
  caveatTitle: 'A scenario, not a prediction.',
  caveat:
    'These figures follow from the inputs and from a simple model. They show what would happen if both held, not what will happen.',
};

/** What could not be done, above why. */
export const failed = {
  agents: 'Could not load the status of the agents',
  start: 'Could not start the run',
  runs: 'Could not load the runs',
  run: 'Could not load the run',
  results: 'Could not load the results',
  solution: 'Could not load the efforts of the solution',
  cancel: 'Could not cancel the run',
  sweep: 'Could not load the sweep',
  startSweep: 'Could not start the sweep',
  rename: 'Could not rename the run',
  save: 'Could not download the file',
  check: 'Could not verify the hash',
  summary: 'Could not summarise the runs',
};

export const states = {
  queued: 'Queued',
  running: 'Running',
  succeeded: 'Succeeded',
  failed: 'Failed',
  cancelled: 'Cancelled',
};
