/** What the form of a forecast mission holds, and the work that it makes. */
import { type Cells, filledRows, type Place } from '../../../kit/grid/cells.js';
import { numberOf, numbersOf } from '../../../kit/forms/values.js';
import { draftFor } from '../shared/work.js';

/** A blank cell among the values is a gap. */
const read = (cells: Cells): unknown => filledRows(cells).map(([text = '']) => numberOf(text) ?? null);

const write = (work: Readonly<Record<string, unknown>>): Cells =>
  ((work['observations'] ?? []) as readonly (number | null)[]).map((value) => [value === null ? '' : String(value)]);

/** Returns the cell of a path of the mission file. */
export function cellOfObservation(path: string): Place | null {
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

const series = draftFor(
  'forecast',
  {
    observations: [],
    gaps: '',
    horizon: '',
    holdout: '',
    season: '',
    seasons: '',
    levels: '',
    outliers: '',
    may_be_negative: '',
    regressors: '',
    unit: '',
    start: '',
    step: { unit: '', count: '' },
  },
  { editors: { regressors: { read: regressorsOf, write: regressorsText } }, tables: { observations: { read, write } } },
);

export const draft: typeof series = {
  ...series,
  valuesOf: (typed) => {
    const { gaps, ...values } = series.valuesOf(typed);
    const hasGaps = (values.observations as readonly unknown[]).includes(null);
    return { ...values, gaps: hasGaps ? gaps : undefined };
  },
};
