/**
 * Reads delimited text: CSV and TSV (RFC 4180), with `,`, `;`, tab or `|` between the cells. Bytes are UTF-8, UTF-16 with a byte order mark, or
 * else Windows-1252. Nothing is decided here about what a cell means.
 */
import { CsvError, parse } from 'csv-parse/sync';
import { table_columns_max, table_rows_max } from '../base/limits.js';
import { ok, refuse, type Result } from '../base/refusal.js';
import { decodeText } from './content.js';
import type { Cell, Workbook } from './types.js';

const reader_version = 2;
const record_chars_max = 1_000_000;
/** As many lines decide which delimiter the file has. */
const sampled_lines = 200;
const delimiters = ['\t', ';', '|', ','] as const;

export const blank: Cell = { type: 'blank' };

/** Returns the table that delimited text holds, as a workbook of one sheet without a name. */
export function readCsv(bytes: Uint8Array): Result<Workbook> {
  const decoded = decodeText(bytes);
  if (decoded === null) {
    return invalid('the text is damaged: it is marked as Unicode and is not; save it again as CSV in UTF-8');
  }
  const { text, note } = decoded;
  if (text.trim() === '') return invalid('the file is empty');
  const table = split(text);
  if (typeof table === 'string') return invalid(table);
  const notes = note === null ? [] : [note];
  const rows = table.map((record) => record.map(cellOf));
  return ok({ type: 'table', reader: 'csv', version: reader_version, sheets: [{ name: null, rows, notes: [] }], notes });
}

const invalid = (detail: string): Result<never> => refuse({ code: 'invalid', detail });

const cellOf = (text: string): Cell => (text.trim() === '' ? blank : { type: 'text', text });

/** Returns the records of a text, or what is wrong with it. */
function split(text: string): string[][] | string {
  // Excel writes and hides such a first line, so that it has no number.
  const declared = /^"?sep=(?<delimiter>[,;\t|])"?\r?\n/.exec(text);
  const body = declared === null ? text : text.slice(declared[0].length);
  const delimiter = declared?.groups?.['delimiter'] ?? delimiterOf(body);
  if (delimiter === null && isPrinted(sampleOf(body))) return printed;
  if (/^\s*(?:\[\s*[[{]|\{\s*")/.test(body)) return 'this is JSON, not a table; give a workbook (.xlsx) or a CSV file';
  try {
    const records: string[][] = parse(body, {
      delimiter: delimiter ?? '\u001f',
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      relax_quotes: true,
      // Tabs are blank themselves, and would be lost.
      trim: delimiter !== '\t',
      max_record_size: record_chars_max,
      to: table_rows_max + 1,
    });
    if (records.length > table_rows_max) return `the file has more than ${grouped(table_rows_max)} rows`;
    const width = records.reduce((most, record) => Math.max(most, record.length), 0);
    return width > table_columns_max ? `the file has ${grouped(width)} columns; at most ${table_columns_max} are read` : records;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return faultOf(error);
  }
}

const printed =
  'this looks like a table as R or pandas prints it, whose columns only spaces part; save the table as CSV: write.csv(data, "data.csv", row.names = FALSE) in R, data.to_csv("data.csv") in pandas';

/** Returns whether lines are the output of a program for statistics: a header that is indented or names a tibble, and rows of several words. */
const isPrinted = ([first = '', ...lines]: readonly string[]): boolean =>
  /^(?:\s{2,}\S|# A tibble)/.test(first) && lines.filter((line) => /\S\s+\S/.test(line)).length > lines.length * 0.7;

export const grouped = (count: number): string => String(count).replace(/(?<=\d)(?=(?:\d{3})+$)/g, ',');

function faultOf(error: CsvError): string {
  const line = typeof error['lines'] === 'number' ? error['lines'] : 0;
  if (error.code === 'CSV_QUOTE_NOT_CLOSED') return 'a quoted cell does not end: a closing " is missing';
  if (error.code === 'CSV_MAX_RECORD_SIZE') return `a row has more than ${grouped(record_chars_max)} characters (line ${line})`;
  return `the quotes are wrong in line ${line}: a " within a quoted cell is written ""`;
}

/**
 * Returns the delimiter that cuts most lines into the same number of cells, or null where none cuts any. A line that has the decimal comma of one
 * column only is not cut.
 */
function delimiterOf(text: string): string | null {
  const lines = sampleOf(text);
  let best: { readonly delimiter: string; readonly share: number } | null = null;
  for (const delimiter of delimiters) {
    const share = evenShare(lines, delimiter);
    if (share > (best?.share ?? 0)) best = { delimiter, share };
  }
  return best?.delimiter === ',' && isDecimalColumn(lines) ? null : (best?.delimiter ?? null);
}

/** Returns the first lines that are not blank, with a quotation mark in place of each quoted cell. */
const sampleOf = (text: string): string[] =>
  text
    .slice(0, record_chars_max)
    .replace(/"[^"]*(?:""[^"]*)*"/g, '"')
    .split(/\r\n|\n|\r/, sampled_lines * 2)
    .filter((line) => line.trim() !== '')
    .slice(0, sampled_lines);

/** Returns how many of the lines have the most frequent number of delimiters that is not 0. */
function evenShare(lines: readonly string[], delimiter: string): number {
  const counts = new Map<number, number>();
  for (const line of lines) {
    const count = line.split(delimiter).length - 1;
    if (count > 0) counts.set(count, (counts.get(count) ?? 0) + 1);
  }
  return Math.max(0, ...counts.values());
}

const isDecimalColumn = (lines: readonly string[]): boolean =>
  !(lines[0] ?? '').includes(',') &&
  lines.length > 1 &&
  lines.slice(1).every((line) => /^\s*[-+−]?[\d.' \u00a0\u202f]*\d,\d+\D*$/.test(line));
