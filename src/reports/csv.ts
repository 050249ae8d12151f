/** Tables as CSV (RFC 4180), which spreadsheets open without running anything: numbers as numbers, dates as dates. */
import type { Cell, Row } from './content.js';

export const csvText = (rows: readonly Row[]): string => rows.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');

/** A spreadsheet computes a text that begins so. */
const formula = /^[=+\-@\t\r]/;

function csvCell(cell: Cell): string {
  const text = typeof cell === 'object' ? (cell?.exact ?? cell?.date ?? '') : String(cell);
  const safe = typeof cell === 'string' && formula.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
