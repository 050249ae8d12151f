/** How a projection keeps the states of its streams in a table. Projectors write the rows; src/tables reads and compares them. */
import { isRefused, RefusalError, type Result } from '../base/result.js';
import type { Event } from '../codec/event.js';
import type { Stream } from '../domain/stream.js';

export type Value = string | number | null;
/** The values of a table's columns, in order. */
export type Row = readonly Value[];

export interface Table<State, A extends Event> {
  readonly stream: Stream<State, A>;
  readonly name: string;
  readonly columns: readonly string[];
  /** Returns the id of the stream to which a row belongs. */
  readonly idOf: (row: Row) => string;
  /** Returns the rows that hold a state: a single one, unless the state is a list. */
  readonly rowsOf: (state: State) => readonly Row[];
  /** Returns the state that rows hold; null when there are none. @throws RefusalError `integrity` for rows that hold none */
  readonly stateOf: (rows: readonly Row[]) => State | null;
}

/** Returns the values of a row by column. */
export const named = (columns: readonly string[], row: Row): Record<string, Value> =>
  Object.fromEntries(columns.map((column, i) => [column, row[i] ?? null]));

/** Returns the values in the order of the columns. */
export const valuesOf = (columns: readonly string[], row: Readonly<Record<string, Value>>): Row =>
  columns.map((column) => row[column] ?? null);

/** Returns the decoded row of a table. @throws RefusalError `integrity` for a row that could not be decoded */
export function decoded<A>(table: string, row: Result<A>): A {
  if (isRefused(row)) throw damaged(table);
  return row.right;
}

/** Parses JSON in a row. This program wrote the text, so JSON.parse may read it. @throws RefusalError `integrity` for other text */
export function parsed(table: string, json: Value | undefined): unknown {
  try {
    return JSON.parse(String(json));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw damaged(table);
  }
}

const damaged = (table: string): RefusalError =>
  new RefusalError({ code: 'integrity', detail: `the ${table} table is damaged`, hint: 'agent-cli rebuild' });
