/** English: texts around every page. */
import type { PageWords } from '../../../kit/text/words.js';

export const page: PageWords = {
  app: 'Operator console',
  commandHome: 'Set AGENT_HOME or --home to choose the home of this agent; otherwise commands use the default home.',
  notSent: 'The mission was not queued',
  signIn: {
    lead: 'Review, approve and verify mission results',
    where:
      'Your token is in api.token, in the home directory of the agent; agent-cli init prints its path. To create a named token, run agent-cli token create.',
    wrong: 'The agent does not accept this token.',
    ended: 'The agent no longer accepts the token. Sign in again.',
  },
  problem: {
    network: 'The agent did not respond. Check that it is running. This page keeps what you typed.',
    unexpected: 'The agent sent a response that this console does not understand.',
  },
};

export const shell = {
  pages: {
    missions: 'Missions',
    create: 'New mission',
    payments: 'Payments',
    journal: 'Journal',
    tools: 'Tools',
    approvers: 'Approvers',
    doctor: 'Doctor',
  },
  actingAs: (name: string, role: string) => `Signed in as ${name} (${role})`,
  actsFor: (name: string, approver: string) => (name === approver ? name : `${name}, for ${approver}`),
  access: { viewer: 'viewer', reviewer: 'reviewer', admin: 'admin', agent: 'assistant' },
  control: { ready: 'Ready', paused: 'Paused', pause: 'Pause', resume: 'Resume' },
  controlHint: { pause: 'Stop execution, review and receipt recording', resume: 'Allow execution, review and receipt recording' },
  pausedBanner:
    'The agent is paused. Execution, review and receipt recording are stopped until it is resumed. Missions can still be queued.',
  pausedNow: 'The agent is paused.',
  resumedNow: 'The agent is ready again.',
  feedHint: 'New journal entries appear here as they are written.',
  away: 'The agent does not respond. You see what was loaded last; the page reloads it as soon as the agent is back.',
  configBad:
    'config.json is not the signed configuration. Only pauses, failures, cancellations and revocations of tokens are recorded.',
  journalBad: 'Journal verification failed. Do not rely on this data.',
  limited:
    'The agent accepts the token but cannot report its status. See Doctor for the fix. An administrator can pause the agent.',
  seeDoctor: 'Open Doctor',
  keys: {
    title: 'Keyboard shortcuts',
    search: 'Go to the search',
    next: 'Next in the list',
    previous: 'Previous in the list',
    open: 'Open',
    show: 'Show these shortcuts',
    close: 'Close this dialog',
    use: 'Use these shortcuts',
    where:
      'They do nothing while you type in a field. Turn them off if they get in the way of your screen reader or voice control.',
  },
  notFound: 'Page not found',
  notFoundText: (path: string) => `There is no page at “${path}”.`,
  toMissions: 'Go to missions',
};

/** What could not be done, above why. */
export const failed = {
  status: 'Could not load the status of the agent',
  pause: 'Could not pause the agent',
  resume: 'Could not resume the agent',
  checks: 'Could not run the checks',
  agents: 'Could not load the agents and alerts',
  missions: 'Could not load the missions',
  mission: 'Could not load the mission',
  entries: 'Could not load the entries of the mission',
  queue: 'Could not queue the mission',
  read: 'Could not read the files',
  execute: 'Could not execute the mission',
  recover: 'Could not recover the mission',
  cancel: 'Could not cancel the mission',
  export: 'Could not download the export',
  report: 'Could not download the report',
  sign: 'Could not sign the decision',
  subject: 'Could not load the text to be signed',
  approvers: 'Could not load the approvers',
  link: 'Could not use the link',
  makeLink: 'Could not make the link',
  register: 'Could not register the passkey',
  remove: 'Could not remove it',
  journal: 'Could not load the journal',
  checkpoint: 'Could not load the checkpoint',
  proof: 'Could not load the proof',
  tools: 'Could not load the tools',
  tool: 'Could not load the tool',
  toolStatus: 'Could not set the status of the tool',
  import: 'Could not import the manifest',
  wallet: 'Could not load the wallet',
  balance: 'Could not read the balance',
  challenge: 'Could not issue a challenge',
  bind: 'Could not bind the address',
  invoices: 'Could not load the invoices',
  invoice: 'Could not issue the invoice',
  invoiceCancel: 'Could not cancel the invoice',
  settle: 'Could not check the payment',
  verifyReceipt: 'Could not verify the receipt',
  qr: 'Could not draw the QR code',
};

export const states = {
  queued: 'Queued',
  running: 'Running',
  review: 'Needs review',
  completed: 'Completed',
  rejected: 'Rejected',
  failed: 'Failed',
};
