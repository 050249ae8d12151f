/** Reads states as the key signs them: what the snapshot and the entries after it prove (src/state). */
import type { Entry } from '../codec/entry.js';
import type { Event } from '../codec/event.js';
import { placedOn, type Stream } from '../domain/stream.js';
import { requireRow } from '../journal/reader.js';
import { publicKeyOf } from '../journal/keys.js';
import { entryInPlace, requireSigned, sequencesByIndex, streamPlaces, streamState } from '../journal/stream.js';
import { nameIn } from '../state/schema.js';
import type { PendingRecord } from '../state/positions.js';
import type { Proven } from '../state/proven.js';
import { type Table, unreadable } from '../state/table.js';
import { type Db, prepared } from '../store/database.js';
import { compare, differs, integrityOf, tolerating, type StateComparison } from './compare.js';
import { connectionOf } from './connection.js';

/** Whether what is read in this snapshot is proven as a whole, not entry by entry. */
export const isProven = (db: Db): boolean => connectionOf(db).proven !== null;

/** Returns the state of one stream. @throws RefusalError `integrity`, unless the connection tolerates damage */
export const readOne = <State>(db: Db, table: Table<State>, id: string): State | null =>
  reading(db, () => readCompared(db, table, id).state);

/** Returns the state by the proof, or by the signed entries alone where there is none. Call it in `reading`. */
function readCompared<State>(db: Db, table: Table<State>, id: string): StateComparison<State> {
  const { proven, damage } = connectionOf(db);
  const stream = table.stream.nameOf(id);
  const states = proven?.storedStates(stream) ?? null;
  if (proven !== null && states !== null) return { state: proven.schema.of(stream).stateIn(table, states), isDoubtful: false };
  if (proven !== null) damage.report(differs(table, id));
  return compare(db, table, id);
}

/**
 * Returns what `read` returns, of one moment. When it finds damage that the connection tolerates, it reads again: then by the entries alone.
 * @throws RefusalError `integrity` when the connection does not tolerate damage
 */
export const reading = <A>(db: Db, read: () => A): A =>
  connectionOf(db).snapshot(() => {
    const connection = connectionOf(db);
    if (connection.proven === null) return read();
    const found = tolerating(db, () => ({ value: read() }));
    return found === null || connection.proven === null ? read() : found.value;
  });

export interface Selection {
  /** The codes of the states; all when absent. */
  readonly codes?: readonly string[];
  /** Only streams whose newest entry is before, or after, this one. */
  readonly before?: number | undefined;
  readonly after?: number | undefined;
  readonly oldestFirst?: boolean;
}

/** A thing of a list, of which no more is read than is asked for. */
export interface ListedState<State> {
  /** Sequence of the newest entry of its stream. */
  readonly position: number;
  readonly state: () => State | null;
}

/**
 * Yields the things of a table in the order of their newest entries, the newest first. None is left out: the signed numbers of states by code
 * say where they are. Call it in a snapshot.
 */
export function* list<State>(db: Db, table: Table<State>, selection: Selection = {}): Generator<ListedState<State>> {
  const proven = connectionOf(db).proven;
  if (proven !== null) {
    for (const { position, read } of places(db, proven, table, selection)) yield { position, state: () => read().state };
    return;
  }
  const { codes = table.codes, before = Number.POSITIVE_INFINITY, after = 0, oldestFirst = false } = selection;
  const sign = oldestFirst ? -1 : 1;
  for (const { id, last } of streamPlaces(db, table.stream).toSorted((a, b) => sign * (b.last - a.last))) {
    if (last >= before || last <= after) continue;
    const { state } = compare(db, table, id);
    if (state !== null && codes.includes(table.codeOf(state))) yield { position: last, state: () => state };
  }
}

/** Yields the states of what is listed. Call it in a snapshot. */
function* readStates<State>(db: Db, table: Table<State>, selection: Selection = {}): Generator<State> {
  for (const { state: read } of list(db, table, selection)) {
    const state = read();
    if (state !== null) yield state;
  }
}

interface Place<State> {
  readonly position: number;
  readonly read: () => StateComparison<State> & { readonly id: string };
}

