/** The commands by topic, as help lists them. */

/** What people do every day, in the order in which they do it. */
export const everyday: readonly string[] = ['run', 'list', 'show', 'review', 'export', 'serve'];

export interface Topic {
  readonly name: string;
  readonly title: string;
  readonly commands: readonly string[];
}

const topics: readonly Topic[] = [
  {
    name: 'missions',
    title: 'Missions',
    commands: ['run', 'list', 'show', 'watch', 'review', 'execute', 'cancel', 'recover', 'erase', 'examples'],
  },
  {
    name: 'home',
    title: 'Home',
    commands: [
      'init',
      'serve',
      'doctor',
      'pause',
      'resume',
      'configure',
      'config show',
      'backup',
      'restore',
      'rebuild',
      'recover-home',
    ],
  },
  {
    name: 'evidence',
    title: 'Evidence',
    commands: [
      'export',
      'verify-export',
      'verify',
      'checkpoint',
      'proof',
      'verify-proof',
      'publish',
      'witness add',
      'witness list',
    ],
  },
  {
    name: 'payments',
    title: 'Payments',
    commands: ['wallet-challenge', 'wallet-bind', 'balance', 'invoice', 'invoices', 'invoice-cancel', 'settle', 'verify-receipt'],
  },
  {
    name: 'simulation',
    title: 'Simulation',
    commands: ['simulate', 'runs', 'verify-run', 'agents-status', 'show-results', 'replay'],
  },
  {
    name: 'transfer',
    title: 'Transfer',
    commands: ['transfer-run', 'transfer-review', 'transfer-verify', 'transfer-docket'],
  },
  {
    name: 'ascension',
    title: 'Ascension',
    commands: ['ascension-compile', 'ascension-check', 'ascension-deliver', 'ascension-verify-delivery'],
  },
  {
    name: 'access',
    title: 'Access',
    commands: ['token create', 'token list', 'token rotate', 'token revoke'],
  },
  {
    name: 'tools',
    title: 'Tools',
    commands: ['tool list', 'tool show', 'tool status', 'tool import', 'tool validate'],
  },
  { name: 'bus', title: 'Message bus', commands: ['bus send', 'bus tail'] },
  { name: 'workers', title: 'Workers', commands: ['worker', 'worker-key add', 'worker-key list', 'worker-key remove'] },
  { name: 'program', title: 'Program', commands: ['help', 'version', 'completion'] },
];

/** Returns the topics with those of their commands that there are, and a last one with the commands of no topic. */
export function topicsOf(known: readonly string[]): Topic[] {
  const placed = new Set(topics.flatMap(({ commands }) => commands));
  const others = known.filter((name) => !placed.has(name)).toSorted();
  return [...topics, { name: 'other', title: 'Other', commands: others }]
    .map((topic) => ({ ...topic, commands: topic.commands.filter((name) => known.includes(name)) }))
    .filter(({ commands }) => commands.length > 0);
}
