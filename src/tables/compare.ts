/**
 * Reads single states where the state of the whole journal cannot be proven: on a home that is damaged, and for a command that must not wait
 * for the proof. Each entry that is found is checked alone, by its signature, and the rows are compared with what the entries make.
 */
import { isDeepStrictEqual } from 'node:util';
import { Recent } from '../base/recent.js';
import { type Refusal, RefusalError } from '../base/refusal.js';
import { placedOn } from '../domain/stream.js';
import { publicKeyOf } from '../journal/keys.js';
import { entryInPlace, requireSigned, storedEntries } from '../journal/stream.js';
import type { Row, Table } from '../state/table.js';
import { type Db, prepared } from '../store/database.js';
import { connectionOf } from './connection.js';

export interface StateComparison<State> {
  /** The state by the signed entries, or by the row when the entries are damaged. */
  readonly state: State | null;
  /** Whether entries of the stream are damaged, which is reported. */
  readonly isDoubtful: boolean;
}

/**
 * Compares the rows of one stream. Call it in a snapshot.
 * @throws RefusalError `integrity` when they are not those of the signed state, unless the connection tolerates damage
 */
export function compare<State>(db: Db, table: Table<State>, id: string): StateComparison<State> {
  const rows = tolerating(db, () => table.storedRows(db, id)) ?? [];
  const { state, isDoubtful } = evolve(db, table, id);
  // When the entries are damaged, the row is more reliable.
  if (isDoubtful) return { state: rowState(table, rows) ?? state, isDoubtful };
  if (!isDeepStrictEqual(state === null ? [] : table.rowsOf(state), rows)) connectionOf(db).damage.report(differs(table, id));
  return { state, isDoubtful };
}

/** How many states are kept whose signed entries were all found undamaged. Signatures are slow to check, and lists read every state. */
const evolved_max = 32_768;
/** These states, by table, id and hash of the newest entry. */
const evolvedStates = new WeakMap<Db, Recent<string, unknown>>();
const newestSql = 'SELECT hash FROM events WHERE mission = ? ORDER BY seq DESC LIMIT 1';

/** Computes the state from the signed entries. */
function evolve<State>(db: Db, table: Table<State>, id: string): StateComparison<State> {
  const newest = prepared<[string], { hash: string }>(db, newestSql).get(table.stream.nameOf(id));
  const known = evolvedStates.get(db) ?? new Recent<string, unknown>(evolved_max);
  evolvedStates.set(db, known);
  const key = `${table.name} ${id} ${newest?.hash}`;
  const state = known.get(key) as State | null | undefined;
  if (state !== undefined) return { state, isDoubtful: false };
  const made = evolveAnew(db, table, id);
  if (!made.isDoubtful) known.set(key, made.state);
  return made;
}

function evolveAnew<State>(db: Db, table: Table<State>, id: string): StateComparison<State> {
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
function rowState<State>(table: Table<State>, rows: readonly Row[]): State | null {
  try {
    return table.stateOf(rows);
  } catch (error) {
    integrityOf(error);
    return null;
  }
}

export const differs = ({ name, stream: { prefix, nameOf, noun } }: Table, id: string): Refusal => ({
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
