/** A series from a table of values, or of dates and values. */
import { dateOfStep, type DateStep, type DateUnit, parseMoment } from '../../../../kinds/forecast/calendar.js';
import { type SheetFault, type SheetRow, sheetRows, type SheetWords } from '../../../kit/forms/sheet.js';
import { numberOf } from '../../../kit/forms/values.js';

export interface SeriesWords {
  readonly date: string;
  readonly value: string;
  readonly notNumber: string;
  readonly notDate: string;
  /** Says which date the row would have if it followed the rows before. */
  readonly irregular: (expected: string) => string;
}

export interface SheetSeries {
  readonly values: readonly string[];
  /** Null for a table without dates. */
  readonly dates: { readonly start: string; readonly step: DateStep } | null;
}

const single: readonly DateUnit[] = ['year', 'quarter', 'month', 'week', 'day', 'hour'];
const multiple: readonly DateUnit[] = ['year', 'month', 'day', 'hour'];
const counts_max = 1_000;

/** Returns the step from one date to the next: the largest unit that fits once, or several of the smallest number; null where none does. */
export function stepBetween(first: string, second: string): DateStep | null {
  const leads = (step: DateStep): boolean => dateOfStep(first, step, 1) === second;
  for (const unit of single) if (leads({ unit, count: 1 })) return { unit, count: 1 };
  for (const unit of multiple)
    for (let count = 2; count <= counts_max; count++) if (leads({ unit, count })) return { unit, count };
  return null;
}

type Reading = { readonly series: SheetSeries } | { readonly faults: readonly SheetFault[] };

/** Reads a series. A first row whose value is not a number is the header. */
export function readSeries(text: string, words: SheetWords, own: SeriesWords): Reading {
  const rows = sheetRows(text);
  const whole = (message: string): Reading => ({ faults: [{ row: null, column: null, message }] });
  if (rows === null) return whole(words.quote);
  const width = Math.max(1, ...rows.map(({ cells }) => lengthOf(cells)));
  const isNumber = (cell: string): boolean => typeof numberOf(cell) === 'number';
  const valueOf = ({ cells }: SheetRow): string => cells[Math.min(width, 2) - 1] ?? '';
  const body = rows[0] !== undefined && !isNumber(valueOf(rows[0])) ? rows.slice(1) : rows;
  if (body.length === 0) return whole(words.blank);
  const faults = body.flatMap((row): SheetFault[] => {
    const value = valueOf(row);
    const at = (column: string | null, message: string): SheetFault => ({ row: row.number, column, message });
    return [
      ...(lengthOf(row.cells) > 2 ? [at(null, words.extra(2))] : []),
      ...(width > 1 && parseMoment(row.cells[0] ?? '') === null ? [at(own.date, own.notDate)] : []),
      ...(value === '' ? [at(own.value, words.required)] : isNumber(value) ? [] : [at(own.value, own.notNumber)]),
    ];
  });
  if (faults.length > 0) return { faults };
  const values = body.map(valueOf);
  return width === 1 ? { series: { values, dates: null } } : dated(body, values, own);
}

/** The number of cells up to the last one that is not blank. */
const lengthOf = (cells: readonly string[]): number => cells.findLastIndex((cell) => cell !== '') + 1;

function dated(body: readonly SheetRow[], values: readonly string[], own: SeriesWords): Reading {
  const dates = body.map(({ cells }) => cells[0] ?? '');
  const [start = '', second] = dates;
  const step = second === undefined ? null : stepBetween(start, second);
  const at = (i: number, message: string): Reading => ({ faults: [{ row: body[i]?.number ?? null, column: own.date, message }] });
  if (step === null) return second === undefined ? { series: { values, dates: null } } : at(1, own.notDate);
  const odd = dates.findIndex((date, i) => dateOfStep(start, step, i) !== date);
  if (odd >= 0) return at(odd, own.irregular(dateOfStep(start, step, odd) ?? ''));
  return { series: { values, dates: { start, step } } };
}
