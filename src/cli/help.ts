/** Help by topic: the everyday commands first, then the names of all others. oclif makes the help of each command. */
import { type Command, Help, type Interfaces } from '@oclif/core';
import { wrapTo } from '../pictures/columns.js';
import { width } from './text.js';

const about = `Plan and research on your own machine, under review. Nothing counts until a person has approved it, and
every step is recorded in a signed journal that anyone can verify offline.`;

const indent = '  ';
const title_columns = 12;
const gap = 2;
/** On a narrower screen each description is below its name. */
const beside_columns_min = 60;

export class TopicHelp extends Help {
  private isAlone = false;

  constructor(config: Interfaces.Config, options: Partial<Interfaces.HelpOptions> = {}) {
    super(config, { ...options, maxWidth: width() });
  }

  override async showHelp(argv: string[]): Promise<void> {
    const words = argv.filter((arg, i) => !arg.startsWith('-') && argv[i - 1] !== '--home' && arg !== 'help');
    const asked = words.join(' ').toLowerCase();
    const named = this.topics().find(({ name, title }) => name === asked || title.toLowerCase() === asked);
    const topic = this.isCommand(words.join(':')) ? undefined : named;
    if (topic === undefined) await super.showHelp(argv);
    else this.log(this.formatted(topic).join('\n'));
  }

  // oxlint-disable-next-line require-await -- the class of oclif is asynchronous here
  override async showRootHelp(): Promise<void> {
    const { bin } = this.config;
    const lines = [
      ...wrapTo(about.replaceAll('\n', ' '), width()),
      '',
      `Usage: ${bin} [--home DIR] COMMAND`,
      '',
      'Every day',
      ...this.described(everyday),
      '',
      'All commands by topic',
      ...this.topics().flatMap(({ title, commands }) => listed(title, commands)),
      '',
      ...beside([
        [`${bin} COMMAND -h`, 'explain a command, its flags and examples'],
        [`${bin} help TOPIC`, 'describe the commands of a topic, such as home'],
        [`${bin} -v`, 'print the version'],
      ]),
    ];
    this.log(lines.join('\n'));
  }

  /** oclif prints a command's summary as it is; elsewhere a summary is a cell of a list. A line that ends within a sentence goes on in the next. */
  override async showCommandHelp(command: Command.Loadable): Promise<void> {
    this.isAlone = true;
    const { description } = command;
    await super.showCommandHelp(
      description === undefined ? command : { ...command, description: description.replace(/(?<=[^.])\n/g, ' ') },
    );
  }

  protected override summary(command: Command.Loadable): string | undefined {
    const text = super.summary(command);
    return this.isAlone && text !== undefined ? wrapTo(text, width()).join('\n') : text;
  }

  private isCommand(word: string): boolean {
    return this.config.findCommand(word) !== undefined;
  }

  private topics(): Topic[] {
    return topicsOf(this.sortedCommands.map(({ id }) => id.replaceAll(':', ' ')));
  }

  private formatted({ title, commands }: Topic): string[] {
    return [
      title,
      ...this.described(commands),
      '',
      ...beside([[`${this.config.bin} COMMAND -h`, 'explain a command, its flags and examples']]),
    ];
  }

  /** Returns the commands with the first sentence of their descriptions. */
  private described(names: readonly string[]): string[] {
    return beside(
      names.map((name) => {
        const known = this.sortedCommands.find(({ id }) => id.replaceAll(':', ' ') === name);
        return [name, known === undefined ? '' : (this.summary(known) ?? '')];
      }),
    );
  }
}

/** Returns lines with a text beside each name, or below it on a narrow screen. */
function beside(entries: readonly (readonly [string, string])[]): string[] {
  const columns = Math.max(...entries.map(([name]) => name.length));
  return entries.flatMap(([name, text]) => {
    if (width() < beside_columns_min)
      return [indent + name, ...wrapTo(text, width() - 2 * indent.length).map((line) => indent + indent + line)];
    const room = width() - indent.length - columns - gap;
    return wrapTo(text, room).map((line, i) => indent + (i === 0 ? name : '').padEnd(columns + gap) + line);
  });
}

function listed(title: string, commands: readonly string[]): string[] {
  const room = width() - indent.length - title_columns;
  return wrapTo(commands.map((name) => name.replaceAll(' ', '\u00a0')).join(', '), room).map(
    (line, i) => indent + (i === 0 ? title : '').padEnd(title_columns) + line.replaceAll('\u00a0', ' '),
  );
}

/** What people do every day, in the order in which they do it. */
export const everyday: readonly string[] = ['new', 'run', 'list', 'show', 'review', 'report', 'export', 'serve'];

interface Topic {
  readonly name: string;
  readonly title: string;
  readonly commands: readonly string[];
}

const topics: readonly Topic[] = [
  {
    name: 'missions',
    title: 'Missions',
    commands: ['new', 'run', 'list', 'show', 'watch', 'review', 'execute', 'cancel', 'recover', 'erase', 'examples'],
  },
  {
    name: 'home',
    title: 'Home',
    commands: [
      'init',
      'serve',
      'mcp',
      'doctor',
      'pause',
      'resume',
      'configure',
      'config show',
      'config set',
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
      'report',
      'verify-export',
      'verify',
      'checkpoint',
      'journal export',
      'verify-journal-export',
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
    commands: [
      'token create',
      'token list',
      'token rotate',
      'token revoke',
      'approver add',
      'approver list',
      'approver show',
      'approver remove',
    ],
  },
  {
    name: 'tools',
    title: 'Tools',
    commands: ['tool list', 'tool show', 'tool status', 'tool import', 'tool validate'],
  },
  { name: 'bus', title: 'Message bus', commands: ['bus send', 'bus tail'] },
  { name: 'workers', title: 'Workers', commands: ['worker', 'worker-key add', 'worker-key list', 'worker-key remove'] },
  { name: 'program', title: 'Program', commands: ['version', 'completion'] },
];

/** Returns the topics with those of their commands that there are, and a last one with the commands of no topic. */
function topicsOf(known: readonly string[]): Topic[] {
  const placed = new Set(topics.flatMap(({ commands }) => commands));
  const others = known.filter((name) => !placed.has(name)).toSorted();
  return [...topics, { name: 'other', title: 'Other', commands: others }]
    .map((topic) => ({ ...topic, commands: topic.commands.filter((name) => known.includes(name)) }))
    .filter(({ commands }) => commands.length > 0);
}
