/** Projects entries: reads the state before an entry, evolves it, and writes the state if it changed. */
import { Recent } from '../base/recent.js';
import type { Entry } from '../codec/entry.js';
import type { Event } from '../codec/event.js';
import { placedOn, type Stream } from '../domain/stream.js';
import type { Family } from '../state/family.js';
import type { Db } from '../store/database.js';
import type { Projector } from '../store/projector.js';
import { familyOf, type Row, type RowTable, type Table, type Value } from './table.js';

export const projectStream =
  <State, A extends Event>(
    stream: Stream<State, A>,
    read: (id: string) => State | null,
    write: (state: State) => void,
  ): ((entry: Entry) => void) =>
  (entry) => {
    const placed = placedOn(stream, entry);
    if (placed === null) return;
    const before = read(placed.id);
    const after = stream.evolve(before, placed.event, placed);
    if (after !== null && after !== before) write(after);
  };

/** A projector, and what the snapshot of the state must know of its table. */
export interface TableProjector extends Projector {
  readonly family: Family;
}

/** Returns the projector of a table that keeps the state of each stream in one row. */
export function rowProjector<State, A extends Event>(
  table: RowTable<State, A>,
  projector: Pick<Projector, 'name' | 'ddl'>,
): TableProjector {
  const { name, version, key, keyOf = (id: string): Value => id } = table;
  const columns = table.columns.join(', ');
  const changed = table.columns.filter((column) => column !== key).map((column) => `${column} = excluded.${column}`);
  return {
    ...projector,
    version,
    tables: [name],
    family: familyOf(table),
    bind(db) {
      const states = bindStates(db, table, `SELECT ${columns} FROM ${name} WHERE ${key} = ?`);
      const write = db.prepare<Value[]>(
        `INSERT INTO ${name}(${columns}) VALUES (${table.columns.map(() => '?').join(', ')})
         ON CONFLICT(${key}) DO UPDATE SET ${changed.join(', ')}`,
      );
      const project = projectStream(
        table.stream,
        (id) => states.read(keyOf(id)),
        (state) => {
          for (const row of table.rowsOf(state)) {
            write.run(...row);
            states.wrote(row, state);
          }
        },
      );
      return (entry) => {
        states.follow(entry);
        project(entry);
      };
    },
  };
}

interface States<State> {
  readonly follow: (entry: Entry) => void;
  readonly read: (key: Value) => State | null;
  readonly wrote: (row: Row, state: State) => void;
}

/** Streams of which a projector keeps the state. */
const known_max = 64;

/**
 * Returns a reader of the states that remembers those of streams that changed lately, for as long as each entry follows the one before: after
 * one of another process, or one that was undone, the rows may be others.
 */
function bindStates<State, A extends Event>(db: Db, table: Table<State, A>, sql: string): States<State> {
  const stored = db.prepare<[Value], Value[]>(sql).raw();
  const at = Math.max(table.columns.indexOf(table.key ?? ''), 0);
  let known = new Recent<Value, State | null>(known_max);
  let last = '';
  return {
    follow({ previous, hash }) {
      if (previous !== last) known = new Recent(known_max);
      last = hash;
    },
    read(key) {
      const state = known.get(key);
      if (state !== undefined) return state;
      const row = stored.get(key);
      return row === undefined ? null : table.stateOf([row]);
    },
    wrote: (row, state) => known.set(row[at] ?? null, state),
  };
}
