/**
 * Finds the table in a sheet: title rows above the header, one or two header rows, blank rows, and notes below the last row are no data.
 */
import { columnLetters } from '../../reports/xlsx.js';
import { table_columns_max } from '../../base/limits.js';
import { shorten } from '../../base/text.js';
import { blank } from '../csv.js';
import { isMissing, textOf, type Column, type ColumnCell } from '../cells/column.js';
import { readDate } from '../cells/dates.js';
import { isDuration } from '../cells/durations.js';
import { fold } from '../cells/fold.js';
import { numberParts } from '../cells/numbers.js';
import { lettered } from '../cells/units.js';
import type { Cell, Sheet } from '../types.js';
import { rowsText } from './faults.js';

export interface TableColumn extends Column {
  /** The letter that a spreadsheet shows above it. */
  readonly letter: string;
  /** The letters of other columns that it was made from. */
  readonly also?: readonly string[];
  /** What a reader must know of how it was made. */
  readonly note?: string;
}

export interface Table {
  readonly sheet: string | null;
  readonly columns: readonly TableColumn[];
  /** Whether its columns have names of their own. */
  readonly hasHeader: boolean;
  /** The rows of data as a spreadsheet numbers them. */
  readonly rows: readonly number[];
  readonly notes: readonly string[];
}

/** Rows with more cells than the header. */
type WideRows = { readonly wide: readonly number[]; readonly message: string };

type Row = readonly Cell[];

const name_chars_max = 200;
/** So many rows decide where the header is. */
const sampled_rows = 200;

const isBlank = (cell: Cell): boolean => cell.type === 'blank' || /^\s*:?-{3,}:?\s*$/.test(cell.text);
const filledOf = (row: Row): number => row.reduce((count, cell) => count + (isBlank(cell) ? 0 : 1), 0);

/** Returns whether a cell has a number, a date or a duration, as no header has. */
function isData(cell: Cell): boolean {
  if (cell.type !== 'text') return cell.type !== 'blank';
  return (
    /\d/.test(cell.text) && (typeof numberParts(cell.text) === 'object' || readDate(cell.text) !== null || isDuration(cell.text))
  );
}

const isLabels = (row: Row): boolean => !row.some((cell) => isData(cell) && !isBlank(cell));

/** Returns the table of a sheet, or what is wrong with it. @param isDelimited whether a cell that holds the delimiter is two of them */
export function tableOf(sheet: Sheet, isDelimited = false): Table | WideRows | string {
  const rows = sheet.rows.map((row) => (filledOf(row) === 0 ? [] : row));
  const filled = rows.flatMap((row, i) => (row.length > 0 ? [i] : []));
  if (filled.length === 0) return 'the table is empty: it has no rows';
  const { header, first } = headerOf(rows, filled);
  const last = lastOf(rows, filled, first);
  const data = filled.filter(
    (i) => i >= first && i <= last && !(header.length === 1 && isSameRow(rows[i], rows[header[0] ?? -1])),
  );
  if (data.length === 0) return 'the table has only a header and no rows of data';
  const named = Math.max(...header.map((i) => rows[i]?.length ?? 0));
  const wide = data.filter((i) => filledOf(rows[i]?.slice(named) ?? []) > 0).map((i) => i + 1);
  if (isDelimited && named > 1 && wide.length > 0) {
    const message = `${rowsText(wide)} ${wide.length === 1 ? 'has' : 'have'} more cells than the header. Write a cell that holds the delimiter, such as one with a decimal comma, in quotes; otherwise give each column a name`;
    return { wide, message };
  }
  const width = Math.max(...[...header, ...data.slice(0, sampled_rows)].map((i) => rows[i]?.length ?? 0));
  const names = namesOf(
    header.map((i) => rows[i] ?? []),
    width,
  );
  const columns = names.flatMap((name, at) => columnOf(name, at, rows, data));
  if (columns.length > table_columns_max) return `the table has ${columns.length} columns; at most ${table_columns_max} are read`;
  const notes = notesOf(header, first, last, filled);
  return { sheet: sheet.name, hasHeader: header.length > 0, columns, rows: data.map((i) => i + 1), notes };
}

function columnOf(name: string, at: number, rows: readonly Row[], data: readonly number[]): TableColumn[] {
  const cells: ColumnCell[] = data.map((i) => ({ row: i + 1, cell: rows[i]?.[at] ?? blank }));
  if (name === '' && cells.every(({ cell }) => isMissing(cell))) return [];
  return [{ name, letter: columnLetters(at), cells }];
}

/** Returns the indices of the header's rows, none, one or two, and the first row of data. */
function headerOf(rows: readonly Row[], filled: readonly number[]) {
  const sample = filled.slice(0, sampled_rows);
  const half = Math.ceil(typicalFilled(sample.map((i) => filledOf(rows[i] ?? []))) / 2);
  const strong = sample.findIndex((i) => {
    const row = rows[i] ?? [];
    return !isLabels(row) && filledOf(row) >= (half > 0 && row.length > 1 ? Math.max(half, Math.min(2, half * 2 - 1)) : half);
  });
  let at = strong;
  // A first row of data may lack values.
  while (at > 0 && !isLabels(rows[sample[at - 1] ?? 0] ?? [])) at--;
  if (at < 0) at = Math.min(sample.length, sample.findIndex((i) => filledOf(rows[i] ?? []) >= half) + 1);
  // A row of words below the header lacks its numbers. Below a name of a group the first cells are blank.
  const row = (i: number): Row => rows[sample[i] ?? -1] ?? [];
  while (at > 1 && isLabels(row(at - 2)) && filledOf(row(at - 2)) > filledOf(row(at - 1)) && !isBlank(row(at - 1)[0] ?? blank))
    at--;
  const first = sample[at] ?? rows.length;
  const lower = sample[at - 1];
  if (lower === undefined) return { header: [], first };
  const upper = sample[at - 2];
  const isJoined = upper === lower - 1 && isUpperHeader(rows[upper] ?? [], rows[lower] ?? []);
  return { header: isJoined ? [upper, lower] : [lower], first };
}

