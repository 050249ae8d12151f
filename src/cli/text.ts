/** What terminals show: commands as text that can be pasted into a shell, widths and colours. */
import { printable, quoted } from '../base/text.js';
import { type Colour, count, glyphsFor, type Screen } from '../pictures/screen.js';
import { stripVTControlCharacters } from 'node:util';
import { assistantMark } from '../base/assistant-mark.js';
import type { MissionPage } from '../codec/api-missions.js';
import { fit, wrapTo } from '../pictures/columns.js';

/** Matches one of our commands, at the start of a line or within a hint, a warning or a failure; a topic adds one word. */
const command =
  /(?<=^(?:(?:next|more): |\s*→ |  )|^(?:\u001b\[\d+m)?\s*[→!✗].*(?:: |then |&& |\())agent-cli((?: (?:approver|bus|config|journal|token|tool|witness|worker-key))? \w[\w-]*)?/g;

/** Completes printed commands, so that they can be pasted, with this command's `--home` and the name by which it was called. */
export function pasteable(line: string, bin: string, home: string | undefined): string {
  const flag = home === undefined || / --(?:home|help)\b/.test(line) ? '' : ` --home ${quoted(home)}`;
  return line.replace(command, (_, words: string = '') => `${bin}${words}${flag}`);
}

/** The name by which the program was called, and its `--home`. */
export type Called = { readonly bin: string; readonly home?: string | undefined };

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

/** On a narrower screen each value is below its name. */
const pairs_columns_min = 60;

const colours: Readonly<Record<string, Colour>> = {
  queued: 'grey',
  running: 'blue',
  review: 'yellow',
  completed: 'green',
  rejected: 'grey',
  failed: 'red',
};

export const stateText = (state: string): string => paint.out(colours[state] ?? 'grey', state);

/** A name and its value, null where there is none. */
export type Pair = readonly [name: string, value: string | null];

/** Wraps a value at its blanks. One without any, as a hash or a path, stays whole, so that it can be copied and searched for. */
const wrapped = (value: string, columns: number): string[] => (value.includes(' ') ? wrapTo(value, columns) : [value]);

/** Formats aligned `name  value` lines of what has a value; a long one wraps within its column. */
export function pairs(all: readonly Pair[]): string[] {
  const entries = all.flatMap(([name, value]) => (value === null ? [] : [{ name, value }]));
  if (width() < pairs_columns_min)
    return entries.flatMap(({ name, value }) => [
      paint.out('bold', name),
      ...wrapped(value, width() - 2).map((line) => `  ${line}`),
    ]);
  const names = Math.max(...entries.map(({ name }) => name.length));
  return entries.flatMap(({ name, value }) =>
    wrapped(value, width() - names - 2).map(
      (line, i) => `${i === 0 ? paint.out('bold', name.padEnd(names)) : ' '.repeat(names)}  ${line}`,
    ),
  );
}

/** Formats rows below their heads, which name the columns and say how wide each is; the last one is as wide as its texts. */
export function listed(heads: Readonly<Record<string, number>>, rows: readonly (readonly string[])[]): string[] {
  const widths = Object.values(heads).slice(0, -1);
  const padded = (cell: string, i: number): string =>
    cell + ' '.repeat(Math.max(0, (widths[i] ?? 0) - stripVTControlCharacters(cell).length));
  const line = (cells: readonly string[]): string => cells.map(padded).join('  ');
  return [paint.out('bold', line(Object.keys(heads))), ...rows.map(line)];
}

/** The beginning of an id that people read. */
export const id_chars = 8;
const columns = { state: 9, kind: 10, changed: 17 } as const;
type Column = keyof typeof columns;
/** The goal gets at least these columns; on a narrower screen the times and then the kinds are left out. */
const goal_columns_min = 20;

/** Returns a time for people, to the minute: `2026-11-23 14:05Z`. */
export const minute = (time: string): string => `${time.slice(0, 10)} ${time.slice(11, 16)}Z`;

/** Returns the beginning of each id, long enough to tell it from the others, and at least 8 characters. */
export function shortIds(ids: readonly string[]): (id: string) => string {
  let chars = id_chars;
  while (new Set(ids.map((id) => id.slice(0, chars))).size < new Set(ids).size) chars++;
  return (id) => id.slice(0, chars);
}

/**
 * Formats missions, one line each, cut to the width of the terminal.
 * @param isWhole whether the goals are printed whole, however wide the terminal is
 */
export function missionTable(items: MissionPage['items'], isWhole = false): string[] {
  const short = shortIds(items.map(({ id }) => id));
  const id_columns = Math.max(id_chars, ...items.map(({ id }) => short(id).length));
  const left = (names: readonly Column[]): number => names.reduce((sum, name) => sum + columns[name] + 2, id_columns + 2);
  const fits = (names: readonly Column[]): boolean => width() - left(names) >= goal_columns_min;
  const sets: readonly (readonly Column[])[] = [['state', 'kind', 'changed'], ['state', 'kind'], ['state']];
  const names = (isWhole ? sets[0] : sets.find(fits)) ?? ['state'];
  const { more } = screen().glyphs;
  const rows = items.map(({ id, kind, state, goal, assistant, updated_at }) => {
    const cells: Readonly<Record<Column, string>> = { state: stateText(state), kind, changed: minute(updated_at) };
    const said = (mark: string): string => printable(assistant === undefined ? goal : `(${mark}) ${goal}`);
    const shown = isWhole ? said(assistantMark(assistant ?? '')) : fit(said('assistant'), width() - left(names), more);
    return [short(id), ...names.map((name) => cells[name]), shown];
  });
  const widths = names.map((name) => [name, columns[name]] as const);
  return [...listed({ mission: id_columns, ...Object.fromEntries(widths), goal: 0 }, rows), ...nextSteps(items)];
}

/** Says how many missions there are, of which a page shows some; `total` is null if nobody counted them. */
export function totalLine(shown: number, total: number | null, isAll: boolean): string {
  if (isAll) return count(shown, 'mission');
  return total === null ? `${count(shown, 'mission')} shown` : `${shown} of ${count(total, 'mission')}`;
}

/** Names each interrupted or late mission of a list and its next command. */
function nextSteps(items: MissionPage['items']): string[] {
  const steps = items.flatMap(({ next, late }) =>
    next === undefined ? [] : [`${late === true ? 'late' : 'interrupted'}: ${next}`],
  );
  return steps.length === 0 ? [] : ['', ...steps];
}

/** The screen that pictures are drawn on: the terminal of this process. */
export const screen = (): Screen => ({ glyphs: glyphsFor(process.env, process.platform), paint: paint.out, columns: width() });
