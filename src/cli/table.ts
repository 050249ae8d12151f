/** Formats aligned lines for people, as wide as the terminal. */
import { assistantMark } from '../base/assistant-mark.js';
import { printable } from '../base/text.js';
import type { MissionPage } from '../codec/api-missions.js';
import { fit, wrapTo } from '../pictures/columns.js';
import { count } from '../pictures/figures.js';
import type { Colour } from '../pictures/screen.js';
import { screen } from './screen.js';
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

export type Pair = readonly [string, string];

/** Returns the pairs that have a value. */
export const known = (all: readonly (readonly [string, string | null])[]): Pair[] =>
  all.flatMap(([name, value]): Pair[] => (value === null ? [] : [[name, value]]));

/** Wraps a value at its blanks. One without any, as a hash or a path, stays whole, so that it can be copied and searched for. */
const wrapped = (value: string, columns: number): string[] => (value.includes(' ') ? wrapTo(value, columns) : [value]);

/** Formats aligned `name  value` lines; a long value wraps within its column. */
export function pairs(entries: readonly (readonly [string, string])[]): string[] {
  if (width() < pairs_columns_min)
    return entries.flatMap(([name, value]) => [
      paint.out('bold', name),
      ...wrapped(value, width() - 2).map((line) => `  ${line}`),
    ]);
  const names = Math.max(...entries.map(([name]) => name.length));
  return entries.flatMap(([name, value]) =>
    wrapped(value, width() - names - 2).map(
      (line, i) => `${i === 0 ? paint.out('bold', name.padEnd(names)) : ' '.repeat(names)}  ${line}`,
    ),
  );
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
  const line = (cells: readonly string[]): string => cells.join('  ');
  const head = line(['mission'.padEnd(id_columns), ...names.map((name) => name.padEnd(columns[name])), 'goal']);
  const { more } = screen().glyphs;
  return [
    paint.out('bold', head),
    ...items.map(({ id, kind, state, goal, assistant, updated_at }) => {
      const cells: Readonly<Record<Column, string>> = {
        state: stateText(state) + ' '.repeat(Math.max(0, columns.state - state.length)),
        kind: kind.padEnd(columns.kind),
        changed: minute(updated_at),
      };
      const said = (mark: string): string => printable(assistant === undefined ? goal : `(${mark}) ${goal}`);
      const shown = isWhole ? said(assistantMark(assistant ?? '')) : fit(said('assistant'), width() - left(names), more);
      return line([short(id).padEnd(id_columns), ...names.map((name) => cells[name]), shown]);
    }),
    ...nextSteps(items),
  ];
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
