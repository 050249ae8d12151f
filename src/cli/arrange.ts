/** Writes what was asked for as oclif reads it. */

/** Returns the words with the command first, and `--help` for `help`: `--home DIR list` becomes `list --home DIR`, `help list` is `list --help`. */
export function arrange(argv: readonly string[]): string[] {
  const [word, ...rest] = commandFirst(argv);
  return word === 'help' ? [...rest, '--help'] : [...(word === undefined ? [] : [word]), ...rest];
}

function commandFirst(argv: readonly string[]): readonly string[] {
  const leading: string[] = [];
  const rest = [...argv];
  while (rest.length > 0) {
    const [first, second] = rest;
    if (first === '--json' && rest.length > 1) leading.push(...rest.splice(0, 1));
    else if (first?.startsWith('--home=') === true) leading.push(...rest.splice(0, 1));
    else if (first === '--home' && second !== undefined) leading.push(...rest.splice(0, 2));
    else break;
  }
  const separator = rest.indexOf('--');
  if (leading.length === 0 || rest.length === 0) return argv;
  return separator < 0 ? [...rest, ...leading] : [...rest.slice(0, separator), ...leading, ...rest.slice(separator)];
}