/** Yields the places of what a selection names. */
function* places<State>(
  db: Db,
  proven: Proven,
  table: Table<State>,
  { codes = table.codes, before = Number.POSITIVE_INFINITY, after = 0, oldestFirst = false }: Selection,
): Generator<Place<State>> {
  const wanted = new Set(codes.map((code) => proven.schema.numberOf(table, code)));
  const recent = proven.tail.streams().flatMap((stream): Place<State>[] => {
    const [id, position] = [table.stream.idOf(stream), proven.tail.newestOf(stream)];
    if (id === null || position >= before || position <= after) return [];
    const isWanted = wanted.has(proven.codeOf(stream));
    return isWanted ? [{ position, read: () => ({ id, ...readCompared(db, table, id) }) }] : [];
  });
  if (!oldestFirst) yield* recent;
  const moved = proven.movedPositions();
  for (const placed of proven.positions.walk((code) => wanted.has(code), { before, after, oldestFirst })) {
    const { position } = placed;
    if (!moved.has(position)) yield { position, read: () => readPlaced(db, proven, table, placed) };
  }
  if (oldestFirst) yield* recent.toReversed();
}

function readPlaced<State>(
  db: Db,
  proven: Proven,
  table: Table<State>,
  placed: PendingRecord,
): StateComparison<State> & { readonly id: string } {
  const { stream, states } = proven.standingAt(placed);
  const id = table.stream.idOf(stream) ?? '';
  if (states === null) return { id, ...readCompared(db, table, id) };
  return { id, state: proven.schema.of(stream).stateIn(table, states), isDoubtful: false };
}

/** Returns the states of all streams of a table by id; with codes, of those that have one of them, and where damage is known of others too. */
export const readAll = <State>(
  db: Db,
  table: Table<State>,
  selection: Pick<Selection, 'codes'> = {},
): ReadonlyMap<string, StateComparison<State>> =>
  reading(db, () => {
    const proven = connectionOf(db).proven;
    const all =
      proven === null
        ? idsByEntries(db, table).map((id) => ({ id, ...compare(db, table, id) }))
        : Array.from(places(db, proven, table, selection), ({ read }) => read());
    return new Map(all.map(({ id, ...compared }) => [id, compared]));
  });

/**
 * Returns the states by the signed entries alone, also where damage is known. A stream of which an entry may be hidden is left out, which is
 * every one when the entries after the snapshot are not what was signed.
 */
export const readProven = <State>(db: Db, table: Table<State>, ids: Iterable<string>): ReadonlyMap<string, State | null> =>
  connectionOf(db).snapshot(() => {
    const proven = connectionOf(db).provenEntries;
    const states = new Map<string, State | null>();
    if (proven === null) return states;
    for (const id of ids) {
      try {
        states.set(id, proven.stateOf(table, id));
      } catch (error) {
        integrityOf(error);
      }
    }
    return states;
  });

/** Returns the ids of all streams, also of those whose entries are hidden and that have a row. */
const idsByEntries = (db: Db, table: Table): string[] => [
  ...new Set([...streamPlaces(db, table.stream).map(({ id }) => id), ...idsByTable(db, table, 'true', {})]),
];

/** Returns the ids of the rows that a condition selects. */
const idsByTable = (db: Db, { name, key }: Table, condition: string, values: Readonly<Record<string, unknown>>): string[] =>
  tolerating(db, () => {
    try {
      const sql = `SELECT ${key ?? 1} AS id FROM ${name} WHERE ${condition}`;
      return prepared<[Readonly<Record<string, unknown>>], { id: string }>(db, sql).all(values);
    } catch (error) {
      throw unreadable(name, error);
    }
  })?.map(({ id }) => id) ?? [];

/**
 * Yields the states that belong to a group, those that joined it last first. Call it in a snapshot.
 * @param group as the table's `groupsOf` names it
 * @param before only the states whose first entry is before this one; for a group that each joins with its first entry
 */
export function* readGroup<State>(db: Db, table: Table<State>, group: string, before?: number): Generator<State> {
  const proven = connectionOf(db).proven;
  const isIn = (state: State): boolean => table.groupsOf?.(state).includes(group) ?? false;
  if (proven === null) {
    const places = streamPlaces(db, table.stream).toSorted((a, b) => b.first - a.first);
    for (const { id, first } of places) {
      if (before !== undefined && first >= before) continue;
      const { state } = compare(db, table, id);
      if (state !== null && isIn(state)) yield state;
    }
    return;
  }
  for (const stream of proven.membersOf(nameIn(table, group), before)) {
    const id = table.stream.idOf(stream);
    const state = id === null ? null : readCompared(db, table, id).state;
    if (state !== null && isIn(state)) yield state;
  }
}

