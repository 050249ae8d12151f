/** The fault of a table in which columns were not found: what was found, what the file has, and what the mission needs. */
import type { IntakeFault } from '../types.js';
import { columnsOfFile } from './columns.js';
import { namesText, tableFault, type Place } from './faults.js';
import type { TableKind } from './synonyms.js';
import type { Table } from './table.js';
import type { Columns } from './work.js';

const articles: Readonly<Record<TableKind, string>> = {
  forecast: 'a forecast',
  schedule: 'a schedule',
  allocation: 'an allocation',
};

/** @param missing the members that no column became */
export function lacking(kind: TableKind, missing: readonly string[], found: Columns, table: Table, place: Place): IntakeFault {
  const there = [...found].map(([member, column]) => `${member} (${namesText([column.name || column.letter])})`).join(', ');
  const needs = `${articles[kind]} needs a column for ${missing.join(' and one for ')}.`;
  const have = there === '' ? 'No column was recognised.' : `Found: ${there}.`;
  return tableFault(place, `${needs} ${have} ${columnsOfFile(table)} Say which it is.`, `--map "Column=${missing[0]}"`);
}
