/** The work of a forecast from a table: one column of values, and the dates of its rows if it has any. */
import { type Column, type ColumnCell, isMissing, textOf } from '../cells/column.js';
import { type CivilDate, isDateColumn, readDate, readDates } from '../cells/dates.js';
import { fold } from '../cells/fold.js';
import { isNumberText, numberParts, readNumbers } from '../cells/numbers.js';
import type { IntakeChoice, IntakeFault, IntakeOptions } from '../../codec/api-intake.js';
import { assign, type Assignment, columnNamed, columnsOfFile, isLeftOut, regressor_prefix } from './columns.js';
import { columnFault, columnText, missingFault, namesText, type Place, tableFault } from './faults.js';
import { dated, joinedByDate, type Series, type SeriesContext, undated } from './observations.js';
import { TableReader } from './reader.js';
import type { Table, TableColumn } from './table.js';
import { saysTotal, withoutTotal } from './total.js';
import { type Columns, type WorkDraft, failed } from './work.js';
import { namedReadings } from './where.js';
import { horizon_max } from '../../base/limits.js';
import { instantText } from './series.js';
import type { Cell } from '../types.js';

/** Returns the work of a forecast, questions, or what is wrong. */
export function forecastFrom(whole: Table, place: Place, options: IntakeOptions): WorkDraft {
  const assigned = assign('forecast', whole, place, options);
  if ('message' in assigned) return failed([assigned]);
  const unused = Object.entries(options.map ?? {}).flatMap(([name, to]) => (isLeftOut(to) ? [columnNamed(whole, name)] : []));
  const table = { ...whole, columns: whole.columns.filter((column) => !unused.includes(column)) };
  const dateColumn = dateColumnOf(table, assigned, options);
  if (dateColumn !== null && 'readings' in dateColumn) return failed([], [dateColumn]);
  const known = [...assigned].filter(([member]) => member.startsWith(regressor_prefix));
  const taken = [dateColumn, assigned.get('date'), ...known.map(([, column]) => column), ...unused];
  const valueColumn = assigned.get('value') ?? valueColumnOf(whole, taken, place);
  const dates: Columns = new Map(dateColumn === null ? [] : [['date', dateColumn]]);
  if (!('cells' in valueColumn)) return { ...valueColumn, columns: dates };
  const found = new Map([...dates, ['value', valueColumn] as const, ...known]);
  const { columns, notes } = withoutTotal(found, 'value', ['date'], (column) => readNumbers(column, options));
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
  if (series.outcome === 'choice_needed')
    return { ...series, choices: withNames(series.choices, whole, [...columns.values(), ...unused]), columns };
  if (series.outcome !== 'series') return { ...series, columns };
  const unit = numbers.outcome === 'read' && numbers.unit !== null ? { unit: numbers.unit } : {};
  return {
    outcome: 'work',
    work: { ...series.members, ...unit },
    rows: rows.length,
    columns,
    notes: [...(date?.note === undefined ? [] : [date.note]), ...notes, ...reader.notes, ...series.notes],
    subject: [value.name, ...Object.values(options.where ?? {}).map((text) => `(${text})`)].join(' '),
    originOf: (path) => {
      const row = series.rows[Number(/^observations\[(\d+)\]$/.exec(path)?.[1] ?? -1)] ?? null;
      return row === null ? null : { member: 'value', row };
    },
  };
}

/** Adds to the question what several rows of a date mean that only some of them may count. */
function withNames(choices: readonly IntakeChoice[], table: Table, used: readonly (TableColumn | null)[]): IntakeChoice[] {
  const named = namedReadings(table, used);
  const flag = '--sum, --mean or --where COLUMN=TEXT';
  return choices.map((choice) =>
    choice.about === 'duplicates' && named.length > 0 ? { ...choice, flag, readings: [...choice.readings, ...named] } : choice,
  );
}

/**
 * Returns the column of the dates: the one that was said, parts in columns of their own, the one with a name for dates, or the only one in which
 * all cells are dates. Where several could be it, it returns the question which one is.
 */
