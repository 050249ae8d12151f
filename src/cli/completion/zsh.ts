import { isId, isList, nextWords, quote, type CompletedCommand, type Names, type Value } from './commands.js';

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
