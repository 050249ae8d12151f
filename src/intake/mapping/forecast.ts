/** The work of a forecast from a table: one column of values, and the dates of its rows if it has any. */
import { isMissing, textOf, type Column } from '../cells/column.js';
import { isDateColumn, readDates } from '../cells/dates.js';
import { fold } from '../cells/fold.js';
import { isNumberText, numberParts, readNumbers } from '../cells/numbers.js';
import type { IntakeChoice, IntakeOptions } from '../../codec/api-intake.js';
import { assign, columnsOfFile, regressor_prefix, type Assignment } from './columns.js';
import { joinedDates, weeksIn } from './date-parts.js';
import { namesText, tableFault, type Place } from './faults.js';
import { dated, undated } from './observations.js';
import { TableReader } from './reader.js';
import { regressorColumns, rowsAhead, withRegressors } from './regressors.js';
import type { Table, TableColumn } from './table.js';
import { withoutTotal } from './total.js';
import { failed, type Columns, type Drafted } from './work.js';

/** Returns the work of a forecast, questions, or what is wrong. */
export function forecastFrom(table: Table, place: Place, options: IntakeOptions): Drafted {
  const assigned = assign('forecast', table, place, options);
  if ('message' in assigned) return failed([assigned]);
  const dateColumn = dateColumnOf(table, assigned, options);
  if (dateColumn !== null && 'readings' in dateColumn) return failed([], [dateColumn]);
  const known = [...assigned].filter(([member]) => member.startsWith(regressor_prefix));
  const taken = [dateColumn, assigned.get('date'), ...known.map(([, column]) => column)];
  const valueColumn = assigned.get('value') ?? valueColumnOf(table, taken, place);
  const dates: Columns = new Map(dateColumn === null ? [] : [['date', dateColumn]]);
  if (!('cells' in valueColumn)) return { ...valueColumn, columns: dates };
  const { columns, notes } = withoutTotal(new Map([...dates, ['value', valueColumn], ...known]), 'value', ['date'], options);
  const reader = new TableReader(place, options);
  const [date = null, value = valueColumn] = [columns.get('date'), columns.get('value')];
  const days = date === null ? null : reader.values(date, readDates(weeksIn(date), options));
  const numbers = readNumbers(value, options);
  const values = reader.values(value, numbers);
  const regressors = regressorColumns(columns).map((column) => ({ column, values: reader.numbersOrMarks(column) }));
  if (!reader.isClear) return { ...failed(reader.errors, reader.choices), columns };
  const isAhead = regressors.length > 0;
  const rows = value.cells.map(({ row }) => row);
  const context = { place, options };
  const end = isAhead ? values.findLastIndex((each) => each !== null) + 1 : values.length;
  const plain =
    date === null || days === null
      ? undated(rows, values.slice(0, end), context)
      : dated(rows, days, values, { ...context, column: date, isAhead });
  const series = isAhead && plain.outcome === 'series' ? withRegressors(plain, regressors, days, context) : plain;
  if (series.outcome !== 'series') return { ...series, columns };
  const unit = numbers.outcome === 'read' && numbers.unit !== null ? { unit: numbers.unit } : {};
  return {
    outcome: 'work',
    work: { ...series.members, ...unit },
    rows: rows.length,
    columns,
    notes: [...notes, ...reader.notes, ...series.notes],
    subject: value.name,
    originOf: (path) => {
      const row = series.rows[Number(/^observations\[(\d+)\]$/.exec(path)?.[1] ?? -1)] ?? null;
      return row === null ? null : { member: 'value', row };
    },
  };
}

/**
 * Returns the column of the dates: the one that was said, parts in columns of their own, the one with a name for dates, or the only one in which
 * all cells are dates. Where several could be it, it returns the question which one is.
 */
function dateColumnOf(table: Table, assigned: Assignment, { dateColumn, map }: IntakeOptions): TableColumn | IntakeChoice | null {
  const named = assigned.get('date') ?? null;
  if (dateColumn !== undefined || Object.values(map ?? {}).includes('date')) return named;
  const first = (fits: (column: TableColumn) => boolean): TableColumn | null => table.columns.find(fits) ?? null;
  const certain = joinedDates(table) ?? named;
  const taken = [...assigned.values()];
  const dates = table.columns.filter((column) => !taken.includes(column) && isOnlyDates(column));
  if (certain === null && dates.length > 1) return dateChoice(dates);
  const found =
    certain ??
    first((column) => isDateColumn(withoutLastName(column), false)) ??
    first((column) => isPeriodColumn(withoutLastName(column)));
  // Periods that are only counted, such as weeks from 1, have no dates.
  return found === named && named !== null && isCount(named) ? null : found;
}

