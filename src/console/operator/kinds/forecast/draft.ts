/** The form of a forecast mission: a series, how far ahead it is continued, and its dates. */
import { dateUnits, parseMoment } from '../../../../kinds/forecast/calendar.js';
import { numberOf, numbersOf } from '../../../kit/forms/values.js';
import { type Cells, filledRows, type Place } from '../../../kit/grid/cells.js';
import { type Draft, formFor, plainMembers } from '../shared/draft.js';
import { dateOf, type Dates } from './dates.js';
import { words } from './words.js';

/** A blank cell among the values is a gap. */
const read = (cells: Cells): unknown => filledRows(cells).map(([text = '']) => numberOf(text) ?? null);

const write = (work: Readonly<Record<string, unknown>>): Cells =>
  ((work['observations'] ?? []) as readonly (number | null)[]).map((value) => [value === null ? '' : String(value)]);

/** Returns the cell of a path of the mission file. */
function cellOf(path: string): Place | null {
  const [, place] = /^work\.observations\[(\d+)\]/.exec(path) ?? [];
  return place === undefined ? null : { row: Number(place), col: 0 };
}

/** Returns the regressors of a text, a line each: its name, a colon, its values. What is no number stays in its place, so that it is refused there. */
function regressorsOf(text: string): unknown {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length === 0) return undefined;
  return Object.fromEntries(
    lines.map((line) => {
      const end = line.includes(':') ? line.lastIndexOf(':') : line.length;
      return [line.slice(0, end).trim(), numbersOf(line.slice(end + 1))];
    }),
  );
}

const regressorsText = (value: unknown): string =>
  Object.entries((value ?? {}) as Readonly<Record<string, readonly unknown[]>>)
    .map(([name, values]) => `${name}: ${values.join(' ')}`)
    .join('\n');

/** Returns the dates of the rows; null until a date and a step are given. */
function datesOf({ start, step }: Draft): Dates | null {
  const typed = step as Readonly<Record<'unit' | 'count', string>>;
  const unit = dateUnits.find((each) => each === typed.unit);
  const count = typed.count.trim() === '' ? 1 : Number(typed.count);
  const isDated = typeof start === 'string' && parseMoment(start) !== null;
  return unit === undefined || !isDated || !Number.isInteger(count) || count < 1 ? null : { start, step: { unit, count } };
}

export const form = formFor('forecast', {
  parts: ['observations', plainMembers('forecast', 'observations', 'start', 'step'), { group: 'step', beside: ['start'] }],
  editors: { regressors: { read: regressorsOf, write: regressorsText } },
  tables: {
    observations: {
      read,
      write,
      cellOf: () => cellOf,
      columns: (language) => [{ name: 'value', label: words[language].form.value, numeric: true }],
      rowNames: (draft, language) => {
        const dates = datesOf(draft);
        if (dates === null) return undefined;
        return { label: words[language].result.date, of: (row) => dateOf(dates, row + 1) ?? String(row + 1) };
      },
    },
  },
  lines: { regressors: 3 },
  // The request says how gaps are filled only if there are gaps.
  finish: ({ gaps, ...values }) => ({
    ...values,
    gaps: (values['observations'] as readonly unknown[]).includes(null) ? gaps : undefined,
  }),
});
