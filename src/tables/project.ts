/** Projects entries: reads the state before an entry, evolves it, and writes the state if it changed. */
import { Recent } from '../base/recent.js';
import type { Event } from '../codec/event.js';
import { placedOn } from '../domain/stream.js';
import type { Family } from '../state/family.js';
import type { Projector } from '../store/projector.js';
import { familyOf, type Table, type Value } from './table.js';

/** A projector, and what the snapshot of the state must know of its table. */
export interface TableProjector extends Projector {
  readonly family: Family;
}

/** Streams of which a projector keeps the state. */
const known_max = 64;

/**
 * Returns the projector of a table. It remembers the states of streams that changed lately, for as long as each entry follows the one before:
 * after one of another process, or one that was undone, the rows may be others.
 */
export function rowProjector<State, A extends Event>(
  table: Table<State, A>,
  projector: Pick<Projector, 'name' | 'ddl'>,
): TableProjector {
  const { name, version, stream, columns, key } = table;
  const family = familyOf(table);
  const unique = key ?? columns[0];
  const changed = columns.filter((column) => column !== unique).map((column) => `${column} = excluded.${column}`);
  const upsert = `INSERT INTO ${name}(${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})
    ON CONFLICT(${unique}) DO UPDATE SET ${changed.join(', ')}`;
  return {
    ...projector,
    version,
    tables: [name],
    family,
    bind(db) {
      const write = db.prepare<Value[]>(upsert);
      let known = new Recent<string, unknown>(known_max);
      let last = '';
      return (entry) => {
        if (entry.previous !== last) known = new Recent(known_max);
        last = entry.hash;
        const placed = placedOn(stream, entry);
        if (placed === null) return;
        const before = known.get(placed.id) ?? table.stateOf(family.read(db, placed.id));
        const after = family.evolve(before, entry);
        if (after === null || after === before) return;
        for (const row of family.rowsOf(after)) write.run(...row);
        known.set(placed.id, after);
      };
    },
  };
}
