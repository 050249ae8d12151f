import type { IdList } from './ids.js';

/** The commands for completion, read from oclif's cache: names, flags, option values, and arguments. */
/** The name of the command line, and its other names. */
export type Names = readonly [bin: string, ...aliases: string[]];

/** The kind of a value: one of these words, a file, a directory, an id, or something that only the user knows. */
export type Value = readonly string[] | 'file' | 'directory' | IdList | 'other';

export interface CompletedFlag {
  readonly name: string;
  readonly description: string;
  /** Null for a switch. */
  readonly value: Value | null;
}

export interface CompletedCommand {
  /** The name, such as `config show` for a command below a topic. */
  readonly name: string;
  readonly description: string;
  readonly flags: readonly CompletedFlag[];
  readonly args: readonly Value[];
}

/** The members of oclif's cached commands that are read here. */
export interface KnownCommand {
  readonly id: string;
  readonly hidden?: boolean | undefined;
  readonly summary?: string | undefined;
  readonly description?: string | undefined;
  readonly flags: Readonly<Record<string, KnownFlag>>;
  readonly args: Readonly<Record<string, { readonly name: string; readonly options?: readonly string[] | undefined }>>;
}

interface KnownFlag {
  readonly name: string;
  readonly type: string;
  readonly hidden?: boolean | undefined;
  readonly description?: string | undefined;
  readonly helpValue?: string | readonly string[] | undefined;
  readonly options?: readonly string[] | undefined;
}

export const isId = (value: Value): value is IdList => value === 'mission' || value === 'run' || value === 'invoice';

/** The kinds of arguments by their names; the run of an experiment is a file. */
function argValue(id: string, name: string): Value {
  if (name === 'run') return id.startsWith('transfer') ? 'file' : 'run';
  if (name === 'mission' || name === 'directory') return name;
  if (name === 'id') return 'invoice';
  return ['file', 'archive', 'plan', 'jobs'].includes(name) ? 'file' : 'other';
}

const firstLine = (text = ''): string => text.split('\n')[0] ?? '';

function flagValue({ name, type, options, helpValue }: KnownFlag): Value | null {
  if (type === 'boolean') return null;
  if (options !== undefined) return options;
  if (name === 'mission') return name;
  return helpValue === 'FILE' || helpValue === 'PATH' ? 'file' : helpValue === 'DIR' ? 'directory' : 'other';
}

/** Returns the commands in order of their names, without hidden ones. */
export function completedCommands(bin: string, commands: readonly KnownCommand[]): CompletedCommand[] {
  return commands
    .filter(({ hidden }) => hidden !== true)
    .map(({ id, summary, description, flags, args }) => ({
      name: id.replaceAll(':', ' '),
      description: firstLine(summary ?? description).replaceAll('<%= config.bin %>', bin),
      flags: Object.values(flags)
        .filter(({ hidden }) => hidden !== true)
        .map((flag) => ({ name: flag.name, description: firstLine(flag.description), value: flagValue(flag) })),
      args: Object.values(args).map(({ name, options }): Value => options ?? argValue(id, name)),
    }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Returns the words that may follow each prefix of the commands' names: `''` → every first word, `config` → `show`. */
export function nextWords(commands: readonly CompletedCommand[]): Map<string, string[]> {
  const next = new Map<string, string[]>();
  for (const { name } of commands) {
    const words = name.split(' ');
    words.forEach((word, i) => {
      const prefix = words.slice(0, i).join(' ');
      next.set(prefix, [...new Set([...(next.get(prefix) ?? []), word])]);
    });
  }
  return next;
}

/** Quotes a text with single quotes, which all supported shells read alike. */
export const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
export const isList = (value: Value): value is readonly string[] => typeof value !== 'string';
