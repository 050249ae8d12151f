/** Dates whose year, month, day, quarter or week are columns of their own. */
import { textOf } from '../cells/column.js';
import { readDate } from '../cells/dates.js';
import { fold } from '../cells/fold.js';
import type { Cell } from '../types.js';
import type { Table, TableColumn } from './table.js';

const names = {
  year: ['year', 'yr', 'yyyy', 'annee', 'an', 'exercice', 'jahr', 'geschaftsjahr'],
  month: ['month', 'mm', 'mois', 'monat'],
  day: ['day', 'dd', 'day of month', 'jour', 'tag'],
  quarter: ['quarter', 'qtr', 'trimestre', 'quartal'],
  week: ['week', 'wk', 'week no', 'iso week', 'semaine', 'woche', 'kw', 'kalenderwoche'],
} as const;

type Part = keyof typeof names;

/** Returns one column of the dates that a year and its parts give in most rows; null where the table has none. */
export function joinedDates(table: Table): TableColumn | null {
  const named = (part: Part): TableColumn | undefined =>
    table.columns.find(({ name }) => names[part].some((each) => each === fold(name)));
  const unit = (['month', 'quarter', 'week'] as const).find((part) => named(part) !== undefined);
  const year = named('year');
  if (unit === undefined || year === undefined) return null;
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
