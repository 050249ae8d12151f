/** Series that run across a table: dates in its first row, or a row for each year with a column for each month, or the other way round. */
import { isMissing, textOf, type ColumnCell } from '../cells/column.js';
import { monthNamed, readDate } from '../cells/dates.js';
import { numberParts } from '../cells/numbers.js';
import type { Cell } from '../types.js';
import type { Table, TableColumn } from './table.js';

const dates_min = 3;
const values_min = 6;
const blank: Cell = { type: 'blank' };

/** Returns the table with a row for each date. */
export function upright(table: Table): Table {
  const turnedTable = fromFirstRow(table) ?? table;
  return fromYears(turnedTable) ?? turnedTable;
}

/** Turns a table whose first row has dates, or that is one row of numbers. */
function fromFirstRow(table: Table): Table | null {
  const [names, ...dated] = table.columns;
  if (table.hasHeader || names === undefined) return null;
  const first = ({ cells }: TableColumn): Cell => cells[0]?.cell ?? blank;
  const [, ...below] = names.cells.map(({ cell }) => monthNamed(textOf(cell)));
  const isMonths = below.filter((month) => month !== null).length === 12;
  const isDated = (isMonths || dated.length >= dates_min) && dated.every((column) => readDate(textOf(first(column))) !== null);
  const isRow =
    table.rows.length === 1 && table.columns.length >= values_min && table.columns.every((column) => isNumber(first(column)));
  if (!isDated && !isRow) return null;
  const nameOf = (i: number): string => (isRow ? 'Values' : i === 0 ? 'Date' : textOf(names.cells[i]?.cell ?? blank).trim());
  const columns = table.rows.map((row, i): TableColumn => {
    const cells = (isRow ? table.columns : dated).map((column) => ({ row, cell: column.cells[i]?.cell ?? blank }));
    return { name: nameOf(i), letter: `row ${row}`, cells };
  });
  return turned(table, columns, 'The series runs across the columns; the table was turned.');
}

const isNumber = (cell: Cell): boolean =>
  cell.type === 'number' || (cell.type === 'text' && typeof numberParts(cell.text) === 'object');

/** Puts the twelve months of each year below each other. */
function fromYears(table: Table): Table | null {
  const [years, ...others] = table.columns;
  const months = others.map((column) => ({ column, month: monthNamed(column.name) })).filter(({ month }) => month !== null);
  const isYear = ({ cell }: ColumnCell): boolean => /^(?:19|20)\d\d$/.test(textOf(cell).trim());
  const isWhole = months.length === 12 && new Set(months.map(({ month }) => month)).size === 12;
  if (years === undefined || !isWhole || !years.cells.every(isYear)) return null;
  const all = years.cells.flatMap(({ row, cell }, i) =>
    months.map(({ column, month }) => {
      const value = column.cells[i];
      return { row: value?.row ?? row, date: `${textOf(cell).trim()}-${month}`, value: value?.cell ?? blank };
    }),
  );
  // The year that goes on has no values yet for its last months.
  while (isMissing(all.at(-1)?.value ?? { type: 'text', text: '0' })) all.pop();
  const dates = all.map(({ row, date }): ColumnCell => ({ row, cell: { type: 'text', text: date } }));
  const values = all.map(({ row, value }): ColumnCell => ({ row, cell: value }));
  const columns = [
    { name: 'Month', letter: years.letter, cells: dates },
    { name: 'Value', letter: 'B', cells: values },
  ];
  return turned(table, columns, 'The months of each year were put below each other.');
}

function turned(table: Table, columns: readonly TableColumn[], note: string): Table {
  const rows = (columns[0]?.cells ?? []).map((_, i) => i + 1);
  return {
    ...table,
    hasHeader: true,
    columns,
    rows,
    notes: [...table.notes.filter((text) => !text.includes('no header')), note],
  };
}