/** Returns whether all cells of a column are dates, and not all of them could be numbers, as years can. */
const isOnlyDates = (column: Column): boolean =>
  isDateColumn(column, false) &&
  column.cells.some(({ cell }) => !isMissing(cell) && (cell.type === 'date' || !isNumberText(textOf(cell))));

const nameOf = ({ name, letter }: TableColumn): string => name || letter;

/** Asks which of several columns has the dates. */
const dateChoice = (columns: readonly TableColumn[]): IntakeChoice => ({
  about: 'column',
  message: `${columns.length} columns have dates: ${namesText(columns.map(nameOf))}. Which are those of the series?`,
  flag: '--date-column NAME',
  readings: columns.map((column) => ({ label: nameOf(column), option: { dateColumn: nameOf(column) } })),
});

/** Returns a column without its last cell where that has no digit, as a total has. */
const withoutLastName = (column: TableColumn): TableColumn =>
  /\d/.test(textOf(column.cells.at(-1)?.cell ?? { type: 'blank' })) ? column : { ...column, cells: column.cells.slice(0, -1) };

/** Returns whether a column has months or days as bare numbers: `202401`, `20240131`. */
const isPeriodColumn = (column: Column): boolean =>
  isDateColumn(column, true) &&
  column.cells.every(({ cell }) => isMissing(cell) || /^\s*(?:19|20)\d{4}(?:\d{2})?\s*$/.test(textOf(cell)));

/** Returns the only column of numbers, or the question which of several it is. */
function valueColumnOf(table: Table, dates: readonly (TableColumn | null | undefined)[], place: Place): TableColumn | Drafted {
  const taken = new Set(dates.flatMap((column) => (column ? [column.letter, ...(column.also ?? [])] : [])));
  const numeric = table.columns.filter(
    (column) => !taken.has(column.letter) && hasNumbers(column) && !isIndex(column) && !isOnlyDates(column),
  );
  const [only, ...others] = numeric;
  if (only !== undefined && others.length === 0) return only;
  if (only === undefined)
    return failed([tableFault(place, `no column has numbers to forecast. ${columnsOfFile(table)}`, '--column NAME')]);
  const message = `${numeric.length} columns have numbers: ${namesText(numeric.map(nameOf))}. Which is the series?`;
  const alone = numeric.map((column) => ({ label: nameOf(column), option: { column: nameOf(column) } }));
  // Where the rows go on after the values, the other columns are known beforehand.
  const beside = numeric.flatMap((column) => {
    const rest = numeric.filter((each) => each !== column);
    if (rowsAhead(column, rest) === 0) return [];
    const label = `${nameOf(column)}, with ${namesText(rest.map(nameOf))} as ${rest.length === 1 ? 'a regressor' : 'regressors'}`;
    const map = Object.fromEntries(rest.map((each) => [nameOf(each), 'regressor']));
    return [{ label, option: { column: nameOf(column), map } }];
  });
  const flag = beside.length === 0 ? '--column NAME' : '--column NAME, and --map "COLUMN=regressor" for what is known beforehand';
  return failed([], [{ about: 'column', message, flag, readings: [...beside, ...alone] }]);
}

/** So many values tell whether a column has numbers. */
const sampled_cells = 500;

/** Returns whether at least half of the first values of a column begin as numbers do. */
function hasNumbers(column: Column): boolean {
  const present = column.cells.filter(({ cell }) => !isMissing(cell)).slice(0, sampled_cells);
  const numbers = present.filter(
    ({ cell }) =>
      cell.type === 'number' ||
      cell.type === 'fault' ||
      (cell.type === 'text' && (typeof numberParts(cell.text) === 'object' || /^[^\p{L}]*\d/u.test(cell.text))),
  );
  return numbers.length > 0 && numbers.length * 2 >= present.length;
}

/** Returns whether a column only counts the rows, as the index that programs write. */
const isIndex = (column: Column): boolean =>
  ['', 'index', 'id', 'no', 'nr', '#', 'row', 'unnamed 0'].includes(fold(column.name)) && isCount(column);

/** Returns whether the cells are whole numbers that follow each other from 0 or 1. */
function isCount({ cells }: Column): boolean {
  const first = Number(textOf(cells[0]?.cell ?? { type: 'blank' }) || NaN);
  return (first === 0 || first === 1) && cells.every(({ cell }, i) => cell.type !== 'blank' && Number(cell.text) === first + i);
}