/** Returns the most frequent number, the largest of several. */
function typicalFilled(counts: readonly number[]): number {
  const times = new Map<number, number>();
  for (const count of counts) times.set(count, (times.get(count) ?? 0) + 1);
  return [...times].reduce(
    (best, entry) => (entry[1] > best[1] || (entry[1] === best[1] && entry[0] > best[0]) ? entry : best),
    [0, 0],
  )[0];
}

/** Returns whether the row above a header names groups of its columns. A title has one text. */
function isUpperHeader(upper: Row, lower: Row): boolean {
  const texts = new Set(upper.filter((cell) => !isBlank(cell)).map(textOf));
  const names = lower.filter((cell) => !isBlank(cell)).map(textOf);
  if (!isLabels(upper) || texts.size === 0) return false;
  const needsIt = new Set(names).size < names.length || names.length < filledOf(upper);
  const isGroup = texts.size > 1 || isBlank(upper[0] ?? blank);
  return isGroup && (needsIt || (texts.size > 1 && isBlank(upper[0] ?? blank)));
}

/** Returns the last row of the table: what stands alone below it, such as a source, is no row of it. */
function lastOf(rows: readonly Row[], filled: readonly number[], first: number): number {
  const wide = Math.max(...filled.slice(0, sampled_rows).map((i) => filledOf(rows[i] ?? [])));
  let at = filled.length - 1;
  const isNote = (i: number): boolean => {
    const row = rows[i] ?? [];
    return filledOf(row) === 1 && isLabels(row) && !isBlank(row[0] ?? blank);
  };
  if (wide < 2) return filled[at] ?? 0;
  while ((filled[at] ?? 0) > first && isNote(filled[at] ?? 0)) at--;
  return filled[at] ?? 0;
}

const isSameRow = (row: Row | undefined, header: Row | undefined): boolean =>
  row !== undefined &&
  header !== undefined &&
  row.length === header.length &&
  row.every((cell, i) => textOf(cell) === textOf(header[i] ?? blank));

/** Returns the names of the columns, each once. Of two header rows the upper is written before the lower. */
function namesOf(header: readonly Row[], width: number): string[] {
  const [upper, lower] = header.length === 2 ? [spread(header[0] ?? [], header[1] ?? []), header[1]] : [[], header[0]];
  const names = Array.from({ length: width }, (_, at) => {
    const parts = [upper[at] ?? '', cleaned(lower?.[at])].filter((part) => part !== '');
    const name = parts[0] === parts[1] ? (parts[0] ?? '') : parts.join(' ');
    return header.length === 0 ? `Column ${columnLetters(at)}` : name;
  });
  const times = new Map<string, number>();
  for (const name of names) times.set(fold(name), (times.get(fold(name)) ?? 0) + 1);
  return names.map((name, at) => (name !== '' && (times.get(fold(name)) ?? 0) > 1 ? lettered(name, columnLetters(at)) : name));
}

/** Returns the name in a header cell, cut where it is a text. */
function cleaned(cell: Cell | undefined): string {
  if (cell === undefined || isBlank(cell)) return '';
  return shorten(
    textOf(cell)
      .slice(0, 2 * name_chars_max)
      .replace(/\s+/gu, ' ')
      .trim(),
    name_chars_max,
  );
}

/** Returns the upper names, each also over the blank cells after it, which a merged cell leaves in a text file. */
function spread(upper: Row, lower: Row): string[] {
  let name = '';
  return lower.map((cell, at) => {
    const own = cleaned(upper[at]);
    // A cell that is merged with the one below it names a column, not a group.
    if (own !== '') name = isBlank(cell) || cleaned(cell) === own ? '' : own;
    return own === '' ? name : own;
  });
}

function notesOf(header: readonly number[], first: number, last: number, filled: readonly number[]): string[] {
  const notes: string[] = [];
  const top = header[0] ?? first;
  const above = filled.filter((i) => i < top);
  const span = (from: number, to: number): string => (from === to ? `Row ${from + 1}` : `Rows ${from + 1} to ${to + 1}`);
  if (above.length > 0)
    notes.push(`${span(0, top - 1)} above the header (row ${top + 1}) ${top === 1 ? 'was' : 'were'} left out.`);
  if (header.length === 0) notes.push('The table has no header; its columns are named by their letters.');
  const below = filled.filter((i) => i > last);
  if (below.length > 0)
    notes.push(`${span(below[0] ?? 0, below.at(-1) ?? 0)} below the table ${below.length === 1 ? 'was' : 'were'} left out.`);
  return notes;
}
