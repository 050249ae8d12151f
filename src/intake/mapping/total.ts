/** The total that spreadsheets write below a table: a last row that says so or has no name, and whose value is the sum of those above. */
import { type Column, type ColumnReading, textOf } from '../cells/column.js';
import { fold } from '../cells/fold.js';
import { columnText } from './faults.js';
import type { TableColumn } from './table.js';
import type { Columns } from './work.js';

const totals = new Set('total|totals|grand total|sum|totaux|somme|total general|summe|gesamt|gesamtsumme|insgesamt'.split('|'));

/** Returns whether a row has the name of a total, or of a part of one. */
export const isTotalName = (text: string): boolean =>
  totals.has(fold(text)) || /^(?:gesamtergebnis|sub ?total|zwischensumme|teilsumme|sous total)(?: |$)/.test(fold(text));

/** What a last row has beside or in place of a total. */
const statistics = new Set(
  'average|mean|median|minimum|maximum|min|max|count|moyenne|mediane|durchschnitt|mittelwert|anzahl'.split('|'),
);

type Read = (column: Column) => ColumnReading<number>;

/** Returns the columns without a total below them, and a note of it. @param named the members whose last cell may say so */
export function withoutTotal(
  columns: Columns,
  member: string,
  named: readonly string[],
  read: Read,
): { readonly columns: Columns; readonly notes: readonly string[] } {
  const values = columns.get(member);
  const last = values?.cells.at(-1);
  if (values === undefined || last === undefined || values.cells.length === 1) return { columns, notes: [] };
  const names = named.map((name) => fold(lastText(columns.get(name))));
  const cut = new Map([...columns].map(([name, column]) => [name, { ...column, cells: column.cells.slice(0, -1) }] as const));
  if (columns.has('date') && names.some((name) => statistics.has(name))) {
    const above = withoutTotal(cut, member, named, read);
    return { ...above, notes: [...above.notes, `Row ${last.row} is no row of data and was left out.`] };
  }
  const says = names.some((name) => totals.has(name)) || names.every((name) => name === '');
  if (!says || !isTotal(values, read)) return { columns, notes: [] };
  return { columns: cut, notes: [`Row ${last.row} is the total of ${columnText(values)} and was left out.`] };
}

function lastText(column: TableColumn | undefined): string {
  const cell = column?.cells.at(-1)?.cell;
  return cell === undefined ? '' : textOf(cell);
}

/** Returns whether the last number is the sum of the others. A column that leaves a question open is a sum in one of its readings. */
function isTotal(values: TableColumn, read: Read): boolean {
  const reading = read(values);
  if (reading.outcome !== 'read') return reading.outcome === 'choice';
  const numbers = reading.values.map((value) => value ?? 0);
  const total = numbers.pop() ?? 0;
  const sum = numbers.reduce((all, value) => all + value, 0);
  return Math.abs(sum - total) <= 1e-6 * Math.max(1, Math.abs(total));
}