function dateColumnOf(table: Table, assigned: Assignment, { dateColumn, map }: IntakeOptions): TableColumn | IntakeChoice | null {
  const named = assigned.get('date') ?? null;
  if (dateColumn !== undefined || Object.values(map ?? {}).includes('date')) return named;
  const first = (fits: (column: TableColumn) => boolean): TableColumn | null => table.columns.find(fits) ?? null;
  const certain = joinedDates(table.columns.filter((column) => column !== assigned.get('value'))) ?? named;
  const taken = [...assigned.values()];
  const dates = table.columns.filter((column) => !taken.includes(column) && isOnlyDates(column));
  if (certain === null && dates.length > 1) return dateChoice(dates);
  const found =
    certain ??
    first((column) => isDateColumn(withoutNames(column), false)) ??
    first((column) => isPeriodColumn(withoutNames(column)));
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

const hasDigit = ({ cell }: ColumnCell): boolean => /\d/.test(textOf(cell));

/** Returns a column without names of totals, and without its last cells where they have no digit. */
const withoutNames = (column: TableColumn): TableColumn => {
  const cells = column.cells.filter(({ cell }) => !saysTotal(textOf(cell)));
  return { ...column, cells: cells.slice(0, cells.findLastIndex(hasDigit) + 1) };
};

/** Returns whether a column has months or days as bare numbers: `202401`, `20240131`. */
const isPeriodColumn = (column: Column): boolean =>
  isDateColumn(column, true) &&
  column.cells.every(({ cell }) => isMissing(cell) || /^\s*(?:19|20)\d{4}(?:\d{2})?\s*$/.test(textOf(cell)));

/** Returns the only column of numbers, or the question which of several it is. */
function valueColumnOf(table: Table, dates: readonly (TableColumn | null | undefined)[], place: Place): TableColumn | WorkDraft {
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

// Columns that are known beforehand, such as promotions: a value for each step of a series, and for the steps ahead, whose rows have no value yet.

type FoundSeries = Extract<Series, { readonly outcome: 'series' }>;

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
  regressors: readonly { readonly column: TableColumn; readonly values: readonly (number | null)[] }[],
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
  const faults = found.flatMap((each) => lacking(each, series, context.place));
  if (faults.length > 0) return failed(faults);
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
function lacking({ column, at }: Steps, { rows, at: whenIs }: FoundSeries, place: Place): IntakeFault[] {
  const fault = (text: string): IntakeFault => tableFault(place, `${columnText(column)} ${text}`);
  const step = [...rows, null].findIndex((_, i) => at(i) === null);
  if (step === rows.length)
    return [
      fault(
        'ends with the series: the values of a regressor have to be known for the steps ahead. Add a row for each of them, with the value of the series left blank.',
      ),
    ];
  if (step < 0) return [];
  const advice = 'A regressor has one for every step, 0 where nothing happened.';
  const row = column.cells[step]?.row;
  if (whenIs === undefined && row !== undefined) return [columnFault(place, column, { ...missingFault([row]), advice })];
  return [fault(`has no value ${whenIs === undefined ? '' : `for ${instantText(whenIs(step))}`}. ${advice}`)];
}

// Dates whose year, month, day, quarter, week or time of day are columns of their own.

const names = {
  year: ['year', 'yr', 'yyyy', 'annee', 'an', 'exercice', 'jahr', 'geschaftsjahr'],
  month: ['month', 'mm', 'mois', 'monat'],
  day: ['day', 'dd', 'day of month', 'jour', 'tag'],
  quarter: ['quarter', 'qtr', 'trimestre', 'quartal'],
  week: ['week', 'wk', 'week no', 'iso week', 'semaine', 'woche', 'kw', 'kalenderwoche'],
} as const;

type Part = keyof typeof names;

/** Returns one column of the dates that a year and its parts give in most rows; null where the table has none. */
function joinedDates(columns: readonly TableColumn[]): TableColumn | null {
  const named = (part: Part): TableColumn | undefined =>
    columns.find(({ name }) => names[part].some((each) => each === fold(name)));
  const unit = (['month', 'quarter', 'week'] as const).find((part) => named(part) !== undefined);
  const year = named('year');
  if (unit === undefined || year === undefined) return joinedTimes(columns);
  const parts = [year, named(unit), unit === 'month' ? named('day') : undefined].filter((part) => part !== undefined);
  const cells = year.cells.map(({ row }, i) => {
    const texts = parts.map((part) => textOf(part.cells[i]?.cell ?? { type: 'blank' }).trim());
    return { row, cell: cellOf(texts, unit) };
  });
  const wrong = cells.filter(({ cell }) => cell.type === 'text' && readDate(cell.text) === null);
  if (wrong.length * 2 > cells.length) return null;
  const also = parts.slice(1).map(({ letter }) => letter);
  return { name: parts.map(({ name }) => name).join(' and '), letter: year.letter, also, cells };
}

/** Returns the text of a day, which a workbook may write with midnight. */
export const dayOf = (cell: Cell): string =>
  textOf(cell)
    .trim()
    .replace(/T00:00:00$/, '');

const hourNames = ['hour', 'hr', 'hour ending', 'he', 'heure', 'heures', 'heure de la journee', 'stunde'];
const timeNames = [...hourNames, 'time', 'time of day', 'uhrzeit', 'zeit'];

/** The share of the rows that have a time. A column with fewer times means something else. */
const times_share_min = 0.95;

/** Returns one column of the days of a column and the times of day, or whole hours, of another; null where the table has none. */
function joinedTimes(columns: readonly TableColumn[]): TableColumn | null {
  const time = columns.find(({ name }) => timeNames.includes(fold(name)));
  const day = columns.find((column) => column !== time && isOnlyDates(withoutNames(column)));
  if (time === undefined || day === undefined) return null;
  const filled = day.cells.flatMap(({ cell }) => (isMissing(cell) ? [] : [textOf(cell)]));
  // A day that is there once may have a duration beside it.
  if (new Set(filled).size === filled.length) return null;
  const isHours = hourNames.includes(fold(time.name));
  const clocks = day.cells.map((_, i) => textOf(time.cells[i]?.cell ?? { type: 'blank' }).trim());
  const fromOne = isHours ? hoursFromOne(clocks) : null;
  const cells = day.cells.map((entry, i): ColumnCell => {
    const [date, clock = ''] = [dayOf(entry.cell), (fromOne ?? clocks)[i]];
    if (!hasDigit(entry)) return entry;
    return { ...entry, cell: { type: 'text', text: `${date} ${clock}${isHours && /^\d{1,2}$/.test(clock) ? ':00' : ''}` } };
  });
  const minutes = cells.filter(hasDigit).map(({ cell }) => minutesOf(textOf(cell)));
  // A time that no clock shows, such as the 25th hour of a day, is a fault of its row.
  const times = minutes.filter((each) => !Number.isNaN(each));
  if (times.length < minutes.length * times_share_min) return null;
  const note = fromOne === null ? {} : { note: hours_from_one };
  const column = { name: `${day.name} and ${time.name}`, letter: day.letter, also: [time.letter], cells, ...note };
  return isRegular([...new Set(times)].toSorted((a, b) => a - b)) ? column : null;
}

export const hours_from_one = 'Hours from 1 to 24 were taken as those that end then: hour 1 begins at 00:00.';

/** Returns hours that are counted from 1 to 24, as energy markets do, by their beginning; null for others. Other texts stay. */
export function hoursFromOne(texts: readonly string[]): readonly string[] | null {
  if (!texts.includes('24') || texts.some((text) => /^00?$/.test(text))) return null;
  return texts.map((text) => (/^(?:0?[1-9]|1\d|2[0-4])$/.test(text) ? String(Number(text) - 1) : text));
}

const day_minutes = 1_440;

/** Returns the minutes since midnight of a date with its time; NaN for another text. */
function minutesOf(text: string): number {
  const { dmy, mdy } = readDate(text) ?? {};
  const [hours = NaN, minutes = NaN] = ((dmy ?? mdy)?.time ?? '').split(':').map(Number);
  return hours * 60 + minutes;
}

/** Returns whether times fill more than half of a day in equal steps, as those of meters do: sales and meals have other times. */
function isRegular(times: readonly number[]): boolean {
  const steps = times.map((each, i) => (times[i + 1] ?? (times[0] ?? 0) + day_minutes) - each);
  const step = Math.min(...steps);
  return times.length > 1 && steps.every((each) => each % step === 0) && times.length * step > day_minutes / 2;
}

const week_forms = [/^(?<week>\d{1,2})[/.-](?<year>\d{4})$/, /^(?<year>\d{4})[/.-]?(?<week>\d{2})$/];

/** Returns a column whose name says weeks with `7/2026` and `202607` as weeks: under any other name they are months. */
export function weeksIn(column: TableColumn): TableColumn {
  if (!names.week.some((each) => each === fold(column.name))) return column;
  const weekOf = (cell: Cell): Cell => {
    const text = textOf(cell).trim();
    const { week = '', year = '' } = week_forms.map((form) => form.exec(text)?.groups).find((found) => found !== undefined) ?? {};
    const date = `${year}-W${week.padStart(2, '0')}`;
    return week === '' || readDate(date) === null ? cell : { type: 'text', text: date };
  };
  return { ...column, cells: column.cells.map(({ row, cell }) => ({ row, cell: weekOf(cell) })) };
}

/** Returns the date of a row as a cell. */
function cellOf([year = '', part = '', day = '']: readonly string[], unit: Part): Cell {
  if (year === '' && part === '') return { type: 'blank' };
  const text = (date: string): Cell => ({ type: 'text', text: date });
  const number = /^\D{0,10}(?<number>\d{1,2})$/.exec(part)?.groups?.['number'];
  if (unit === 'quarter') return text(`Q${number ?? part} ${year}`);
  if (unit === 'week') return text(`${year}-W${(number ?? part).padStart(2, '0')}`);
  if (number === undefined) return text(`${day} ${part} ${year}`.trim());
  return text(day === '' ? `${year}-${number}` : `${year}-${number}-${day}`);
}
