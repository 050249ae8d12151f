import { isId, isList, nextWords, quote, type CompletedCommand, type Names, type Value } from './commands.js';

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
