/**
 * Shell completion. The script of each shell calls the hidden command `complete` with the words up to the cursor; what may stand in place of
 * the last of them follows from oclif's description of the commands.
 */
import type { Command } from '@oclif/core';
import type { Home } from '../app/home/home.js';

type CommandEntry = Pick<Command.Cached, 'id' | 'hidden' | 'summary' | 'description' | 'flags' | 'args'>;
type OptionFlag = Extract<Command.Flag.Cached, { readonly type: 'option' }>;

/** What has ids that are offered. */
export type IdList = 'mission' | 'run' | 'invoice';

/** The kind of a value: one of these words, a file, a directory, an id, or something that only the user knows. */
type Value = readonly string[] | 'file' | 'directory' | IdList | 'other';

/** The kinds of arguments by their names; the run of an experiment is a file. */
function argValue(id: string, name: string): Value {
  if (name === 'run') return id.includes('transfer') ? 'file' : 'run';
  if (name === 'mission' || name === 'directory') return name;
  if (name === 'id') return 'invoice';
  return ['file', 'archive', 'plan', 'jobs'].includes(name) ? 'file' : 'other';
}

function flagValue({ name, options, helpValue }: OptionFlag): Value {
  if (options !== undefined) return options;
  if (name === 'mission') return name;
  return /\b(?:FILE|PATH)\b/.test(String(helpValue)) ? 'file' : helpValue === 'DIR' ? 'directory' : 'other';
}

/** What may stand in place of the last word. */
export interface Offer {
  /** What is offered: a line for each word, with its description after a tab; files or directories, which the shell knows; or ids. */
  readonly lines: readonly string[] | 'files' | 'directories' | IdList;
  /** The beginning of the last word that is kept before each line: `--flag=`, or nothing. */
  readonly prefix: string;
  /** The directory that `--home` names among the words. */
  readonly home: string | undefined;
}

const firstLine = (text = ''): string => text.split('\n')[0] ?? '';
const described = (word: string, description: string): string => `${word}\t${description}`;

/** @param words those after the name of the command line, up to the cursor */
export function offerFor(words: readonly string[], bin: string, all: readonly CommandEntry[]): Offer {
  if (words[0] === 'help' && words.length > 1) return offerFor(words.slice(1), bin, all);
  const { near, depth, given, pending, home } = understood(words.slice(0, -1), all);
  // Bash splits `--flag=value` at the sign.
  const last = words.at(-1)?.replace(/^=$/, '') ?? '';
  const [, prefix = '', assigned] = /^((--[^=]+)=)/.exec(last) ?? [];
  const offer = (lines: Offer['lines']): Offer => ({ lines, prefix, home });
  const flag = pending ?? assigned;
  if (flag !== undefined) return offer(offered(flagNamed(flag, near), flagValue));
  const exact = near.find(({ path }) => path.length === depth);
  if (last.startsWith('-'))
    return offer(exact === undefined && depth === 0 ? ['--home', '--json', '--help', '--version'] : flagLines(exact));
  const deeper = given > 0 ? [] : near.filter(({ path }) => path.length > depth);
  if (deeper.length > 0)
    return offer([...nextWords(deeper, depth, bin), ...(depth === 0 ? [described('help', 'Explain a command.')] : [])]);
  const arg = Object.values(exact?.args ?? {})[given];
  return offer(offered(arg, ({ name, options }) => options ?? argValue(exact?.id ?? '', name)));
}

interface Near extends CommandEntry {
  readonly path: readonly string[];
}

/**
 * Returns the commands that begin with the words so far, how many words of a command's name were given, how many arguments after them, the
 * flag whose value comes next, and the home.
 */
function understood(words: readonly string[], all: readonly CommandEntry[]) {
  let near = all.filter(({ hidden }) => !hidden).map((command): Near => ({ ...command, path: command.id.split(':') }));
  let [depth, given] = [0, 0];
  let pending: string | undefined;
  let home: string | undefined;
  for (const word of words.filter((each) => each !== '=')) {
    const [flag = '', value] = pending === undefined ? word.split('=', 2) : [pending, word];
    pending = undefined;
    if (flag.startsWith('-')) {
      if (value === undefined && flagNamed(flag, near) !== undefined) pending = flag;
      if (flag === '--home') home = value;
      continue;
    }
    const next = given > 0 ? [] : near.filter(({ path }) => path[depth] === word);
    if (next.length === 0) given++;
    else [near, depth] = [next, depth + 1];
  }
  return { near, depth, given, pending, home };
}

/** Returns the flag of this name that takes a value; undefined for a switch and for an unknown one. */
const flagNamed = (name: string, commands: readonly CommandEntry[]): OptionFlag | undefined =>
  commands
    .flatMap(({ flags }) => Object.values(flags))
    .find((flag): flag is OptionFlag => flag.type === 'option' && `--${flag.name}` === name);

