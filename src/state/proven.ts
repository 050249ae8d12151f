/**
 * The state of a journal as its key signs it: a snapshot of an earlier size and every entry since. Nothing that a table, a column or an index
 * says is believed: the snapshot's two trees prove which entry is the newest of a stream and what its rows are, and the entries since, the
 * tail, are hashed up to the root that the newest checkpoint signs (docs/journal-format.md, "State snapshot").
 *
 * Call it in a read transaction, so that all it reads is of one moment.
 */
import { isDeepStrictEqual } from 'node:util';
import { Recent } from '../base/recent.js';
import { RefusalError } from '../base/refusal.js';
import type { Entry, StoredEntry } from '../codec/entry.js';
import { damagedEntry, entryOf, newestCheckpoint, placeIn, readHead, readRow } from '../journal/reader.js';
import { sameBytes } from '../journal/merkle.js';
import { dataVersion, type Db, prepared } from '../store/database.js';
import type { PositionRecord } from './block.js';
import {
  type Schema,
  nextHistory,
  no_history,
  rowDigest,
  type StreamStates,
  type StreamTables,
  type TableRows,
} from './schema.js';
import { groupSize, memberKey, nameKey, Names } from './names.js';
import { Positions, type PendingRecord } from './positions.js';
import { openSnapshot, type Snapshot } from './snapshot-note.js';
import type { Table } from './table.js';
import { storedSnapshot, type SnapshotStore } from './stored.js';
import { type AppendedEntries, entryIn, nothingAppended, Tail } from './tail.js';

/** Streams with more entries keep their rows as of the snapshot, so that the entries since are all that is read. */
export const long_stream_entries = 64;
/** Streams that are remembered. */
const streams_known_max = 4_096;

/** The newest entry of a stream as of the snapshot. */
export interface Standing {
  /** Sequence of its first entry. */
  readonly first: number;
  readonly position: number;
  readonly record: PositionRecord;
}

interface ProvenStream {
  /** The newest entry of the stream that the states contain. */
  readonly hash: string;
  readonly states: StreamStates;
}

/** How far a stream was read: the sequences of its entries, and their history. */
export interface Walk {
  readonly sequences: number[];
  history: Buffer;
}

export const newWalk = (): Walk => ({ sequences: [], history: no_history });

const columns = 'seq, mission, body, hash, signature';

/** Why the state cannot be read by a snapshot: it has to be made from all entries first. */
export class NoSnapshot extends Error {}

export class Proven {
  private snapshot: Snapshot;
  readonly positions: Positions;
  readonly names: Names;
  /** The entries after the snapshot. */
  readonly tail: Tail;
  private readonly store: SnapshotStore;
  private readonly stored: SnapshotStore;
  /** The stored note when this was made, also where the snapshot is a given one. */
  private note: string | null;
  private readonly standings = new Recent<string, Standing | null>(streams_known_max);
  /** Standings that were compared with all entries of their stream, or with its rows. */
  private readonly compared = new WeakSet<Standing>();
  /** States as of the snapshot. */
  private readonly settled = new WeakMap<Standing, StreamStates>();
  /** The states that the rows of a stream hold, by the position of its newest entry: they are those of the entries up to there. */
  private readonly decoded = new Recent<number, StreamStates>(streams_known_max);
  private readonly known = new Recent<string, ProvenStream>(streams_known_max);
  private seen: number | undefined;

  /**
   * @param given the snapshot, when it is not the stored one
   * @throws NoSnapshot when there is none of this journal, RefusalError `integrity` when an entry after it is not what was signed
   */
  constructor(
    private readonly db: Db,
    private readonly publicKey: Buffer,
    readonly schema: Schema,
    appended: AppendedEntries = nothingAppended,
    given: SnapshotStore | null = null,
  ) {
    this.stored = storedSnapshot(db);
    this.store = given ?? this.stored;
    this.note = this.stored.note();
    this.snapshot = this.requireSnapshot();
    const { size, root } = this.snapshot;
    this.positions = new Positions(this.store.position, size, this.snapshot.positions);
    this.names = new Names(this.store.name, this.snapshot.names);
    if (readRow(db, size) === undefined) throw new NoSnapshot('the snapshot is of more entries than there are');
    this.tail = new Tail(db, size, root, appended);
    if (!this.tail.isOfJournal) throw new NoSnapshot('the snapshot is of another journal');
    this.refresh();
  }

