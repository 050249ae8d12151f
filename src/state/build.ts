/**
 * Makes a snapshot from all entries: for a new home, after a restore, and where there is none that counts. Every entry is hashed up to the
 * root that the newest checkpoint signs, so a journal of which a snapshot could be made was verified, but for its blobs and tiles.
 */
import type { Entry, StoredEntry } from '../codec/entry.js';
import type { Signer } from '../journal/keys.js';
import { hash_bytes, rootOfLeaves, sameBytes } from '../journal/merkle.js';
import type { Checkpoint } from '../journal/note.js';
import { damagedEntry, entryOf, placeIn } from '../journal/reader.js';
import { leafOf } from '../journal/tree.js';
import type { Db } from '../store/database.js';
import { nextHistory, no_history, rowDigest, type Schema, type StreamStates, type StreamTables } from './schema.js';
import { groupSize, memberKey, nameKey, Names } from './names.js';
import { Positions } from './positions.js';
import { long_stream_entries, type Proven, type Standing } from './proven.js';
import { signSnapshot } from './snapshot-note.js';
import { type SnapshotChange, storeSnapshot } from './stored.js';
import { entryIn } from './tail.js';

export interface BuildOptions {
  readonly db: Db;
  readonly schema: Schema;
  /** The checkpoint that covers the entries of which to make it. */
  readonly of: Pick<Checkpoint, 'origin' | 'size' | 'root'>;
  readonly onProgress?: (done: number, total: number) => void;
}

export interface Built extends Omit<SnapshotChange, 'note'>, Omit<Checkpoint, 'note'> {
  readonly roots: { readonly positions: Buffer; readonly names: Buffer };
}

const progress_entries = 10_000;

/** Reads the entries in the order of their streams, each stream as a whole. @throws RefusalError `integrity` */
export function buildSnapshot({ db, schema, of: { origin, size, root }, onProgress }: BuildOptions): Built {
  const building = new Building(db, size);
  let done = 0;
  const streams = wholeStreams(db, schema, size, {
    onRow(row) {
      building.check(row);
      if (++done % progress_entries === 0) onProgress?.(done, size);
    },
    onJoin: (join) => building.joins.push(join),
  });
  for (const stream of streams) building.add(stream);
  return { origin, ...building.finish(root) };
}

/** A stream that joins a group with an entry. */
export interface Join {
  readonly group: string;
  readonly sequence: number;
  /** Sequence of the stream's first entry. */
  readonly first: number;
}

interface Walk {
  readonly onRow?: (row: StoredEntry) => void;
  readonly onJoin: (join: Join) => void;
}

/** Yields every stream as of a size, with all its entries, one after the other. */
export function* wholeStreams(db: Db, schema: Schema, size: number, { onRow, onJoin }: Walk): Generator<Moving> {
  const rows = db.prepare<[], StoredEntry>('SELECT seq, mission, body, hash, signature FROM events ORDER BY mission, seq');
  let stream = null as Moving | null;
  for (const row of rows.iterate()) {
    const { seq, mission } = row;
    // A newer entry is of a transaction that is still open, or it is found when the entries after the snapshot are read.
    if (seq < 1 || seq > size) continue;
    onRow?.(row);
    if (stream?.name !== mission) {
      if (stream !== null) yield stream;
      stream = begun(mission, schema.of(mission), seq);
    }
    for (const group of move(stream, entryOf(row))) onJoin({ group, sequence: seq, first: stream.first });
  }
  if (stream !== null) yield stream;
}

/** Checks the entries, and makes the trees in memory. */
class Building {
  private readonly leaves: Buffer;
  private readonly found: Uint8Array;
  private readonly positions;
  private readonly names = new Names(() => null, null);
  readonly joins: Join[] = [];
  private readonly long = new Map<string, string>();

  constructor(
    private readonly db: Db,
    private readonly size: number,
  ) {
    this.leaves = Buffer.alloc(size * hash_bytes);
    this.found = new Uint8Array(size);
    this.positions = new Positions(() => null, size, null);
  }

  check(row: StoredEntry): void {
    const { seq, mission, hash, signature } = row;
    const place = placeIn(this.db, row);
    if (place?.sequence !== seq || place.stream !== mission) throw damagedEntry(seq, 'the stream is not the signed one');
    leafOf(hash, signature).copy(this.leaves, (seq - 1) * hash_bytes);
    this.found[seq - 1] = 1;
  }

  add(stream: Moving): void {
    this.names.add(nameKey('stream', stream.name), stream.first);
    const { text } = settle(this.positions, stream);
    if (stream.count > long_stream_entries) this.long.set(stream.name, text);
  }

  finish(root: Buffer): Omit<Built, 'origin'> {
    const missing = this.found.indexOf(0);
    if (missing >= 0) throw damagedEntry(missing + 1, 'the entry is missing');
    if (!sameBytes(rootOfLeaves(this.leaves), root)) throw damagedEntry(this.size, 'the checkpoint signs another root');
    for (const { group, first } of this.joins.toSorted((a, b) => a.sequence - b.sequence)) join(this.names, group, first);
    const [positions, names] = [this.positions.seal(), this.names.seal()];
    return {
      size: this.size,
      root,
      roots: { positions: positions.root, names: names.root },
      positions: positions.changed,
      names: names.changed,
      rows: this.long,
    };
  }
}

/** Returns the built snapshot with its signed note. */
export const signedBuild = (signer: Signer, schema: Schema, built: Built): SnapshotChange => {
  const { origin, size, root, roots, positions, names, rows } = built;
  return { note: signSnapshot(signer, { origin, size, root, ...roots, codecs: schema.digest }), positions, names, rows };
};

// Moves the snapshot up to newer entries, in a transaction of its own after the answer of a command has gone out. Every node is compared with
// the signed root before it is changed, and the digest of a row comes from the verified state and the verified entries, never from the row:
// what is not signed cannot get into a snapshot.

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
  for (const item of entries) {
    const { row } = item;
    const stream = streams.get(row.mission) ?? movingOf(proven, row.mission, row.seq);
    streams.set(row.mission, stream);
    for (const group of move(stream, entryIn(item))) join(names, group, stream.first);
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
export function settle(positions: Positions, { name, tables, states, position, count, history }: Moving) {
  const text = tables.textOf(tables.rowsOf(states));
  const record = { code: tables.codeOf(states), count, history, row: rowDigest(name, position, text) };
  positions.set(position, record);
  return { text, record };
}
