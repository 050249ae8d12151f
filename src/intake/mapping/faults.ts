/** Faults and questions of a table in words that planners and grants officers read: column, rows, first cell, and what to do. */
import { shorten } from '../../base/text.js';
import type { CellFault, Column, ColumnChoice } from '../cells/column.js';
import type { IntakeChoice, IntakeFault } from '../../codec/api-intake.js';

const shown_rows = 3;
/** Characters of a cell that a fault or a preview has. */
export const cell_chars_max = 200;
const quoted_chars_max = 100;
const name_chars_max = 60;
const shown_names = 30;

/** A part of a table as a message names it, and what every fault of it has. */
export interface Place {
  readonly file: string;
  readonly sheet: string | null;
  /** What to try where it does not fit, such as another sheet. */
  readonly hint?: string;
}

/** Returns rows as a message lists them: `row 7`, `rows 7, 13 and 15`, `rows 2, 3, 4 and 11 more`. */
export function rowsText(rows: readonly number[]): string {
  const shown = rows.slice(0, shown_rows).map(String);
  if (rows.length === 1) return `row ${shown[0]}`;
  const more = rows.length > shown.length ? `${rows.length - shown.length} more` : shown.pop();
  return `rows ${shown.join(', ')} and ${more}`;
}

const quoted = (text: string, max: number): string =>
  `"${shorten(
    text
      .slice(0, max * 2)
      .replace(/\s+/gu, ' ')
      .trim(),
    max,
  )}"`;
const quotedName = (name: string): string => quoted(name, name_chars_max);

/** Returns names as a message lists them. */
export const namesText = (names: readonly string[]): string =>
  names.slice(0, shown_names).map(quotedName).join(', ') +
  (names.length > shown_names ? ` and ${names.length - shown_names} more` : '');

/** Returns what a message calls a column: its name, or its letter where it has none. */
export const columnText = ({ name, letter }: { readonly name: string; readonly letter: string }): string =>
  name === '' ? `column ${letter} (without a name)` : `column ${quotedName(name)}`;

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Returns the first rows of a fault, and how many it has. */
export const rowsOf = (rows: readonly number[]) => ({ rows: rows.slice(0, shown_rows), count: rows.length });

/** Returns the fault of a whole table or file. */
export const tableFault = ({ file, sheet, hint: elsewhere }: Place, message: string, hint = elsewhere): IntakeFault => ({
  file,
  ...(sheet === null ? {} : { sheet }),
  rows: [],
  count: 0,
  message: sheet === null ? capital(message) : `Sheet ${quotedName(sheet)}: ${message}`,
  ...(hint === undefined ? {} : { hint: elsewhere === undefined || hint === elsewhere ? hint : `${elsewhere}, or ${hint}` }),
});

export function columnFault(place: Place, column: Column & { readonly letter: string }, fault: CellFault): IntakeFault {
  const { cause, advice, hint, rows, cell } = fault;
  const count = `${rows.length === 1 ? 'in' : `in ${rows.length} cells,`} ${rowsText(rows)}`;
  const first = cell === null ? '' : `${rows.length === 1 ? ': ' : '; the first is '}${quoted(cell, quoted_chars_max)}`;
  const where = place.sheet === null ? capital(columnText(column)) : `Sheet ${quotedName(place.sheet)}, ${columnText(column)}`;
  return {
    file: place.file,
    ...(place.sheet === null ? {} : { sheet: place.sheet }),
    column: column.name,
    ...rowsOf(rows),
    ...(cell === null ? {} : { cell: shorten(cell, cell_chars_max) }),
    message: `${where} has ${cause} ${count}${first}. ${advice}`,
    ...(hint === undefined ? {} : { hint }),
  };
}

const flags = {
  decimal: '--decimal . or --decimal ,',
  date: '--date-order dmy or --date-order mdy',
  risk: '--scale',
  unit: '--scale d=24',
} as const;
const questions = {
  decimal: 'numbers that can be read in two ways',
  date: 'dates that can be read with the day or the month first',
  risk: 'words in place of numbers',
  unit: 'times in days, and the calendar has days of work',
} as const;

/** Returns the question that a column leaves open. */
export const columnChoice = (
  column: Column & { readonly letter: string },
  { about, cell, row, readings }: ColumnChoice,
): IntakeChoice => ({
  about,
  message: `${capital(columnText(column))} has ${questions[about]}. The first is ${quoted(cell, quoted_chars_max)} (row ${row}).`,
  flag: flags[about],
  readings,
});

/** Returns the fault of rows in which a needed cell is missing. */
export const missingFault = (rows: readonly number[]): CellFault => ({
  cause: 'no value',
  advice: 'Fill in these cells, or take the rows out.',
  rows,
  cell: null,
});

export const placeOf = (file: string, { sheet }: { readonly sheet: string | null }): Place => ({ file, sheet });