  private requireSnapshot(): Snapshot {
    const note = this.store.note();
    const snapshot = note === null ? null : openSnapshot(note, this.publicKey, newestCheckpoint(this.db, this.publicKey).origin);
    if (snapshot === null) throw new NoSnapshot('there is no snapshot that this key signed');
    if (!sameBytes(snapshot.codecs, this.schema.digest)) throw new NoSnapshot('the snapshot is of other tables');
    return snapshot;
  }

  /** Number of entries of which the snapshot is the state. */
  get base(): number {
    return this.snapshot.size;
  }

  get origin(): string {
    return this.snapshot.origin;
  }

  /**
   * Reads the entries that were recorded since. Returns whether the state can still be read: after another process stored a snapshot it
   * cannot, because the nodes of this one are gone, and a given one is no longer needed.
   */
  refresh(head = readHead(this.db)): boolean {
    const version = dataVersion(this.db);
    const isCurrent = this.tail.isCurrent(head);
    if (version === this.seen && isCurrent) return true;
    if (version !== this.seen && this.stored.note() !== this.note) return false;
    const newest = newestCheckpoint(this.db, this.publicKey);
    // The log has another origin after a restore or an accepted rollback.
    if (newest.origin !== this.snapshot.origin) return false;
    this.tail.follow(head, newest);
    this.seen = version;
    return true;
  }

  /** Returns what the snapshot says of a stream; null when it had no entry. @throws RefusalError `integrity` when its newest entry is hidden */
  standingOf(stream: string): Standing | null {
    const known = this.standings.get(stream);
    if (known !== undefined) return known;
    const first = this.names.get(nameKey('stream', stream));
    let standing: Standing | null = null;
    if (first !== null) {
      const sql = 'SELECT max(seq) AS seq FROM events WHERE mission = ? AND seq <= ?';
      const position = prepared<[string, number], { seq: number | null }>(this.db, sql).get(stream, this.base)?.seq ?? null;
      const record = position === null ? null : this.positions.at(position);
      if (position === null || record === null) throw hidden(stream, position ?? first);
      standing = { first, position, record };
    }
    this.standings.set(stream, standing);
    return standing;
  }

  /** The code that a stream has after its newest entry. */
  codeOf(stream: string): number {
    return this.schema.of(stream).codeOf(this.statesOf(stream));
  }

  /** The number of streams that have a code after their newest entries. */
  count(number: number): number {
    let count = this.positions.counts().get(number) ?? 0;
    for (const stream of this.tail.streams()) {
      if (this.comparedStandingOf(stream)?.record.code === number) count--;
      if (this.codeOf(stream) === number) count++;
    }
    return count;
  }

  /**
   * Returns the stream whose newest entry as of the snapshot is at a position, and its states by its stored rows: null when these are not what
   * its entries make. @throws RefusalError `integrity` when the position is that of an entry of another stream
   */
  standingAt({ position, record }: PendingRecord): { readonly stream: string; readonly states: StreamStates | null } {
    const stream = this.streamNamedAt(position);
    const tables = this.schema.of(stream);
    const rows = tables.storedRows(this.db, stream);
    if (matchesRows(tables, stream, rows, { position, record: record() }))
      return { stream, states: this.statesBy(tables, position, rows) };
    // The column may name another stream than the entry: then the stream's entries are not those of the record.
    if (this.comparedStandingOf(stream)?.position !== position) throw hidden(stream, position);
    return { stream, states: null };
  }

  /** Returns what the snapshot says of a stream, compared with the stream's entries. @throws RefusalError `integrity` */
  private comparedStandingOf(stream: string): Standing | null {
    const standing = this.standingOf(stream);
    if (standing !== null && !this.compared.has(standing)) this.statesAtBase(stream);
    return standing;
  }

  /** The positions of records whose streams have entries after the snapshot. */
  movedPositions(): ReadonlySet<number> {
    return new Set(this.tail.streams().map((stream) => this.comparedStandingOf(stream)?.position ?? 0));
  }

  private streamNamedAt(position: number): string {
    const stream = prepared<[number], { mission: unknown }>(this.db, 'SELECT mission FROM events WHERE seq = ?').get(
      position,
    )?.mission;
    if (typeof stream === 'string') return stream;
    throw damagedEntry(position, stream === undefined ? 'the entry is missing' : 'the name of its stream is no text');
  }

