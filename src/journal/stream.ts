/**
 * What the signed entries of a stream make of its thing, compared with the table that is kept beside them: whoever can write to the
 * file can edit the table, so nothing is decided on a row that its entries do not make.
 */
import { RefusalError, unwrap, type Result } from '../base/result.js';
import { sameJson } from '../base/same-json.js';
import type { Entry, StoredEntry } from '../codec/entry.js';
import type { Event } from '../codec/event.js';
import { placedOn, type Stream } from '../domain/stream.js';
import type { Db } from '../store/database.js';
import { entryOf, isSignedBy } from './reader.js';
import type { Transaction } from './writer.js';

/** Appends the events that were decided, and returns them. @throws RefusalError where the decision is a refusal */
export function recordEvents<State, A extends Event>(
  tx: Transaction,
  stream: Stream<State, A>,
  id: string,
  decided: Result<readonly A[]>,
): readonly A[] {
  const events = unwrap(decided);
  for (const event of events) tx.append(stream.nameOf(id), event);
  return events;
}

/** Called with each entry that the state is made of; throws where the entry is not to be trusted. */
type Check = (entry: Entry) => void;

/** The state that the entries of one stream make; null when there are none. @throws RefusalError `integrity` */
export function streamState<State, A extends Event>(db: Db, stream: Stream<State, A>, id: string, check?: Check): State | null {
  let state: State | null = null;
  for (const entry of entriesToEvolve(db, stream, stream.nameOf(id))) {
    const placed = placedOn(stream, entry);
    if (placed === null) continue;
    check?.(entry);
    state = stream.evolve(state, placed.event, placed);
  }
  return state;
}

/**
 * The same, which must be what the table says.
 * @param row the table's row, decoded or as stored; null when there is none
 * @throws RefusalError `integrity` when it is not
 */
export function signedState<State, A extends Event>(
  db: Db,
  stream: Stream<State, A>,
  id: string,
  row: unknown,
  check?: Check,
): State | null {
  const state = streamState(db, stream, id, check);
  if (sameJson(state, row)) return state;
  const isSingle = stream.prefix === stream.nameOf(id);
  throw differs(isSingle ? `the ${stream.noun} table` : `the table row of ${stream.noun} ${id}`);
}

export interface SignedStates<State> {
  readonly byId: ReadonlyMap<string, State>;
  /** Sequence of the newest entry that was looked at. */
  readonly last: number;
}

interface AllStreams<State> {
  /** Every row of the table by id, decoded or as stored. */
  readonly rows: ReadonlyMap<unknown, unknown>;
  /** What an earlier call returned for the same journal: only what came since is read and checked. */
  readonly known?: SignedStates<State> | undefined;
  readonly check?: Check;
}

/**
 * What the entries of all streams with the declaration's prefix make, which must be what the whole table says. To be called in a
 * transaction where another process may write.
 * @throws RefusalError `integrity` when it is not
 */
export function signedStates<State, A extends Event>(
  db: Db,
  stream: Stream<State, A>,
  { rows, known, check }: AllStreams<State>,
): SignedStates<State> {
  const after = known?.last ?? 0;
  const byId = new Map(known?.byId);
  const stored = db
    .prepare<[string, string, number], StoredEntry>(
      'SELECT seq, mission, body, hash, signature FROM events WHERE mission >= ? AND mission < ? AND seq > ? ORDER BY seq',
    )
    .all(stream.prefix, afterAll(stream.prefix), after);
  for (const row of stored) {
    const entry = entryInPlace(db, row);
    check?.(entry);
    const placed = placedOn(stream, entry);
    if (placed === null) continue;
    const state = stream.evolve(byId.get(placed.id) ?? null, placed.event, placed);
    if (state !== null) byId.set(placed.id, state);
  }
  const isSame = rows.size === byId.size && [...byId].every(([id, state]) => sameJson(state, rows.get(id)));
  if (isSame) return { byId, last: stored.at(-1)?.seq ?? after };
  throw differs(`the ${stream.noun}s table`);
}

/** The streams of one prefix are neighbours in the index: this is the first text after all names that begin with it. */
const afterAll = (prefix: string): string =>
  `${prefix.slice(0, -1)}${String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1)}`;

const differs = (what: string): RefusalError =>
  new RefusalError({ code: 'integrity', detail: `${what} does not match its signed entries`, hint: 'agent-cli rebuild' });

/** The entries that a state is made of, in order: all of the stream, or those from the newest on that says the whole state. */
function entriesToEvolve<State, A extends Event>(db: Db, stream: Stream<State, A>, name: string): Entry[] {
  const { isWhole } = stream;
  if (isWhole !== null) return entriesSinceWhole(db, name, ({ event }) => stream.isEvent(event) && isWhole(event));
  return db
    .prepare<[string], StoredEntry>('SELECT seq, mission, body, hash, signature FROM events WHERE mission = ? ORDER BY seq')
    .all(name)
    .map((row) => entryInPlace(db, row));
}

const page_entries = 20;

function entriesSinceWhole(db: Db, name: string, isWhole: (entry: Entry) => boolean): Entry[] {
  const page = db.prepare<[string, number, number], StoredEntry>(
    'SELECT seq, mission, body, hash, signature FROM events WHERE mission = ? AND seq < ? ORDER BY seq DESC LIMIT ?',
  );
  const newestFirst: Entry[] = [];
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const rows = page.all(name, before, page_entries);
    for (const row of rows) {
      const entry = entryInPlace(db, row);
      newestFirst.push(entry);
      if (isWhole(entry)) return newestFirst.toReversed();
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < page_entries) return newestFirst.toReversed();
    before = last.seq;
  }
}

/** The decoded entry of a row that is at the entry's own place and on its own stream. */
function entryInPlace(db: Db, row: StoredEntry): Entry {
  const entry = entryOf(row, db);
  if (entry.stream === row.mission && entry.sequence === row.seq) return entry;
  throw notSigned(row.seq, row.mission);
}

/** @throws RefusalError `integrity` when an entry does not have its own hash, or this key has not signed it */
export function requireSigned({ text, hash, signature, sequence, stream }: Entry, publicKey: Buffer | null): void {
  if (!isSignedBy(publicKey, { body: text, hash, signature })) throw notSigned(sequence, stream);
}

const notSigned = (sequence: number, stream: string): RefusalError =>
  new RefusalError({
    code: 'integrity',
    detail: `entry ${sequence} of ${stream} is not what was signed`,
    facts: { sequence },
    hint: 'agent-cli verify',
  });
