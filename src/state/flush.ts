/**
 * Moves the snapshot up to newer entries, in a transaction of its own after the answer of a command has gone out. Every node is compared with
 * the signed root before it is changed, and the digest of a row comes from the verified state and the verified entries, never from the row:
 * what is not signed cannot get into a snapshot.
 */
import type { Entry } from '../codec/entry.js';
import type { Signer } from '../journal/keys.js';
import type { Db } from '../store/database.js';
import type { PositionRecord } from './block.js';
import { nextHistory, no_history, rowDigest, type StreamStates, type StreamTables } from './schema.js';
import { groupSize, memberKey, nameKey, type Names } from './names.js';
import { long_stream_entries, type Proven, type Standing } from './proven.js';
import type { Positions } from './positions.js';
import { signSnapshot } from './snapshot-note.js';
import { storeSnapshot } from './stored.js';
import { entryIn } from './tail.js';

/** The snapshot is moved when at least so many entries, or bytes of entries, follow it. */
export const tail_entries_max = 256;
export const tail_bytes_max = 1_048_576;
/** Entries that one transaction takes into the snapshot. */
export const flush_entries_max = 2_048;

/** Returns whether so many entries follow the snapshot that it should be moved. */
export const isDue = ({ tail }: Proven): boolean => tail.entries.length >= tail_entries_max || tail.bytes >= tail_bytes_max;

/** Returns whether more entries follow the snapshot than it has: to make it of all entries is quicker than to move it so often. */
export const isLong = ({ base, tail }: Proven): boolean => tail.entries.length > Math.max(base, flush_entries_max);

/** A stream as the new snapshot will have it. */
export interface Moving {
  readonly name: string;
  readonly tables: StreamTables;
  readonly first: number;
  /** What the snapshot before says of it, or null. */
  readonly before: Standing | null;
  states: StreamStates;
  groups: readonly string[];
  position: number;
  count: number;
  history: Buffer;
}

/** Adds an entry to its stream. Returns the groups that the stream joins with it. */
export function move(stream: Moving, entry: Entry): readonly string[] {
  const { groups } = stream;
  stream.states = stream.tables.after(stream.states, entry);
  stream.position = entry.sequence;
  stream.count++;
  stream.history = nextHistory(stream.history, entry.sequence, entry.hash);
  stream.groups = stream.tables.groupsOf(stream.states);
  return stream.groups.filter((group) => !groups.includes(group));
}

export const begun = (name: string, tables: StreamTables, first: number): Moving => ({
  name,
  tables,
  first,
  before: null,
  states: tables.initial,
  groups: [],
  position: first,
  count: 0,
  history: no_history,
});

/** Adds a stream to a group, in the place after those that it has. */
export const join = (names: Names, group: string, first: number): void =>
  names.add(memberKey(group, groupSize(names, group) + 1), first);

/**
 * Stores the snapshot with the next entries of the tail. Call it in a write transaction, with a state that is up to date; when the transaction
 * is undone, the state is of no use any more. Returns whether many entries still follow.
 */
export function flush(db: Db, signer: Signer, proven: Proven): boolean {
  const { tail, positions, names, schema, origin } = proven;
  const entries = tail.entries.slice(0, flush_entries_max);
  const size = proven.base + entries.length;
  const streams = new Map<string, Moving>();
  for (const one of entries) {
    const { row } = one;
    const stream = streams.get(row.mission) ?? movingOf(proven, row.mission, row.seq);
    streams.set(row.mission, stream);
    for (const group of move(stream, entryIn(one))) join(names, group, stream.first);
  }
  positions.grow(size);
  const long = new Map<string, string>();
  for (const [name, stream] of streams) {
    if (stream.before === null) names.add(nameKey('stream', name), stream.first);
    else positions.set(stream.before.position, null);
    const { text, record } = settle(positions, stream);
    if (stream.count > long_stream_entries) long.set(name, text);
    proven.keep(name, { first: stream.first, position: stream.position, record }, stream.states);
  }
  const [sealed, named] = [positions.seal(), names.seal()];
  const root = tail.rootAt(size);
  const snapshot = { origin, size, root, positions: sealed.root, names: named.root, codecs: schema.digest };
  const note = signSnapshot(signer, snapshot);
  storeSnapshot(db, { note, positions: sealed.changed, names: named.changed, rows: long }, false);
  proven.moveTo(snapshot, note);
  return tail.entries.length >= tail_entries_max;
}

function movingOf(proven: Proven, name: string, sequence: number): Moving {
  const tables = proven.schema.of(name);
  const before = proven.standingOf(name);
  if (before === null) return begun(name, tables, sequence);
  const { first, position, record } = before;
  const states = proven.statesAtBase(name);
  return {
    name,
    tables,
    first,
    before,
    states,
    groups: tables.groupsOf(states),
    position,
    count: record.count,
    history: record.history,
  };
}

/** Sets the record of a stream's newest entry; returns it and the text of the stream's rows. */
export function settle(
  positions: Positions,
  { name, tables, states, position, count, history }: Moving,
): { readonly text: string; readonly record: PositionRecord } {
  const text = tables.textOf(tables.rowsOf(states));
  const record = { code: tables.codeOf(states), count, history, row: rowDigest(name, position, text) };
  positions.set(position, record);
  return { text, record };
}
