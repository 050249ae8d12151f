/** Command lines for a POSIX shell that do what a page does. */

const plain = /^[A-Za-z0-9_./:=@%+,-]+$/;

/** A word as the shell reads it back. */
export const quoted = (word: string): string => (plain.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

export const agentCli = (...words: readonly (string | number)[]): string =>
  ['agent-cli', ...words.map((word) => quoted(String(word)))].join(' ');

/** `--name value` for every member that says something. */
export const flags = (members: Readonly<Record<string, string | number | null>>): string[] =>
  Object.entries(members).flatMap(([name, value]) => (value === null || value === '' ? [] : [`--${name}`, String(value)]));
