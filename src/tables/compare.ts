/**
 * Compares rows with the state that the signed entries of their stream produce. Whoever can write to the file can edit its tables,
 * so nothing is shown or decided by a row alone.
 */
import { errorCode } from '../base/fault.js';
import type { Refusal } from '../base/refusal.js';
import { RefusalError } from '../base/result.js';
import type { Entry } from '../codec/entry.js';
import type { Event } from '../codec/event.js';
import { placedOn } from '../domain/stream.js';
import { publicKeyOf } from '../journal/keys.js';
import { entryInPlace, requireSigned, storedEntries } from '../journal/stream.js';
import type { Row, Table } from './table.js';
import type { Db } from '../store/database.js';
import { connectionOf, type Known } from './connection.js';

/** A table and a check of each entry from which its states are computed. */
export interface CheckedTable<State, A extends Event> extends Table<State, A> {
  /** @throws RefusalError `integrity` for an entry that cannot be trusted */
  readonly check?: (entry: Entry, publicKey: Buffer | null) => void;
  /** The number of its rows that a connection remembers as compared. */
  readonly known_max?: number;
}

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
export function compare<State, A extends Event>(
  db: Db,
  table: CheckedTable<State, A>,
  id: string,
  rows: readonly Row[],
): Compared<State> {
  const connection = connectionOf(db);
  const known = connection.knownOf(table, id);
  if (known !== undefined && !known.isStale && sameRows(known.rows, rows)) return { state: known.state, isDoubtful: false };
  const { state, last, isDoubtful } = evolve(db, table, id, known);
  const expected = state === null ? [] : table.rowsOf(state);
  if (!isDoubtful && sameRows(expected, rows)) {
    connection.keep(table, id, { state, rows: expected, last, isStale: false, added: null });
    return { state, isDoubtful };
  }
  connection.forget(table, id);
  const unsigned = isDoubtful ? null : unsignedEntry(db, table, id);
  if (!isDoubtful) connection.damage.report(unsigned ?? differs(table, id));
  // When the entries are damaged, the row is more reliable.
  return isDoubtful || unsigned !== null
    ? { state: rowState(table, rows) ?? state, isDoubtful: true }
    : { state, isDoubtful: false };
}

/** Returns the rows that a query selects; none when the table cannot be read, which is damage. */
export const rowsOf = (db: Db, table: NamedTable, query: string, values: readonly unknown[]): readonly Row[] =>
  readTable(db, table, () =>
    connectionOf(db)
      .statement(query)
      .all(...values),
  ) ?? [];

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

interface Evolved<State> extends Compared<State> {
  readonly last: number;
}

/** Computes the state from the signed entries, from a known state on. Entries that this connection appended are not read again. */
function evolve<State, A extends Event>(
  db: Db,
  table: CheckedTable<State, A>,
  id: string,
  known: Known<State> | undefined,
): Evolved<State> {
  const { damage, publicKey } = connectionOf(db);
  let { state = null, last = 0 }: { state?: State | null; last?: number } = known ?? {};
  let isDoubtful = false;
  for (const one of known?.added ?? storedEntries(db, table.stream, id, last)) {
    last = 'body' in one ? one.seq : one.sequence;
    try {
      const entry = 'body' in one ? entryInPlace(db, one) : one;
      const placed = placedOn(table.stream, entry);
      if (placed === null) continue;
      state = table.stream.evolve(state, placed.event, placed);
      table.check?.(entry, publicKey ?? publicKeyOf(entry.identity));
    } catch (error) {
      damage.report(integrityOf(error));
      isDoubtful = true;
    }
  }
  return { state, last, isDoubtful };
}

/** Returns the refusal for the first entry of a stream that is not what was signed, or null. */
function unsignedEntry<State, A extends Event>(db: Db, { stream }: Table<State, A>, id: string): Refusal | null {
  const { publicKey } = connectionOf(db);
  try {
    for (const row of storedEntries(db, stream, id)) {
      const entry = entryInPlace(db, row);
      requireSigned(entry, publicKey ?? publicKeyOf(entry.identity));
    }
    return null;
  } catch (error) {
    return integrityOf(error);
  }
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

const differs = <State, A extends Event>({ name, stream: { prefix, nameOf, noun } }: Table<State, A>, id: string): Refusal => ({
  code: 'integrity',
  facts: { table: name, row: id },
  detail: `the ${prefix === nameOf(id) ? `${noun} table` : `table row of ${noun} ${id}`} does not match its signed entries`,
  hint: 'agent-cli rebuild',
});

/**
 * Returns what `read` reads from entries or blobs; null when that is damaged.
 * @throws RefusalError `integrity` then, unless the connection tolerates damage
 */
export function readEntries<A>(db: Db, read: () => A): A | null {
  try {
    return read();
  } catch (error) {
    connectionOf(db).damage.report(integrityOf(error));
    return null;
  }
}

/** Returns the refusal of an error that means damage. @throws any other error */
function integrityOf(error: unknown): Refusal {
  if (error instanceof RefusalError && error.refusal.code === 'integrity') return error.refusal;
  throw error;
}

const sameRows = (some: readonly Row[], others: readonly Row[]): boolean =>
  some.length === others.length && some.every((row, i) => sameRow(row, others[i] ?? []));

function sameRow(row: Row, other: Row): boolean {
  for (let i = 0; i < row.length; i++) if (row[i] !== other[i]) return false;
  return row.length === other.length;
}
