/** Shell completion, generated from oclif's description of the commands. */
import type { IdList } from './completion-ids.js';

const generators = { bash, zsh, fish } as const;
export type Shell = keyof typeof generators;

/** @param names the command's name, by which the script calls it, and its other names */
export const completionScript = (shell: Shell, names: Names, commands: readonly KnownCommand[]): string =>
  generators[shell](names, completedCommands(names[0], commands));

/** The commands for completion, read from oclif's cache: names, flags, option values, and arguments. */
/** The name of the command line, and its other names. */
export type Names = readonly [bin: string, ...aliases: string[]];

/** The kind of a value: one of these words, a file, a directory, an id, or something that only the user knows. */
export type Value = readonly string[] | 'file' | 'directory' | IdList | 'other';

interface CompletedFlag {
  readonly name: string;
  readonly description: string;
  /** Null for a switch. */
  readonly value: Value | null;
}

interface CompletedCommand {
  /** The name, such as `config show` for a command below a topic. */
  readonly name: string;
  readonly description: string;
  readonly flags: readonly CompletedFlag[];
  readonly args: readonly Value[];
}

/** The members of oclif's cached commands that are read here. */
interface KnownCommand {
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
function completedCommands(bin: string, commands: readonly KnownCommand[]): CompletedCommand[] {
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
function nextWords(commands: readonly CompletedCommand[]): Map<string, string[]> {
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

const bashOffer = (value: Value): string => {
  if (isList(value)) return `words ${quote(value.join(' '))}`;
  if (isId(value)) return `ids ${value}`;
  return value === 'file' ? 'files -f' : value === 'directory' ? 'files -d' : 'return';
};

/** Returns the script for Bash 3.2 and later. It reads the words before the cursor once, so that `--home DIR` may be anywhere. */
export function bash(names: Names, commands: readonly CompletedCommand[]): string {
  const [bin] = names;
  const next = nextWords(commands);
  const valued = [...new Set(commands.flatMap((c) => c.flags.filter((f) => f.value !== null).map((f) => `--${f.name}`)))];
  const values = commands.flatMap((c) =>
    c.flags.flatMap((f) => (f.value === null ? [] : [`    ${quote(`${c.name} --${f.name}`)}) ${bashOffer(f.value)} ;;`])),
  );
  const flags = commands.map((c) => `    ${quote(c.name)}) words ${quote(c.flags.map((f) => `--${f.name}`).join(' '))} ;;`);
  const args = commands.flatMap((c) => c.args.map((arg, i) => `    ${quote(`${c.name} ${i}`)}) ${bashOffer(arg)} ;;`));
  const words = [...next].map(([prefix, list]) => `    ${quote(`${prefix} 0`)}) words ${quote(list.join(' '))} ;;`);
  const known = [...new Set([...commands.map((c) => c.name), ...next.keys()])].filter((word) => word !== '');
  return script({
    bin,
    all: names.join(' '),
    name: `_${bin.replace(/\W/g, '_')}`,
    names: known.map(quote).join('|'),
    valued: valued.join('|'),
    first: commands[0]?.name ?? '',
    values: values.join('\n'),
    flags: flags.join('\n'),
    words: [...words, ...args].join('\n'),
  });
}

/** Fragments of shell text, ready to be inserted. */
interface Parts {
  readonly bin: string;
  /** All names of the command line. */
  readonly all: string;
  readonly name: string;
  readonly names: string;
  readonly valued: string;
  readonly first: string;
  readonly values: string;
  readonly flags: string;
  readonly words: string;
}

const script = ({
  bin,
  all,
  name,
  names,
  valued,
  first,
  values,
  flags,
  words,
}: Parts): string => `# bash completion for ${bin}; to load it: source <(${bin} completion bash)
${name}() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev= command= home= given=0 word i IFS=$' \\t\\n'
  words() { COMPREPLY=($(compgen -W "$1" -- "$cur")); }
  ids() { words "$(${bin} complete-ids "$1" \${home:+--home "$home"} 2>/dev/null)"; }
  files() { local IFS=$'\\n'; compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen "$1" -- "$cur")); }
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    [[ $word == = ]] && continue
    [[ $prev == --home ]] && home=$word
    case $prev in ${valued}) prev=; continue ;; esac
    prev=$word
    [[ $word == -* ]] && continue
    case "$command\${command:+ }$word" in
    ${names}) command="$command\${command:+ }$word" ;;
    *) given=$((given + 1)) ;;
    esac
  done
  [[ $cur == = ]] && cur=
  case $prev in ${valued})
    case "\${command:-${first}} $prev" in
${values}
    esac
    return ;;
  esac
  if [[ $cur == -* ]]; then
    case $command in
    '') words '--home --json --help --version' ;;
${flags}
    esac
  else
    case "$command $given" in
${words}
    esac
  fi
}
complete -F ${name} ${all}
`;

const idsOf = (bin: string, value: Value): string => quote(`(${bin} complete-ids ${String(value)} 2>/dev/null)`);

const fishValue = (bin: string, value: Value): string => {
  if (isList(value)) return ` -x -a ${quote(value.join(' '))}`;
  if (isId(value)) return ` -x -a ${idsOf(bin, value)}`;
  return value === 'file' ? ' -r -F' : value === 'directory' ? " -x -a '(__fish_complete_directories)'" : ' -x';
};

export function fish([bin, ...aliases]: Names, commands: readonly CompletedCommand[]): string {
  const seen = (name: string): string =>
    quote(
      name
        .split(' ')
        .map((word) => `__fish_seen_subcommand_from ${word}`)
        .join('; and '),
    );
  const lines = [`# fish completion for ${bin}; to load it: ${bin} completion fish | source`, `complete -c ${bin} -f`];
  for (const [prefix, words] of nextWords(commands)) {
    const when =
      prefix === ''
        ? '__fish_use_subcommand'
        : `${seen(prefix).slice(1, -1)}; and not __fish_seen_subcommand_from ${words.join(' ')}`;
    for (const word of words) {
      const full = prefix === '' ? word : `${prefix} ${word}`;
      const description = commands.find((c) => c.name === full)?.description ?? `${word} commands`;
      lines.push(`complete -c ${bin} -n ${quote(when)} -a ${word} -d ${quote(description)}`);
    }
  }
  for (const { name, flags, args } of commands) {
    const start = `complete -c ${bin} -n ${seen(name)}`;
    for (const flag of flags)
      lines.push(
        `${start} -l ${flag.name} -d ${quote(flag.description)}${flag.value === null ? '' : fishValue(bin, flag.value)}`,
      );
    for (const arg of args) {
      if (isList(arg)) lines.push(`${start} -a ${quote(arg.join(' '))}`);
      else if (isId(arg)) lines.push(`${start} -a ${idsOf(bin, arg)}`);
      else if (arg === 'file') lines.push(`${start} -F`);
    }
  }
  for (const alias of aliases) lines.push(`complete -c ${alias} -w ${bin}`);
  return `${lines.join('\n')}\n`;
}

const zshText = (text: string): string => text.replace(/[[\]:\\]/g, '\\$&');

const zshAction = (bin: string, value: Value): string => {
  if (isList(value)) return `(${value.join(' ')})`;
  if (isId(value)) return `{compadd -- \${(f)"$(${bin} complete-ids ${value} 2>/dev/null)"}}`;
  return value === 'file' ? '_files' : value === 'directory' ? '_files -/' : ' ';
};

function zshSpecs(bin: string, { flags, args }: CompletedCommand): string {
  const ofFlags = flags.map(({ name, description, value }) =>
    quote(
      `--${name}${value === null ? '' : '='}[${zshText(description)}]${value === null ? '' : `:${name}:${zshAction(bin, value)}`}`,
    ),
  );
  return [...ofFlags, ...args.map((arg, i) => quote(`${i + 1}:argument:${zshAction(bin, arg)}`))].join(' \\\n      ');
}

export function zsh(names: Names, commands: readonly CompletedCommand[]): string {
  const [bin] = names;
  const name = `_${bin.replace(/\W/g, '_')}`;
  const topics = [...nextWords(commands)].filter(([prefix]) => prefix !== '');
  const described = (words: readonly string[], prefix: string): string =>
    words
      .map((word) => {
        const full = prefix === '' ? word : `${prefix} ${word}`;
        return quote(`${word}:${zshText(commands.find((c) => c.name === full)?.description ?? `${word} commands`)}`);
      })
      .join(' ');
  const branches = [
    ...topics.map(([prefix, words]) => `    ${quote(prefix)}) known=(${described(words, prefix)}) ;;`),
    ...commands.map((c) => `    ${quote(c.name)}) _arguments ${zshSpecs(bin, c)}; return ;;`),
  ];
  return `#compdef ${names.join(' ')}
# zsh completion for ${bin}; to load it: source <(${bin} completion zsh), or save it as _${bin} in a directory of $fpath
${name}() {
  local command='' word
  local -a known
  while (( CURRENT > 2 )); do
    word=$words[2]
    case $word in
    --home) (( CURRENT > 3 )) || { _files -/; return; }; words=($words[1] $words[4,-1]); (( CURRENT -= 2 )); continue ;;
    --*) words=($words[1] $words[3,-1]); (( CURRENT -= 1 )); continue ;;
    esac
    command="$command\${command:+ }$word"
    shift words; (( CURRENT -= 1 ))
    case $command in
    ${topics.map(([prefix]) => quote(prefix)).join('|') || "''"}) ;;
    *) break ;;
    esac
  done
  case $command in
    '') known=(${described(nextWords(commands).get('') ?? [], '')}) ;;
${branches.join('\n')}
  esac
  (( $#known )) && _describe command known
}
if [[ $funcstack[1] == ${name} ]]; then ${name} "$@"; else compdef ${name} ${names.join(' ')}; fi
`;
}
