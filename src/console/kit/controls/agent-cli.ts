/** Command lines for a POSIX shell that do what a page does. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { quoted } from '../../../base/text.js';

export const agentCli = (...words: readonly (string | number)[]): string =>
  ['agent-cli', ...words.map((word) => quoted(String(word)))].join(' ');

/** `--name value` for every member that says something. */
export const flags = (members: Readonly<Record<string, string | number | null>>): string[] =>
  Object.entries(members).flatMap(([name, value]) => (value === null || value === '' ? [] : [`--${name}`, String(value)]));

/** The home that commands of the page are for; null for one that the page does not know. */
export const CommandHome = createContext<string | null>(null);

/** Returns a function that names the home in a command, so that it works wherever it is pasted. Other texts stay as they are. */
export function useHomed(): (line: string) => string {
  const home = useContext(CommandHome);
  return (line) => (home === null ? line : withHome(line, home));
}

/** Returns a single agent-cli command with `--home`; help, and a command that names a home, is returned unchanged. */
export function withHome(line: string, home: string): string {
  const words = line.replaceAll(/'[^']*'|\\'/g, '_');
  const isCommand = words.startsWith('agent-cli ') && words.indexOf('agent-cli', 1) < 0;
  return isCommand && !/ --(?:home|help)\b/.test(words) ? `${line} --home ${quoted(home)}` : line;
}
