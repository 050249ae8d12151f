/** Dates of a column. The order of day and month is decided by the whole column, or asked. */
import { FaultList, isMissing, textOf, type Column, type ColumnCell, type ColumnReading } from './column.js';
import { civilText, isCompactDate, readDate, type CivilDate, type DateForms } from './dates.js';

type Order = 'dmy' | 'mdy';

interface DateCell {
  readonly entry: ColumnCell;
  readonly at: number;
  readonly forms: DateForms;
}

const advice = 'Write dates such as 2024-01-31, 31.01.2024 or Jan 2024.';

/** Reads a column of dates. */
export function readDates(column: Column, { dateOrder }: { readonly dateOrder?: Order | undefined }): ColumnReading<CivilDate> {
  const list = new FaultList();
  const cells: DateCell[] = [];
  column.cells.forEach((entry, at) => {
    if (isMissing(entry.cell) || list.addFaultCell(entry)) return;
    const forms = readDate(textOf(entry.cell));
    if (forms !== null) cells.push({ entry, at, forms });
    else
      list.add(
        entry,
        /^\D*$/.test(textOf(entry.cell)) ? 'text, not a date' : 'dates that cannot be read or do not exist',
        advice,
      );
  });
  const order = orderOf(cells, dateOrder);
  if (order === null) {
    // Neither order fits: the cells that the more frequent one does not read are listed.
    const [dmy, mdy] = [cells.filter(({ forms }) => forms.dmy === null), cells.filter(({ forms }) => forms.mdy === null)];
    for (const { entry } of dmy.length <= mdy.length ? dmy : mdy)
      list.add(entry, 'dates with day and month in another order', advice);
  }
  if (list.faults.length > 0) return { outcome: 'faulty', faults: list.faults };
  if (order !== null && typeof order !== 'string') return ambiguity(order);
  const values: (CivilDate | null)[] = column.cells.map(() => null);
  for (const { at, forms } of cells) values[at] = forms[order ?? 'dmy'];
  return { outcome: 'read', values, unit: null, notes: [] };
}

/** Returns the order that fits every cell, the first cell in which two that fit differ, or null where none fits. */
function orderOf(cells: readonly DateCell[], given: Order | undefined): Order | DateCell | null {
  const fits = (order: Order): boolean => cells.every(({ forms }) => forms[order] !== null);
  const [dmy, mdy] = [fits('dmy'), fits('mdy')];
  if (!dmy && !mdy) return null;
  if (!dmy || !mdy) return dmy ? 'dmy' : 'mdy';
  const differs = ({ forms }: DateCell): boolean =>
    forms.dmy !== null && forms.mdy !== null && civilText(forms.dmy) !== civilText(forms.mdy);
  return given ?? cells.find(differs) ?? 'dmy';
}

function ambiguity({ entry, forms }: DateCell): ColumnReading<CivilDate> {
  const text = textOf(entry.cell).trim();
  const reading = (dateOrder: Order, words: string) => {
    const date = forms[dateOrder];
    return { label: `Read ${text} as ${date === null ? '' : civilText(date)} (${words})`, option: { dateOrder } };
  };
  const readings = [reading('dmy', 'day first'), reading('mdy', 'month first')];
  return { outcome: 'choice', choice: { about: 'date', cell: text, row: entry.row, readings } };
}

/** Returns whether every value of a column is a date. Bare numbers such as 2024 count only where `compact` is true. */
export function isDateColumn(column: Column, compact: boolean): boolean {
  const present = column.cells.filter(({ cell }) => !isMissing(cell));
  return (
    present.length > 0 &&
    present.every(
      ({ cell }) =>
        cell.type === 'date' || (cell.type === 'text' && (compact || !isCompactDate(cell.text)) && readDate(cell.text) !== null),
    )
  );
}
