/**
 * A table keeps the state of each stream of a declaration in rows. Its declaration says how, and by which codes and groups the states are found;
 * what projects the entries, what reads the rows and the snapshot of the state all follow it.
 */
import { errorCode, isRefused, RefusalError, type Result } from '../base/refusal.js';
import { Recent } from '../base/recent.js';
import type { Entry } from '../codec/entry.js';
import { placedOn, type Stream } from '../domain/stream.js';
import { type Db, prepared } from '../store/database.js';
import type { Projector } from '../store/projector.js';

export type Value = string | number | null;
/** The values of a table's columns, in order. */
export type Row = readonly Value[];

/** What takes a state is a method, so that tables of different states form one list: each is given only the states that it returned itself. */
export interface Declaration<State> {
  readonly stream: Stream<State>;
  readonly name: string;
  readonly ddl: string;
  /** The name of the projection. */
  readonly projection: string;
  /** Increased when the table or the meaning of its rows changes: it is then dropped and rebuilt. */
  readonly version: number;
  readonly columns: readonly string[];
  /** The unique column that holds a stream's id; null for the table of a single stream, whose rows, in order, are one state. */
  readonly key: string | null;
  /** Returns the rows that hold a state: a single one, unless the state is a list. */
  rowsOf(state: State): readonly Row[];
  /** Returns the state that rows hold; null when there are none. @throws RefusalError `integrity` for rows that hold none */
  stateOf(rows: readonly Row[]): State | null;
  /** What lists of the things are narrowed and counted by: each has one; `known` when absent. */
  readonly codes?: readonly string[];
  codeOf?(state: State): string;
  /** What a thing can be found by besides its id and its code. It never leaves a group: what it was found by can still find it. */
  groupsOf?(state: State): readonly string[];
}

export interface Table<State = unknown> extends Required<Declaration<State>> {
  /** Returns the state after an entry; the same when the entry changes nothing. The state before the first entry is null. */
  after(state: State | null, entry: Entry): State | null;
  /** Reads the rows of a stream, which anybody may have altered. @throws RefusalError `integrity` when the table cannot be read */
  readonly storedRows: (db: Db, id: string) => readonly Row[];
  readonly projector: Projector;
}

/**
 * Entries and states of which it is remembered what they make: a projector asks first, then the snapshot, which is moved by as many entries. Long
 * entries, which are kept alive meanwhile, are not remembered.
 */
const remembered_max = 4_096;
const remembered_text_max = 16_384;

export function defineTable<State>(declared: Declaration<State>): Table<State> {
  const { stream, name, columns, key } = declared;
  const evolved = new Recent<Entry, { readonly before: State | null; readonly after: State | null }>(remembered_max);
  const rows = new Recent<State, readonly Row[]>(remembered_max);
  const select = `SELECT ${columns.join(', ')} FROM ${name} ${key === null ? 'ORDER BY 1' : `WHERE ${key} = ?`}`;
  const table: Omit<Table<State>, 'projector'> = {
    codes: ['known'],
    codeOf: () => 'known',
    groupsOf: () => [],
    ...declared,
    after(state, entry) {
      const known = evolved.get(entry);
      // Another state before it, even one with the same members, may have been read from a row.
      if (known !== undefined && known.before === state) return known.after;
      const placed = placedOn(stream, entry);
      const after = placed === null ? state : stream.evolve(state, placed.event, placed);
      if (entry.text.length <= remembered_text_max) evolved.set(entry, { before: state, after });
      return after;
    },
    rowsOf(state) {
      const known = rows.get(state);
      if (known !== undefined) return known;
      const made = declared.rowsOf(state);
      rows.set(state, made);
      return made;
    },
    storedRows(db, id) {
      try {
        // Nobody else reads by this statement, which returns rows as lists.
        const statement = prepared<Value[], Value[]>(db, select).raw();
        return key === null ? statement.all() : statement.all(id);
      } catch (error) {
        throw unreadable(name, error);
      }
    },
  };
  return { ...table, projector: projectorOf(table, (state) => rows.delete(state)) };
}

/** Streams of which a projector keeps the state. */
const known_max = 64;

/**
 * Returns what reads the state before an entry, evolves it, and writes the state if it changed. It remembers the states of streams that changed
 * lately, for as long as each entry follows the one before: after one of another process, or one that was undone, the rows may be others.
 */
function projectorOf<State>(table: Omit<Table<State>, 'projector'>, forgetRows: (state: State) => void): Projector {
  const { name, projection, ddl, version, stream, columns, key } = table;
  const unique = key ?? columns[0];
  const changed = columns.filter((column) => column !== unique).map((column) => `${column} = excluded.${column}`);
  const upsert = `INSERT INTO ${name}(${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})
    ON CONFLICT(${unique}) DO UPDATE SET ${changed.join(', ')}`;
  return {
    name: projection,
    ddl,
    version,
    tables: [name],
    bind(db) {
      const write = db.prepare<Value[]>(upsert);
      let known = new Recent<string, State>(known_max);
      let last = '';
      return (entry) => {
        if (entry.previous !== last) known = new Recent(known_max);
        last = entry.hash;
        const placed = placedOn(stream, entry);
        if (placed === null) return;
        const before = known.get(placed.id) ?? table.stateOf(table.storedRows(db, placed.id));
        const after = table.after(before, entry);
        if (after === null || after === before) return;
        for (const row of table.rowsOf(after)) write.run(...row);
        if (before !== null) forgetRows(before);
        known.set(placed.id, after);
      };
    },
  };
}

/** A table or a column is missing; a virtual table or a view in place of a table fails. */
const unreadable_codes = new Set(['SQLITE_ERROR', 'SQLITE_MISMATCH']);

/** Returns what to throw where reading a table failed: a refusal when the table cannot be read. */
export function unreadable(table: string, error: unknown): unknown {
  if (!unreadable_codes.has(errorCode(error))) return error;
  const detail = `the ${table} table cannot be read (${error instanceof Error ? error.message : ''})`;
  return new RefusalError('integrity', detail, { facts: { table }, hint: 'agent-cli rebuild' });
}

/** Returns the values of a row by column. */
export const named = (columns: readonly string[], row: Row): Record<string, Value> =>
  Object.fromEntries(columns.map((column, i) => [column, row[i] ?? null]));

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
  new RefusalError('integrity', `the ${table} table is damaged`, { hint: 'agent-cli rebuild' });
