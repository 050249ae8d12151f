/** How the states of streams are kept in a table. Projectors write the rows; every reader compares them with what is signed. */
import type { Statement } from 'better-sqlite3';
import { Recent } from '../base/recent.js';
import { isRefused, RefusalError, type Result } from '../base/result.js';
import type { Entry } from '../codec/entry.js';
import type { Event } from '../codec/event.js';
import { placedOn, type Stream } from '../domain/stream.js';
import type { Family } from '../state/family.js';
import type { Db } from '../store/database.js';

export type Value = string | number | null;
/** The values of a table's columns, in order. */
export type Row = readonly Value[];

export interface Table<State, A extends Event> {
  readonly stream: Stream<State, A>;
  readonly name: string;
  /** Increased when the table or the meaning of its rows changes: it is then dropped and rebuilt. */
  readonly version: number;
  readonly columns: readonly string[];
  /** The unique column by which the row of a stream is found; null for a table whose rows, in order, are one state. */
  readonly key: string | null;
  /** Returns the value of that column for a stream's id; the id itself when absent. */
  readonly keyOf?: (id: string) => Value;
  /** Returns the rows that hold a state: a single one, unless the state is a list. */
  readonly rowsOf: (state: State) => readonly Row[];
  /** Returns the state that rows hold; null when there are none. @throws RefusalError `integrity` for rows that hold none */
  readonly stateOf: (rows: readonly Row[]) => State | null;
  /** What lists of the things are narrowed and counted by, each with a code; the table's name is put before it. */
  readonly codes: readonly string[];
  readonly codeOf: (state: State) => string;
  /** What a thing can be found by besides its id and its code; it belongs to these groups for ever. */
  readonly groupsOf?: (state: State) => readonly string[];
}

/** Entries and states of which it is remembered what they make: a projector and the snapshot ask for the same, one after the other. */
const remembered_max = 512;

/** A table with a row a stream. */
export type RowTable<State, A extends Event> = Table<State, A> & { readonly key: string };

export const codeIn = ({ name }: Pick<Table<never, Event>, 'name'>, code: string): string => `${name}:${code}`;

/** Returns what reads the rows of a stream, by its id, as they are stored. */
export function rowReader<State, A extends Event>({ name, columns, key, keyOf }: Table<State, A>): Family['read'] {
  const select = `SELECT ${columns.join(', ')} FROM ${name}`;
  const statements = new WeakMap<Db, Statement<Value[], Value[]>>();
  return (db, id) => {
    const statement =
      statements.get(db) ?? db.prepare<Value[], Value[]>(`${select} ${key === null ? 'ORDER BY 1' : `WHERE ${key} = ?`}`).raw();
    statements.set(db, statement);
    return key === null ? statement.all() : statement.all(keyOf === undefined ? id : keyOf(id));
  };
}

/** Returns what the snapshot of the state must know of a table. */
export function familyOf<State, A extends Event>(table: Table<State, A>): Family {
  const { name, version, stream, codes } = table;
  // A family is given only the states that it returned itself.
  const own = (state: unknown): State => state as State;
  const evolved = new Recent<Entry, { readonly before: unknown; readonly after: unknown }>(remembered_max);
  const rows = new Recent<unknown, readonly Row[]>(remembered_max);
  return {
    table: name,
    version,
    idOf: stream.idOf,
    evolve(state, entry) {
      const known = evolved.get(entry);
      // Another state before it, even one with the same members, may have been read from a row.
      if (known !== undefined && known.before === state) return known.after;
      const placed = placedOn(stream, entry);
      const after = placed === null ? state : stream.evolve(state === null ? null : own(state), placed.event, placed);
      evolved.set(entry, { before: state, after });
      return after;
    },
    rowsOf(state) {
      const known = rows.get(state);
      if (known !== undefined) return known;
      const made = table.rowsOf(own(state));
      rows.set(state, made);
      return made;
    },
    stateOf: table.stateOf,
    read: rowReader(table),
    codes: codes.map((code) => codeIn(table, code)),
    codeOf: (state) => codeIn(table, table.codeOf(own(state))),
    groupsOf: (state) => (table.groupsOf?.(own(state)) ?? []).map((group) => codeIn(table, group)),
  };
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
