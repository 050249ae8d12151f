/** Formats commands as text that can be pasted into a shell. */

/** Quotes a word for the shell. */
export const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

/** Matches a line that starts with one of our commands; a topic adds one word. */
const command = /^((?:next|more): |\s*→ |  )agent-cli((?: (?:bus|config|token|tool|witness))? \w[\w-]*)?/;

/** Completes a printed command, so that it can be pasted, with this command's `--home` and the name by which it was called. */
export function pasteable(line: string, bin: string, home: string | undefined): string {
  const flag = home === undefined || / --(?:home|help)\b/.test(line) ? '' : ` --home ${quoted(home)}`;
  return line.replace(command, `$1${bin}$2${flag.replaceAll('$', '$$$$')}`);
}

/** What the ids of our commands begin with in a host. */
export const hostTopic = 'agent:';

/** Returns the words by which a command was called, and its id without the topic of a host. */
export const calledAs = (bin: string, id = ''): { readonly bin: string; readonly id: string } =>
  id.startsWith(hostTopic) ? { bin: `${bin} agent`, id: id.slice(hostTopic.length) } : { bin, id };