/** Returns what is offered for a flag or an argument. */
function offered<A>(known: A | undefined, valueOf: (known: A) => Value): Offer['lines'] {
  const value = known === undefined ? 'other' : valueOf(known);
  if (typeof value !== 'string') return value;
  if (value === 'other') return [];
  return value === 'file' ? 'files' : value === 'directory' ? 'directories' : value;
}

const flagLines = (command: CommandEntry | undefined): string[] =>
  Object.values(command?.flags ?? {}).flatMap(({ hidden, name, description }) =>
    hidden === true ? [] : [described(`--${name}`, firstLine(description))],
  );

/** Returns the words that may follow in names of commands, each with what it does. */
function nextWords(commands: readonly Near[], depth: number, bin: string): string[] {
  const byWord = new Map<string, string>();
  for (const { path, summary, description } of commands) {
    const word = path[depth] ?? '';
    const said = firstLine(summary ?? description).replaceAll('<%= config.bin %>', bin);
    if (path.length === depth + 1) byWord.set(word, said);
    else if (!byWord.has(word)) byWord.set(word, `${word} commands`);
  }
  return [...byWord].map(([word, said]) => described(word, said));
}

/** Returns the newest ids of a kind; an invoice is named by its mission. */
export async function completedIds(home: Home, kind: IdList): Promise<string[]> {
  if (kind === 'mission') {
    const { listPage } = await import('../app/missions/missions.js');
    return listPage(home, {}).items.map(({ id }) => id);
  }
  if (kind === 'run') {
    const { runRecords } = await import('../app/simulation/runs/stored.js');
    return (await runRecords(home.db, {})).items.map(({ id }) => id);
  }
  const { invoices } = await import('../app/invoices/issue.js');
  return [...new Set(invoices(home, {}).items.map(({ mission }) => mission))];
}

// The scripts. The program prints one line for each word, or one of these in their place.

export const files_line = ':files';
export const directories_line = ':directories';

/** The name of the command line, and its other names. */
type Names = readonly [bin: string, ...aliases: string[]];

/** @param program the words that call the program */
type Script = (names: Names, program: string, name: string) => string;

/** Bash 3.2 and later. */
const bash: Script = (
  names,
  program,
  name,
) => `# bash completion for ${names[0]}; to load it: source <(${program} completion bash)
${name}() {
  local cur=\${COMP_WORDS[COMP_CWORD]} line IFS=$'\\n'
  [[ $cur == = ]] && cur=
  COMPREPLY=()
  while read -r line; do
    case $line in
    ${files_line}) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur")) ;;
    ${directories_line}) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$cur")) ;;
    "$cur"*) COMPREPLY+=("\${line%%$'\\t'*}") ;;
    esac
  done < <(${program} complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F ${name} ${names.join(' ')}
`;

const zsh: Script = (names, program, name) => `#compdef ${names.join(' ')}
# zsh completion for ${names[0]}; to load it: source <(${program} completion zsh), or save it as _${names[0]} in a directory of $fpath
${name}() {
  local -a offered
  offered=("\${(@f)$(${program} complete -- "\${(@Q)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)}")
  case $offered[1] in
  ${files_line}) compset -P '--*='; _files ;;
  ${directories_line}) compset -P '--*='; _files -/ ;;
  ?*) offered=("\${(@)offered//:/\\\\:}"); offered=("\${(@)offered/$'\\t'/:}"); _describe '' offered ;;
  esac
}
if [[ $funcstack[1] == ${name} ]]; then ${name} "$@"; else compdef ${name} ${names.join(' ')}; fi
`;

const fish: Script = (
  [bin, ...aliases],
  program,
  name,
) => `# fish completion for ${bin}; to load it: ${program} completion fish | source
function _${name}
  set -l words (commandline -opc)
  set -l last (commandline -ct)
  set -l offered (${program} complete -- $words[2..-1] "$last" 2>/dev/null)
  set -l flag (string match -r -- '^--[^=]*=' "$last")
  set -l value (string replace -r -- '^--[^=]*=' '' "$last")
  switch "$offered[1]"
    case ${files_line}
      printf '%s\\n' "$flag"(__fish_complete_path "$value")
    case ${directories_line}
      printf '%s\\n' "$flag"(__fish_complete_directories "$value" '')
    case '*'
      printf '%s\\n' $offered
  end
end
complete -c ${bin} -f -a '(_${name})'
${aliases.map((alias) => `complete -c ${alias} -w ${bin}\n`).join('')}`;

const scripts = { bash, zsh, fish } as const;
export type Shell = keyof typeof scripts;

/** @param names those of the command line @param program the words that call the program, which in a host are several */
export const completionScript = (shell: Shell, names: Names, program: string): string =>
  scripts[shell](names, program, `_${names[0].replace(/\W/g, '_')}`);
