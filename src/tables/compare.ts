/**
 * Reads single states where the state of the whole journal cannot be proven: on a home that is damaged, and for a command that must not wait
 * for the proof. Each entry that is found is checked alone, by its signature, and the rows are compared with what the entries make.
 */
import { errorCode } from '../base/fault.js';
import type { Refusal } from '../base/refusal.js';
import { RefusalError } from '../base/result.js';
import type { Event } from '../codec/event.js';
import { placedOn } from '../domain/stream.js';
import { publicKeyOf } from '../journal/keys.js';
import { entryInPlace, requireSigned, storedEntries } from '../journal/stream.js';
import type { Db } from '../store/database.js';
import { connectionOf } from './connection.js';
import { rowReader, type Row, type Table } from './table.js';

export interface Compared<State> {
  /** The state by the signed entries, or by the row when the entries are damaged. */
  readonly state: State | null;
  /** Whether entries of the stream are damaged, which is reported. */
  readonly isDoubtful: boolean;
}

/**
 * Compares the rows of one stream. Call it in a snapshot.
 * @throws RefusalError `integrity` when they are not those of the signed state, unless the connection tolerates damage
 */
export function compare<State, A extends Event>(db: Db, table: Table<State, A>, id: string): Compared<State> {
  const rows = readTable(db, table, () => rowReader(table)(db, id)) ?? [];
  const { state, isDoubtful } = evolve(db, table, id);
  // When the entries are damaged, the row is more reliable.
  if (isDoubtful) return { state: rowState(table, rows) ?? state, isDoubtful };
  if (!sameRows(state === null ? [] : table.rowsOf(state), rows)) connectionOf(db).damage.report(differs(table, id));
  return { state, isDoubtful };
}

type NamedTable = Pick<Table<never, Event>, 'name'>;

/**
 * Returns what `read` reads from a table; null when the table cannot be read.
 * @throws RefusalError `integrity` then, unless the connection tolerates damage
 */
export function readTable<A>(db: Db, { name }: NamedTable, read: () => A): A | null {
  try {
    return read();
  } catch (error) {
    if (!unreadable.has(errorCode(error))) throw error;
    const why = error instanceof Error ? error.message : '';
    const detail = `the ${name} table cannot be read (${why})`;
    connectionOf(db).damage.report({ code: 'integrity', detail, facts: { table: name }, hint: 'agent-cli rebuild' });
    return null;
  }
}

/** A table or a column is missing; a virtual table or a view in place of a table fails. */
const unreadable = new Set(['SQLITE_ERROR', 'SQLITE_MISMATCH']);

/** Computes the state from the signed entries. */
function evolve<State, A extends Event>(db: Db, table: Table<State, A>, id: string): Compared<State> {
  const { damage, publicKey } = connectionOf(db);
  let state: State | null = null;
  let isDoubtful = false;
  for (const row of storedEntries(db, table.stream, id)) {
    try {
      const entry = entryInPlace(db, row);
      const placed = placedOn(table.stream, entry);
      if (placed === null) continue;
      state = table.stream.evolve(state, placed.event, placed);
      requireSigned(entry, publicKey ?? publicKeyOf(entry.identity));
    } catch (error) {
      damage.report(integrityOf(error));
      isDoubtful = true;
    }
  }
  return { state, isDoubtful };
}

/** Returns the state that rows hold; null when they hold none. */
function rowState<State, A extends Event>(table: Table<State, A>, rows: readonly Row[]): State | null {
  try {
    return table.stateOf(rows);
  } catch (error) {
    integrityOf(error);
    return null;
  }
}

export const differs = <State, A extends Event>(
  { name, stream: { prefix, nameOf, noun } }: Table<State, A>,
  id: string,
): Refusal => ({
  code: 'integrity',
  facts: { table: name, row: id },
  detail: `the ${prefix === nameOf(id) ? `${noun} table` : `table row of ${noun} ${id}`} does not match its signed entries`,
  hint: 'agent-cli rebuild',
});

/**
 * Returns what `read` returns; null when it finds damage.
 * @throws RefusalError `integrity` then, unless the connection tolerates damage
 */
export function tolerating<A>(db: Db, read: () => A | null): A | null {
  try {
    return read();
  } catch (error) {
    connectionOf(db).damage.report(integrityOf(error));
    return null;
  }
}

/** Returns the refusal of an error that means damage. @throws any other error */
export function integrityOf(error: unknown): Refusal {
  if (error instanceof RefusalError && error.refusal.code === 'integrity') return error.refusal;
  throw error;
}

const sameRows = (some: readonly Row[], others: readonly Row[]): boolean =>
  some.length === others.length && some.every((row, i) => sameRow(row, others[i] ?? []));

function sameRow(row: Row, other: Row): boolean {
  for (let i = 0; i < row.length; i++) if (row[i] !== other[i]) return false;
  return row.length === other.length;
}