  /**
   * Returns every entry of a stream, each as it was signed, or at least those of whose text `isNeeded` says so.
   * @throws RefusalError `integrity` when one is hidden or altered
   */
  entriesOf(stream: string, isNeeded?: (text: string) => boolean): Entry[] {
    return [...this.entriesTo(stream, isNeeded), ...this.tail.of(stream).map(entryIn)];
  }

  /**
   * Returns the sequences of the entries of a stream after a sequence, none of which is hidden or altered. Their rows are to be read in the
   * same transaction.
   * @param walk goes on by at most `limit` entries; while it is not at the end, null is returned
   * @throws RefusalError `integrity` when one is hidden or altered
   */
  sequencesOf(stream: string, after: number, walk = newWalk(), limit = -1): number[] | null {
    const isRecent = (this.comparedStandingOf(stream)?.position ?? 0) <= after;
    const end = walk.sequences.length + limit;
    if (!isRecent) for (const _ of this.rowsTo(stream, walk, limit));
    if (!isRecent && walk.sequences.length === end) return null;
    return [...(isRecent ? [] : walk.sequences), ...this.tail.of(stream).map(({ row }) => row.seq)].filter((seq) => seq > after);
  }

  /** The entries of a stream as of the snapshot. */
  private entriesTo(stream: string, isNeeded: (text: string) => boolean = () => true): Entry[] {
    return [...this.rowsTo(stream)].filter(({ body }) => isNeeded(body)).map((row) => entryOf(row));
  }

  /** Yields the next rows of a stream as of the snapshot; all that the walk has passed are proven when the last one has been read. */
  private *rowsTo(stream: string, walk = newWalk(), limit = -1): Generator<StoredEntry> {
    const standing = this.standingOf(stream);
    if (standing === null) return;
    const { sequences } = walk;
    const end = sequences.length + limit;
    const sql = `SELECT ${columns} FROM events WHERE mission = ? AND seq > ? AND seq <= ? ORDER BY seq LIMIT ?`;
    const rows = prepared<[string, number, number, number], StoredEntry>(this.db, sql);
    for (const row of rows.iterate(stream, sequences.at(-1) ?? Number.MIN_SAFE_INTEGER, this.base, limit)) {
      const place = placeIn(this.db, row);
      if (place?.stream !== stream || place.sequence !== row.seq) throw damagedEntry(row.seq, 'the stream is not the signed one');
      walk.history = nextHistory(walk.history, row.seq, row.hash);
      sequences.push(row.seq);
      yield row;
    }
    if (sequences.length === end) return;
    const { record, position, first } = standing;
    if (sequences.length !== record.count || !walk.history.equals(record.history) || sequences[0] !== first)
      throw hidden(stream, position);
    this.compared.add(standing);
  }

  /**
   * Yields the streams of a group, those that joined it last first. Whether a stream still has what the group is named for is for the caller
   * to see.
   * @param before only the streams whose first entry is before this one; for a group that each stream joins with its first entry
   */
  *membersOf(group: string, before?: number): Generator<string> {
    for (const stream of this.joined(group))
      if (before === undefined || (this.tail.of(stream)[0]?.row.seq ?? 0) < before) yield stream;
    for (let ordinal = groupSize(this.names, group, before); ordinal > 0; ordinal--) {
      const first = this.names.get(memberKey(group, ordinal));
      const stream = first === null ? group : this.streamNamedAt(first);
      if (this.names.get(nameKey('stream', stream)) !== first) throw hidden(group, first ?? 0);
      yield stream;
    }
  }

  /** The streams that joined a group after the snapshot. */
  private joined(group: string): readonly string[] {
    const isIn = (tables: StreamTables, states: StreamStates): boolean => tables.groupsOf(states).includes(group);
    return this.tail
      .streams()
      .filter((stream) => {
        const tables = this.schema.of(stream);
        return isIn(tables, this.statesOf(stream)) && !isIn(tables, this.statesAtBase(stream));
      })
      .toSorted((a, b) => (this.tail.of(b)[0]?.row.seq ?? 0) - (this.tail.of(a)[0]?.row.seq ?? 0));
  }

