import { isId, isList, nextWords, quote, type CompletedCommand, type Names, type Value } from './commands.js';

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
