/** What terminals show: commands as text that can be pasted into a shell, widths and colours. */
import { quoted } from '../base/text.js';
import type { Colour } from '../pictures/screen.js';

/** Matches one of our commands, at the start of a line or within a hint, a warning or a failure; a topic adds one word. */
const command =
  /(?<=^(?:(?:next|more|late|interrupted): |\s*→ |  )|^(?:\u001b\[\d+m)?\s*[→!✗].*(?:: |then |&& |\())agent-cli((?: (?:approver|bus|config|journal|token|tool|witness|worker-key))? \w[\w-]*)?/g;

/** Completes printed commands, so that they can be pasted, with this command's `--home` and the name by which it was called. */
export function pasteable(line: string, bin: string, home: string | undefined): string {
  const flag = home === undefined || / --(?:home|help)\b/.test(line) ? '' : ` --home ${quoted(home)}`;
  return line.replace(command, (_, words: string = '') => `${bin}${words}${flag}`);
}

/** The name by which the program was called, and its `--home`. */
export type Invocation = { readonly bin: string; readonly home?: string | undefined };

/** What the ids of our commands begin with in a host. */
export const hostTopic = 'agent:';

/** Returns the words by which a command was called, and its id without the topic of a host. */
export const calledAs = (bin: string, id = ''): { readonly bin: string; readonly id: string } =>
  id.startsWith(hostTopic) ? { bin: `${bin} agent`, id: id.slice(hostTopic.length) } : { bin, id };

const columns_min = 40;
const columns_max = 200;
const columns_default = 80;

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the columns of a line: those of COLUMNS, else the terminal's, else 80; from 40 to 200. */
export function widthOf(env: Environment, terminal: number | undefined): number {
  const set = /^[1-9][0-9]{0,5}$/.test(env['COLUMNS'] ?? '') ? Number(env['COLUMNS']) : undefined;
  return Math.min(columns_max, Math.max(columns_min, set ?? terminal ?? columns_default));
}

export const width = (): number => widthOf(process.env, process.stdout.isTTY ? process.stdout.columns || undefined : undefined);

/** Colour on a terminal only, and never with NO_COLOR (no-color.org). */
const codes = { red: 31, green: 32, yellow: 33, blue: 34, grey: 90, bold: 1, paper: '30;107' } satisfies Record<Colour, unknown>;

const coloured = (stream: NodeJS.WriteStream): boolean =>
  stream.isTTY && (process.env['NO_COLOR'] ?? '') === '' && process.env['TERM'] !== 'dumb';
const wrap = (colour: Colour, text: string): string => `\u001b[${codes[colour]}m${text}\u001b[0m`;

export const paint = {
  out: (colour: Colour, text: string): string => (coloured(process.stdout) ? wrap(colour, text) : text),
  err: (colour: Colour, text: string): string => (coloured(process.stderr) ? wrap(colour, text) : text),
};