  /** Returns the states of a stream after its newest entry. */
  statesOf(stream: string): StreamStates {
    const tables = this.schema.of(stream);
    const tail = this.tail.of(stream);
    const known = this.known.get(stream);
    const at = known === undefined ? -1 : tail.findLastIndex(({ row }) => row.hash === known.hash);
    let states = known !== undefined && at >= 0 ? known.states : this.statesAtBase(stream);
    for (const item of tail.slice(at + 1)) states = tables.after(states, entryIn(item));
    const newest = tail.at(-1);
    if (newest !== undefined) this.known.set(stream, { hash: newest.row.hash, states });
    return states;
  }

  /** Returns the state of one stream in a table. @throws RefusalError `integrity` when an entry of it is hidden */
  stateOf<State>(table: Table<State>, id: string): State | null {
    const stream = table.stream.nameOf(id);
    return this.schema.of(stream).stateIn(table, this.statesOf(stream));
  }

  /** Returns the states of a stream as of the snapshot. */
  statesAtBase(stream: string): StreamStates {
    const tables = this.schema.of(stream);
    const standing = this.standingOf(stream);
    if (standing === null) return tables.initial;
    const states = this.settled.get(standing) ?? this.readStates(tables, stream, standing);
    this.keep(stream, standing, states);
    return states;
  }

  /** Returns the states that rows hold, which were compared with the digest of the record at a position: they are decoded once. */
  private statesBy(tables: StreamTables, position: number, rows: TableRows): StreamStates {
    const states = this.decoded.get(position) ?? tables.statesIn(rows);
    this.decoded.set(position, states);
    return states;
  }

  private readStates(tables: StreamTables, stream: string, standing: Standing): StreamStates {
    const text = standing.record.count > long_stream_entries ? this.store.rows(stream) : null;
    if (text !== null && isText(stream, standing, text)) return tables.statesIn(tables.rowsIn(text));
    return this.entriesTo(stream).reduce((states, entry) => tables.after(states, entry), tables.initial);
  }

  /** Remembers the proven states of a stream as of the snapshot, or of the one that is being made. */
  keep(stream: string, standing: Standing, states: StreamStates): void {
    this.standings.set(stream, standing);
    this.compared.add(standing);
    this.settled.set(standing, states);
  }

  /** Goes on with a newer snapshot, which is stored: its nodes and the streams that changed are known. */
  moveTo(snapshot: Snapshot, note: string): void {
    this.snapshot = snapshot;
    this.note = note;
    this.tail.moveTo(snapshot.size, snapshot.root);
  }

  /** Whether the rows of a long stream as of the snapshot are stored. */
  hasRowsAtBase(stream: string): boolean {
    const [standing, text] = [this.standingOf(stream), this.store.rows(stream)];
    return standing !== null && text !== null && isText(stream, standing, text);
  }

  /** Whether the snapshot has these roots. */
  hasRoots({ positions, names }: Pick<Snapshot, 'positions' | 'names'>): boolean {
    return sameBytes(this.snapshot.positions, positions) && sameBytes(this.snapshot.names, names);
  }

  /**
   * Returns the states of a stream by its stored rows; null when these are not what its entries make.
   * @throws RefusalError `integrity` when the entries themselves are not what was signed
   */
  storedStates(stream: string): StreamStates | null {
    const tables = this.schema.of(stream);
    const rows = tables.storedRows(this.db, stream);
    const standing = this.tail.of(stream).length > 0 ? null : this.standingOf(stream);
    if (standing !== null)
      return matchesRows(tables, stream, rows, standing) ? this.statesBy(tables, standing.position, rows) : null;
    const states = this.statesOf(stream);
    return isDeepStrictEqual(tables.rowsOf(states), rows) ? states : null;
  }
}

type Standpoint = Pick<Standing, 'position' | 'record'>;

/** Whether a text is that of a stream's rows as of the snapshot. */
const isText = (stream: string, { position, record }: Standpoint, text: string): boolean =>
  rowDigest(stream, position, text).equals(record.row);

/** Whether stored rows are those of a stream as of the snapshot. */
export function matchesRows(tables: StreamTables, stream: string, rows: TableRows, standing: Standpoint): boolean {
  const text = tables.storedTextOf(rows);
  return text !== null && isText(stream, standing, text);
}

const hidden = (stream: string, sequence: number): RefusalError =>
  new RefusalError('integrity', `an entry of ${stream} is hidden`, { facts: { sequence }, hint: 'agent-cli verify' });
