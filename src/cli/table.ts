/** Formats aligned lines for people, as wide as the terminal. */
import { stripVTControlCharacters } from 'node:util';
import { assistantMark } from '../base/assistant-mark.js';
import { printable } from '../base/text.js';
import type { MissionPage } from '../codec/api-missions.js';
import { columnsOf, fit, wrapTo } from '../pictures/columns.js';
import { type Colour, count, glyphsFor, type Screen } from '../pictures/screen.js';
import { paint, width } from './text.js';

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

/** Wraps a text, also one in Chinese or Japanese, which has no blanks. A hash or a path stays whole, so that it can be copied and searched for. */
const wrapped = (value: string, columns: number): string[] =>
  value.includes(' ') || (columnsOf(value) > value.length && !value.includes('/')) ? wrapTo(value, columns) : [value];

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
