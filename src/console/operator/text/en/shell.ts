/** English: what stands around every page. */
export const shell = {
  app: 'Operator console',
  skip: 'Skip to the content',
  nav: 'Pages',
  pages: { missions: 'Missions', create: 'New mission', journal: 'Journal', tools: 'Tools', doctor: 'Doctor' },
  language: 'Language',
  leave: 'Lock',
  leaveHint: 'Forget the token and go back to the sign-in page',
  actingAs: (name: string, role: string) => `Acting as ${name} (${role})`,
  access: { viewer: 'viewer', reviewer: 'reviewer', admin: 'admin' },
  control: { ready: 'Ready', paused: 'Paused', pause: 'Pause', resume: 'Resume' },
  controlHint: { pause: 'Stop execution, review and receipt recording', resume: 'Allow execution and review again' },
  pausedBanner:
    'The agent is paused. Execution, review and receipt recording are stopped until it is resumed; missions can still be queued.',
  pausedNow: 'The agent is paused.',
  resumedNow: 'The agent is ready again.',
  feed: { connecting: 'Connecting…', live: 'Live', broken: 'Not live: reconnecting…' },
  feedHint: 'New entries of the journal appear here as they are written.',
  journalBad: 'The agent could not verify its journal. Trust nothing on these pages before the doctor is content.',
  seeDoctor: 'Open the doctor page',
  loading: 'Loading…',
  notFound: 'There is no such page',
  notFoundText: (path: string) => `Nothing stands at “${path}”.`,
  toMissions: 'To the missions',
  copy: 'Copy',
  copyCommand: 'Copy as command',
  copied: 'Copied',
  notCopied: 'Could not be copied: select the text instead',
  sameByCommand: 'The same on the command line',
  commandHome: 'AGENT_HOME or --home names the home of this agent; without them a command uses the default home.',
  download: 'Download',
  close: 'Close',
  cancel: 'Back',
  retry: 'Try again',
  showTable: 'Show as a table',
  more: (n: string) => `and ${n} more`,
};

export const login = {
  title: 'Sign in',
  lead: 'This console shows what waits for you, lets you decide, and lets you check what the screen says.',
  token: 'Access token',
  where:
    'The token of a fresh home stands in the file api.token of the agent’s home directory; agent-cli init prints its path. Named tokens are made with agent-cli token create.',
  memory: 'It is kept in the memory of this page only. Reloading or closing the page forgets it.',
  submit: 'Sign in',
  checking: 'Checking…',
  empty: 'Paste the token first.',
  wrong: 'The agent does not accept this token.',
  malformed: 'This cannot be a token: it holds characters that no token has.',
  ended: 'The agent no longer accepts the token. Sign in again.',
  show: 'Show the token',
  limited: 'The agent takes the token but cannot tell its state. The doctor says what mends it; an administrator can pause it.',
};

export const problem = {
  title: 'That did not work',
  network: 'The agent does not answer. Is it running? The page keeps what you typed.',
  unexpected: 'The agent answered something that this console does not understand.',
  file: 'The file could not be read.',
  code: 'Code',
  mend: 'This mends it',
  later: (seconds: number) => `Try again in ${seconds} s.`,
  errors: (n: number) => (n === 1 ? 'One field needs a look' : `${n} fields need a look`),
};

export const states = {
  queued: 'Queued',
  running: 'Running',
  review: 'Waits for review',
  completed: 'Completed',
  rejected: 'Rejected',
  failed: 'Failed',
};

export const kinds = {
  research: 'Research',
  allocation: 'Allocation',
  schedule: 'Schedule',
  forecast: 'Forecast',
  code: 'Code',
};

export const stageRoles: Readonly<Record<string, string>> = {
  planning: 'Planning',
  research: 'Research',
  strategy: 'Strategy',
  market: 'Market',
  codegen: 'Code generation',
  safety: 'Safety',
  memory: 'Memory',
};
