/** Tables pasted from a spreadsheet: tabs between columns, or CSV with commas or semicolons (RFC 4180). */
import * as E from 'fp-ts/lib/Either.js';
import type { Fields } from '../../../codec/field.js';
import { decode } from '../../../codec/kit.js';
import { memberValues } from './values.js';

export interface SheetRow {
  /** Counted from 1 as the spreadsheet counts, blank rows and the head included. */
  readonly number: number;
  readonly cells: readonly string[];
}

export interface SheetFault {
  /** Null for a fault of the whole table. */
  readonly row: number | null;
  readonly column: string | null;
  readonly message: string;
}

export interface SheetColumn {
  readonly name: string;
  /** As the form names it; the head of the table may use it, or `name`. */
  readonly label: string;
  readonly field: Fields[string];
}

/** What the reader says about a table, in the chosen language. */
export interface SheetWords {
  readonly blank: string;
  readonly required: string;
  readonly extra: (columns: number) => string;
  readonly unknown: string;
  readonly twice: string;
  readonly missing: string;
  readonly quote: string;
}

const separators = ['\t', ';', ','] as const;

/** Returns the separator of a table: the first of tab, semicolon and comma that its first line has outside quotation marks. */
function separatorOf(text: string): string {
  const lines = text.replaceAll(/"(?:[^"]|"")*"/g, '').split(/\r\n|\r|\n/);
  const first = lines.find((line) => line.trim() !== '') ?? '';
  return separators.find((each) => first.includes(each)) ?? '\t';
}

/** Returns the rows that are not blank, or null where a quotation mark is not closed. */
export function sheetRows(text: string): readonly SheetRow[] | null {
  const separator = separatorOf(text);
  const rows: SheetRow[] = [];
  let number = 1;
  let cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  const endCell = (): void => {
    cells.push(cell.trim());
    cell = '';
  };
  const endRow = (): void => {
    endCell();
    if (cells.some((each) => each !== '')) rows.push({ number, cells });
    cells = [];
    number++;
  };
  const all = text.replaceAll(/\r\n|\r/g, '\n');
  for (let i = 0; i < all.length; i++) {
    const sign = all.charAt(i);
    if (isQuoted) {
      if (sign !== '"') cell += sign;
      else if (all.charAt(i + 1) === '"') cell += all.charAt(i++);
      else isQuoted = false;
    } else if (sign === '"' && cell.trim() === '') {
      cell = '';
      isQuoted = true;
    } else if (sign === separator) endCell();
    else if (sign === '\n') endRow();
    else cell += sign;
  }
  endRow();
  return isQuoted ? null : rows;
}

export type Texts = Readonly<Record<string, string>>;
export interface SheetEntry {
  readonly number: number;
  readonly texts: Texts;
}

export type SheetReading = { readonly entries: readonly SheetEntry[] } | { readonly faults: readonly SheetFault[] };

const plain = (text: string): string => text.trim().toLowerCase();

/**
 * Reads a table row by row. The first row is the head when each of its cells names a column; without a head the columns are in their
 * own order. Every cell is read as the form reads its field, so that a fault is named by its row and column.
 */
export function readSheet(text: string, columns: readonly SheetColumn[], words: SheetWords): SheetReading {
  const rows = sheetRows(text);
  const whole = (message: string): SheetReading => ({ faults: [{ row: null, column: null, message }] });
  if (rows === null) return whole(words.quote);
  const [first] = rows;
  if (first === undefined) return whole(words.blank);
  const columnOf = (cell: string): SheetColumn | undefined =>
    columns.find(({ name, label }) => plain(cell) === name || plain(cell) === plain(label));
  const named = first.cells.filter((cell) => columnOf(cell) !== undefined).length;
  const hasHead = named > 0 && named * 2 >= first.cells.filter((cell) => cell !== '').length;
  const head = hasHead ? first.cells.map(columnOf) : columns;
  const faults = hasHead ? headFaults(first, head, columns, words) : [];
  if (faults.length > 0) return { faults };
  const body = hasHead ? rows.slice(1) : rows;
  if (body.length === 0) return whole(words.blank);
  const found = body.flatMap((row) => rowFaults(row, head, columns, words));
  return found.length > 0
    ? { faults: found }
    : { entries: body.map((row) => ({ number: row.number, texts: textsOf(row, head, columns) })) };
}

type Head = readonly (SheetColumn | undefined)[];

function headFaults({ number, cells }: SheetRow, head: Head, columns: readonly SheetColumn[], words: SheetWords): SheetFault[] {
  const at = (column: string, message: string): SheetFault => ({ row: number, column, message });
  return [
    ...cells.flatMap((cell, i) => (cell !== '' && head[i] === undefined ? [at(cell, words.unknown)] : [])),
    ...cells.flatMap((cell, i) => (head[i] !== undefined && head.indexOf(head[i]) < i ? [at(cell, words.twice)] : [])),
    ...columns.flatMap((column) =>
      column.field.kind === 'required' && !head.includes(column) ? [at(column.label, words.missing)] : [],
    ),
  ];
}

function textsOf({ cells }: SheetRow, head: Head, columns: readonly SheetColumn[]): Texts {
  return Object.fromEntries(
    columns.map((column) => {
      const i = head.indexOf(column);
      return [column.name, i < 0 ? '' : (cells[i] ?? '')];
    }),
  );
}

function rowFaults(row: SheetRow, head: Head, columns: readonly SheetColumn[], words: SheetWords): SheetFault[] {
  const texts = textsOf(row, head, columns);
  const extra = row.cells.slice(head.length).some((cell) => cell !== '');
  return [
    ...(extra ? [{ row: row.number, column: null, message: words.extra(head.length) }] : []),
    ...columns.flatMap(({ name, label, field }) => {
      const message = faultOf(texts[name] ?? '', name, field, words);
      return message === null ? [] : [{ row: row.number, column: label, message }];
    }),
  ];
}

/** Returns what the codec says of a cell, or null. */
function faultOf(text: string, name: string, field: Fields[string], { required }: SheetWords): string | null {
  if (text.trim() === '') return field.kind === 'required' ? required : null;
  const value = memberValues({ [name]: field }, { [name]: text })[name];
  if (value === undefined) return null;
  const decoded = decode(field.codec, value);
  return E.isLeft(decoded) ? (decoded.left.errors?.[0]?.message ?? decoded.left.detail) : null;
}

/** Returns the columns of a table that has one for each of some members. */
export const columnsOf = <N extends string>(
  names: readonly N[],
  fields: Readonly<Record<N, Fields[string]>>,
  words: Readonly<Record<N, { readonly label: string }>>,
): SheetColumn[] => names.map((name) => ({ name, label: words[name].label, field: fields[name] }));
