/** Reads states from a projection's table, each compared with the signed entries of its stream. */
import type { Event } from '../codec/event.js';
import { streamPlaces, type StreamPlace } from '../journal/stream.js';
import type { Db } from '../store/database.js';
import { compare, rowsOf, type CheckedTable, type Compared } from './compare.js';
import { connectionOf } from './connection.js';

/** Returns the state of one stream. @param query selects its rows */
export const readOne = <State, A extends Event>(
  db: Db,
  table: CheckedTable<State, A>,
  id: string,
  query: string,
  ...values: readonly unknown[]
): State | null => connectionOf(db).snapshot(() => compare(db, table, id, rowsOf(db, table, query, values)).state);

/** Returns the states of the rows that a query selects, in its order. Call it in a snapshot. */
export const readMany = <State, A extends Event>(
  db: Db,
  table: CheckedTable<State, A>,
  query: string,
  ...values: readonly unknown[]
): State[] => rowsOf(db, table, query, values).flatMap((row) => compare(db, table, table.idOf(row), [row]).state ?? []);

/** Returns the states of all streams of a table by id, also of those without a row. @param query selects all rows */
export function readAll<State, A extends Event>(
  db: Db,
  table: CheckedTable<State, A>,
  query: string,
): ReadonlyMap<string, Compared<State>> {
  return connectionOf(db).snapshot(() => {
    const rows = new Map(rowsOf(db, table, query, []).map((row) => [table.idOf(row), row]));
    // The streams first: a damaged entry explains more than the row that lacks it.
    const ids = new Set([...streamPlaces(db, table.stream).map(({ id }) => id), ...rows.keys()]);
    return new Map(
      [...ids].map((id) => {
        const row = rows.get(id);
        return [id, compare(db, table, id, row === undefined ? [] : [row])];
      }),
    );
  });
}

/**
 * Yields the states of all streams in the order of their places, for a table that is known to be damaged: rows that are hidden
 * there are found by the entries. Call it in a snapshot.
 */
export function* readByEntries<State, A extends Event>(
  db: Db,
  table: CheckedTable<State, A>,
  read: (id: string) => State | null,
  order: (a: StreamPlace, b: StreamPlace) => number,
): Generator<State> {
  for (const { id } of streamPlaces(db, table.stream).toSorted(order)) {
    const state = read(id);
    if (state !== null) yield state;
  }
}
