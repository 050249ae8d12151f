/** Columns that are known beforehand, such as promotions: a value for each step of a series, and for the steps ahead, whose rows have no value yet. */
import { horizon_max } from '../../base/limits.js';
import { isMissing } from '../cells/column.js';
import type { CivilDate } from '../cells/dates.js';
import { regressor_prefix } from './columns.js';
import { columnText, tableFault } from './faults.js';
import { joinedByDate, type Series, type SeriesContext } from './observations.js';
import { instantText } from './series.js';
import type { TableColumn } from './table.js';
import { failed, type Columns } from './work.js';

type FoundSeries = Extract<Series, { readonly outcome: 'series' }>;

/** A column as it was read. */
export interface RegressorColumn {
  readonly column: TableColumn;
  readonly values: readonly (number | null)[];
}

export const regressorColumns = (columns: Columns): TableColumn[] =>
  [...columns].flatMap(([member, column]) => (member.startsWith(regressor_prefix) ? [column] : []));

/** Returns how many rows follow the last value of a column in which all other columns have one. */
export function rowsAhead({ cells }: TableColumn, others: readonly TableColumn[]): number {
  const first = cells.findLastIndex(({ cell }) => !isMissing(cell)) + 1;
  return cells
    .slice(first)
    .filter((_, i) => others.every((other) => !isMissing(other.cells[first + i]?.cell ?? { type: 'blank' }))).length;
}

/** A column by the steps of the series. */
interface Steps {
  readonly column: TableColumn;
  readonly at: (step: number) => number | null;
}

/** Returns a series with regressors and the number of steps ahead for which all of them have values. @param dates null for rows without dates */
export function withRegressors(
  series: FoundSeries,
  regressors: readonly RegressorColumn[],
  dates: readonly (CivilDate | null)[] | null,
  context: SeriesContext,
): Series {
  const found: Steps[] = [];
  for (const { column, values } of regressors) {
    const rows = column.cells.map(({ row }) => row);
    const joined = dates === null ? null : joinedByDate(rows, dates, values, context);
    if (joined !== null && 'outcome' in joined) return joined;
    const { at: whenIs } = series;
    const at: Steps['at'] = (step) => (joined === null || !whenIs ? values[step] : joined.get(whenIs(step))?.value) ?? null;
    found.push({ column, at });
  }
  const faults = found.flatMap((each) => lacking(each, series));
  if (faults.length > 0) return failed(faults.map((message) => tableFault(context.place, message)));
  const count = series.rows.length;
  const { horizon: wanted = horizon_max } = context.options.set ?? {};
  let ahead = 1;
  while (ahead < Number(wanted) && found.every(({ at }) => at(count + ahead) !== null)) ahead++;
  const values = found.map(
    ({ column, at }) => [column.name || column.letter, Array.from({ length: count + ahead }, (_, i) => at(i) ?? 0)] as const,
  );
  return { ...series, members: { ...series.members, horizon: ahead, regressors: Object.fromEntries(values) } };
}

/** Returns what is wrong with a column that has no value for an observation or for the first step ahead. */
function lacking({ column, at }: Steps, { rows, at: whenIs }: FoundSeries): string[] {
  const step = [...rows, null].findIndex((_, i) => at(i) === null);
  if (step === rows.length)
    return [
      `${columnText(column)} ends with the series: the values of a regressor have to be known for the steps ahead. Add a row for each of them, with the value of the series left blank.`,
    ];
  const where = whenIs === undefined ? `in row ${column.cells[step]?.row}` : `for ${instantText(whenIs(step))}`;
  return step < 0
    ? []
    : [`${columnText(column)} has no value ${where}. A regressor has one for every step, 0 where nothing happened.`];
}
