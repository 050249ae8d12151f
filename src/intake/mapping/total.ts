/** Totals that spreadsheets write below a table and between its rows: a row that says so, or a last one without a name, whose value is the sum of those above. */
import { type Column, type ColumnReading, textOf } from '../cells/column.js';
import { fold } from '../cells/fold.js';
import { columnText, rowsText } from './faults.js';
import type { TableColumn } from './table.js';
import type { Columns } from './work.js';

const totals = new Set('total|totals|grand total|sum|totaux|somme|total general|summe|gesamt|gesamtsumme|insgesamt'.split('|'));

/** Returns whether a row has the name of a total, or of a part of one. */
export const isTotalName = (text: string): boolean =>
  totals.has(fold(text)) || /^(?:gesamtergebnis|sub ?total|zwischensumme|teilsumme|sous total)(?: |$)/.test(fold(text));

const totalWord = new RegExp(`(?:^| )(?:${[...totals].join('|')}|subtotal|zwischensumme|teilsumme)(?: |$)`);

/** Returns whether a name has a word of totals, such as "Total 2024": a row is a subtotal if it is also the sum of those since the one before. */
export const saysTotal = (text: string): boolean => /tot|som|sum|gesamt/i.test(text) && totalWord.test(fold(text));

/** What a last row has beside or in place of a total. */
const statistics = new Set(
  'average|mean|median|minimum|maximum|min|max|count|moyenne|mediane|durchschnitt|mittelwert|anzahl'.split('|'),
);

type Read = (column: Column) => ColumnReading<number>;

/** Returns the columns without totals below or between their rows, and notes of these. @param named the members whose cells may say so */
export function withoutTotal(
  all: Columns,
  member: string,
  named: readonly string[],
  read: Read,
): { readonly columns: Columns; readonly notes: readonly string[] } {
  const { columns, notes } = withoutSubtotals(all, member, named, read);
  const values = columns.get(member);
  const last = values?.cells.at(-1);
  if (values === undefined || last === undefined || values.cells.length === 1) return { columns, notes };
  const names = named.map((name) => fold(textAt(columns.get(name), -1)));
  const cut = new Map([...columns].map(([name, column]) => [name, { ...column, cells: column.cells.slice(0, -1) }] as const));
  if (columns.has('date') && names.some((name) => statistics.has(name))) {
    const above = withoutTotal(cut, member, named, read);
    return { ...above, notes: [...notes, ...above.notes, `Row ${last.row} is no row of data and was left out.`] };
  }
  const says = names.some((name) => totals.has(name)) || names.every((name) => name === '');
  if (!says || !isTotal(values, read)) return { columns, notes };
  return { columns: cut, notes: [...notes, `Row ${last.row} is the total of ${columnText(values)} and was left out.`] };
}

function withoutSubtotals(columns: Columns, member: string, named: readonly string[], read: Read) {
  const values = columns.get(member);
  const reading = values === undefined ? null : read(values);
  if (values === undefined || reading?.outcome !== 'read') return { columns, notes: [] };
  let [sum, count] = [0, 0];
  const isPart = reading.values.map((given, i) => {
    const value = given ?? 0;
    const says = named.some((name) => saysTotal(textAt(columns.get(name), i)));
    const isSum = says && count > 1 && isNear(sum, value);
    [sum, count] = isSum ? [0, 0] : [sum + value, count + 1];
    return isSum;
  });
  const rows = values.cells.flatMap(({ row }, i) => (isPart[i] === true ? [row] : []));
  // A single one below all rows is their total.
  if (rows.length === 0 || isPart.indexOf(true) === isPart.length - 1) return { columns, notes: [] };
  const kept = [...columns].map(
    ([name, column]) => [name, { ...column, cells: column.cells.filter((_, i) => isPart[i] !== true) }] as const,
  );
  const note = `${rowsText(rows)} ${rows.length === 1 ? 'is a subtotal' : 'are subtotals'} of ${columnText(values)} and left out.`;
  return { columns: new Map(kept), notes: [note.replace('r', 'R')] };
}

function textAt(column: TableColumn | undefined, i: number): string {
  const cell = column?.cells.at(i)?.cell;
  return cell === undefined ? '' : textOf(cell);
}

/** Returns whether the last number is the sum of the others. A column that leaves a question open is a sum in one of its readings. */
function isTotal(values: TableColumn, read: Read): boolean {
  const reading = read(values);
  if (reading.outcome !== 'read') return reading.outcome === 'choice';
  const numbers = reading.values.map((value) => value ?? 0);
  const total = numbers.pop() ?? 0;
  return isNear(
    numbers.reduce((sum, value) => sum + value, 0),
    total,
  );
}

const isNear = (sum: number, total: number): boolean => Math.abs(sum - total) <= 1e-6 * Math.max(1, Math.abs(total));