/** Returns the number of states by code. */
export const countStates = <State>(db: Db, table: Table<State>): ReadonlyMap<string, number> =>
  reading(db, () => {
    const proven = connectionOf(db).proven;
    const counts = new Map<string, number>();
    if (proven !== null) for (const code of table.codes) counts.set(code, proven.count(proven.schema.numberOf(table, code)));
    else for (const state of readStates(db, table)) counts.set(table.codeOf(state), (counts.get(table.codeOf(state)) ?? 0) + 1);
    return counts;
  });

/** Returns the states that a selection yields, at most `limit`. */
export const takeStates = <State>(db: Db, table: Table<State>, selection: Selection, limit = Number.POSITIVE_INFINITY): State[] =>
  reading(db, () => take(readStates(db, table, selection), limit));

/** Returns the states of a group, at most `limit`. @param before as `readGroup` takes it */
export const takeGroup = <State>(
  db: Db,
  table: Table<State>,
  group: string,
  limit = Number.POSITIVE_INFINITY,
  before?: number,
): State[] => reading(db, () => take(readGroup(db, table, group, before), limit));

/** Returns the state that joined a group last, or null. */
export const readNewestOf = <State>(db: Db, table: Table<State>, group: string): State | null =>
  takeGroup(db, table, group, 1)[0] ?? null;

function take<State>(states: Iterable<State>, limit: number): State[] {
  const taken: State[] = [];
  for (const state of states) {
    if (taken.length >= limit) break;
    taken.push(state);
  }
  return taken;
}

/** Whether an id begins with a prefix. */
export const beginning = 'substr(id, 1, @length) = @prefix';

/** Returns the states whose ids begin with a prefix, for what a person names so: each is proven, but not that no row is missing. */
export const readByPrefix = <State>(
  db: Db,
  table: Table<State>,
  prefix: string,
  limit: number,
  condition = `${beginning} ORDER BY id`,
): State[] =>
  reading(db, () => {
    const ids = idsByTable(db, table, `${condition} LIMIT @limit`, { length: prefix.length, prefix, limit });
    return ids.flatMap((id) => readCompared(db, table, id).state ?? []);
  });

/**
 * Returns the entries of a stream, of which none is missing. Where damage is tolerated, those that cannot be read are left out.
 * @param name of the stream
 * @param isNeeded whether an entry with this text must be among them; by default each, but it takes time to decode them
 */
export const readStream = (db: Db, name: string, isNeeded?: (text: string) => boolean): Entry[] =>
  reading(
    db,
    () =>
      connectionOf(db).proven?.entriesOf(name, isNeeded) ??
      sequencesByIndex(db, name).flatMap(
        (sequence) => tolerating(db, () => entryInPlace(db, { ...requireRow(db, sequence), mission: name })) ?? [],
      ),
  );

/** Returns the state of one stream by its signed entries alone, whatever its rows hold. @throws RefusalError `integrity` */
export const readSigned = <State>(db: Db, table: Table<State>, id: string): State | null =>
  connectionOf(db).snapshot(() => {
    const proven = connectionOf(db).proven;
    const byEntries = (): State | null =>
      streamState(db, table.stream, id, (entry) => requireSigned(entry, publicKeyOf(entry.identity)));
    if (proven === null) return byEntries();
    try {
      return proven.stateOf(table, id);
    } catch (error) {
      // A damaged snapshot is damage of the tables, which rebuild repairs; any other reader has refused it.
      if (integrityOf(error).facts?.['table'] === undefined) throw error;
      return byEntries();
    }
  });

/** Returns the events of a stream, of which none is missing. @param isNeeded as `readStream` takes it */
export const readEvents = <A extends Event>(
  db: Db,
  stream: Stream<unknown, A>,
  id: string,
  isNeeded?: (text: string) => boolean,
): A[] => readStream(db, stream.nameOf(id), isNeeded).flatMap((entry) => placedOn(stream, entry)?.event ?? []);

/**
 * Returns the sequences of a stream's entries after a sequence, of which none is missing, unless damage is tolerated: for streams that are too
 * long to be held as a whole. Call it in the snapshot in which the entries are read.
 */
export const readSequences = (db: Db, name: string, after = 0): number[] =>
  reading(db, () => connectionOf(db).proven?.sequencesOf(name, after) ?? sequencesByIndex(db, name, after));
