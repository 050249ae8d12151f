/** Commands as text that can be pasted into a shell. */

/** A word as the shell reads it back. */
export const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

/** A line that begins with one of our commands; a topic is one word more. */
const command = /^((?:next|more): |\s*→ |  )agent-cli((?: (?:bus|config|token|tool|witness))? \w[\w-]*)?/;

/** A command that we print can be pasted: it carries the home that this command was given, and the name that it was called by. */
export function pasteable(line: string, bin: string, home: string | undefined): string {
  const flag = home === undefined || / --(?:home|help)\b/.test(line) ? '' : ` --home ${quoted(home)}`;
  return line.replace(command, `$1${bin}$2${flag.replaceAll('$', '$$$$')}`);
}
