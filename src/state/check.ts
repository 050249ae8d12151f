/** Compares a whole snapshot, and every row of the tables, with the entries: for `verify`. */
import { RefusalError } from '../base/refusal.js';
import { isOriginOf } from '../journal/note.js';
import { newestCheckpoint } from '../journal/reader.js';
import type { Db } from '../store/database.js';
import { nextHistory, no_history, type Schema } from './schema.js';
import { nameKey, Names } from './names.js';
import { type PendingRecord, Positions } from './positions.js';
import { matchesRows, long_stream_entries, NoSnapshot, Proven, type Standing } from './proven.js';
import { openSnapshot } from './snapshot-note.js';
import { snapshotTables, storedSnapshot, storeSnapshot } from './stored.js';
import { temporaryDatabase } from '../store/temporary.js';
import { type Join, join, type Moving, settle, wholeStreams } from './build.js';

export interface SnapshotCheck {
  readonly db: Db;
  readonly publicKey: Buffer;
  readonly schema: Schema;
  /** Whether to make both trees again from all entries; else what says which entries and rows there are is compared. */
  readonly deep: boolean;
}

/** Why a snapshot is not one; `absent` when nothing of one is stored. */
export type SnapshotFault = { readonly detail: string; readonly sequence: number | null } | 'absent' | null;

/** Call it in a read transaction, when the entries themselves were verified. */
export function snapshotFault(check: SnapshotCheck): SnapshotFault {
  const { db, publicKey, schema } = check;
  try {
    const proven = new Proven(db, publicKey, schema);
    return faultOf(check, proven);
  } catch (error) {
    // One of before a restore or an accepted rollback is not used.
    if (error instanceof NoSnapshot) return isAbsent(db) || isOfOtherOrigin(db, publicKey) ? 'absent' : fault(error.message);
    if (!(error instanceof RefusalError) || error.refusal.code !== 'integrity') throw error;
    const sequence = error.refusal.facts?.['sequence'];
    return { detail: error.refusal.detail, sequence: typeof sequence === 'number' ? sequence : null };
  }
}

const fault = (detail: string): SnapshotFault => ({ detail, sequence: null });

const countOf = (db: Db, table: string): number => db.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get() ?? 0;

const isAbsent = (db: Db): boolean => snapshotTables.tables.every((table) => countOf(db, table) === 0);

function isOfOtherOrigin(db: Db, publicKey: Buffer): boolean {
  const note = storedSnapshot(db).note();
  const origin = note?.split('\n')[1] ?? '';
  return (
    note !== null &&
    isOriginOf(origin, publicKey) &&
    openSnapshot(note, publicKey, origin) !== null &&
    origin !== newestCheckpoint(db, publicKey).origin
  );
}

/** All records, in order: each block and the rows of its streams are read once. */
const everything = { before: Number.POSITIVE_INFINITY, after: 0, oldestFirst: true } as const;

function faultOf({ db, schema, deep }: SnapshotCheck, proven: Proven): SnapshotFault {
  const streams = new StreamCheck(db, proven);
  for (const placed of proven.positions.walk(() => true, everything)) {
    const found = streams.recordFault(placed);
    if (found !== null) return found;
  }
  const found = streams.fault();
  if (found !== null || !deep) return found;
  return proven.hasRoots(rebuiltRoots(db, schema, proven.base)) ? null : fault('the snapshot is not what the entries make');
}

type Place = [stream: string, hash: string];

/**
 * Compares each record of the trees with the entries of its stream, and the stream's rows, also of streams with entries after the snapshot; counts
 * what there is of each. The stream of each entry was compared with the signed one before.
 */
class StreamCheck {
  private readonly rows: Map<string, number>;
  private readonly place;
  private readonly entries;
  /** Entries of the streams that were compared. */
  private compared = 0;
  private long = 0;
  private isLongMissing = false;
  /** What is found of rows comes after what is found of the trees. */
  private rowsFault: SnapshotFault = null;
  /** Streams with entries after the snapshot. */
  private readonly recent: ReadonlySet<string>;

  constructor(
    private readonly db: Db,
    private readonly proven: Proven,
  ) {
    this.rows = new Map(proven.schema.tables.map(({ name }) => [name, 0]));
    this.recent = new Set(proven.tail.streams());
    this.place = db.prepare<[number], Place>('SELECT mission, hash FROM events WHERE seq = ?').raw();
    this.entries = db
      .prepare<[string, number], [number, string]>('SELECT seq, hash FROM events WHERE mission = ? AND seq <= ? ORDER BY seq')
      .raw();
  }

  recordFault({ position, record: read }: PendingRecord): SnapshotFault {
    const record = read();
    const { count, history } = record;
    const [name, hash] = this.place.get(position) ?? ['', ''];
    const own = count === 1 ? historyOf([[position, hash]]) : historyOf(this.entries.iterate(name, this.proven.base));
    if (own.last !== position || own.count !== count || !own.history.equals(history)) return otherEntries(name, position);
    this.compared += count;
    if (this.proven.names.get(nameKey('stream', name)) !== own.first)
      return { detail: `the snapshot lacks the stream ${name}`, sequence: own.first };
    if (count > long_stream_entries) {
      this.long++;
      this.isLongMissing ||= !this.proven.hasRowsAtBase(name);
    }
    if (!this.recent.has(name)) this.compareRows(name, { position, record });
    return null;
  }

  /** @param standing the stream's record, unless entries follow the snapshot */
  private compareRows(name: string, standing: Pick<Standing, 'position' | 'record'> | null): void {
    if (this.rowsFault !== null) return;
    const { proven, db } = this;
    const tables = proven.schema.of(name);
    const rows = tables.storedRows(db, name);
    const isProven = standing === null ? proven.storedStates(name) !== null : matchesRows(tables, name, rows, standing);
    if (!isProven) {
      const names = tables.all.map((table) => table.name);
      this.rowsFault = fault(`table ${names.join(' or ')} differs from what the entries of ${name} say`);
      return;
    }
    tables.all.forEach((table, i) => this.rows.set(table.name, (this.rows.get(table.name) ?? 0) + (rows[i]?.length ?? 0)));
  }

  /** Call it once, when all records were compared. */
  fault(): SnapshotFault {
    const { db, proven } = this;
    if (this.compared !== proven.base) return this.unknownStream();
    if (countOf(db, 'snapshot') !== 1) return fault('the table snapshot holds a second note');
    if (countOf(db, 'snapshot_position') !== proven.positions.size())
      return fault('the table snapshot_position holds foreign nodes');
    if (countOf(db, 'snapshot_name') !== proven.names.size()) return fault('the table snapshot_name holds foreign nodes');
    for (const name of this.recent) this.compareRows(name, null);
    return this.rowsFault ?? this.countFault();
  }

  /** Some entries are of streams that have no record, which is rare: they are searched for. */
  private unknownStream(): SnapshotFault {
    const newest = this.db.prepare<[number], [string, number]>(
      'SELECT mission, max(seq) FROM events NOT INDEXED WHERE seq <= ? GROUP BY mission',
    );
    for (const [name, last] of newest.raw().iterate(this.proven.base))
      if (this.proven.positions.at(last) === null) return otherEntries(name, last);
    return fault('the snapshot has not the entries of all streams');
  }

  private countFault(): SnapshotFault {
    for (const [table, count] of this.rows)
      if (countOf(this.db, table) !== count) return fault(`table ${table} holds rows of no entry`);
    return this.isLongMissing || countOf(this.db, 'snapshot_rows') !== this.long
      ? fault('the table snapshot_rows is not what was signed')
      : null;
  }
}

const otherEntries = (name: string, sequence: number): SnapshotFault => ({
  detail: `the snapshot has other entries of ${name}`,
  sequence,
});

/** Returns what a record says of a stream with these entries. */
function historyOf(entries: Iterable<readonly [sequence: number, hash: string]>) {
  let [first, last, count, history] = [0, 0, 0, no_history];
  for (const [sequence, hash] of entries) {
    if (count++ === 0) first = sequence;
    last = sequence;
    history = nextHistory(history, sequence, hash);
  }
  return { first, last, count, history };
}

// The roots of a snapshot, made again from all entries in memory that does not grow with their number: for `verify --deep`. The trees are kept
// in a temporary database, as a snapshot is in the journal's file, and from time to time their nodes are stored there and forgotten.

/** Changes of the trees that are held in memory. */
const held_changes_max = 4_096;
/** Joins of groups that are read at once. */
const joins_a_page = 1_000;

/** Returns the roots for the entries up to `size`, which were verified before. */
export function rebuiltRoots(db: Db, schema: Schema, size: number, changes_max = held_changes_max) {
  const trees = new StoredTrees(size, changes_max);
  try {
    for (const stream of wholeStreams(db, schema, size, { onJoin: trees.join })) trees.add(stream);
    return trees.roots();
  } finally {
    trees.close();
  }
}

type JoinedRow = [sequence: number, place: number, name: string, first: number];

class StoredTrees {
  private readonly db = temporaryDatabase();
  private readonly store = storedSnapshot(this.db);
  private readonly insert;
  private positions: Positions;
  private names: Names;
  private changes = 0;
  private joins = 0;

  constructor(
    private readonly size: number,
    private readonly changes_max: number,
  ) {
    this.db.exec(`${snapshotTables.ddl}
      CREATE TABLE joined(sequence INTEGER, place INTEGER, name TEXT, first INTEGER, PRIMARY KEY(sequence, place)) WITHOUT ROWID;
      BEGIN`);
    this.insert = this.db.prepare<JoinedRow>('INSERT INTO joined VALUES (?, ?, ?, ?)');
    this.positions = new Positions(this.store.position, size, null);
    this.names = new Names(this.store.name, null);
  }

  /** Adds a stream, whole. */
  add(stream: Moving): void {
    this.names.add(nameKey('stream', stream.name), stream.first);
    settle(this.positions, stream);
    this.changed();
  }

  /** Notes that a stream joins a group with an entry: the groups are made in the order of the entries. */
  readonly join = ({ group, sequence, first }: Join): void => void this.insert.run(sequence, this.joins++, group, first);

  /** Call it once, when all streams were added. */
  roots() {
    const page = this.db
      .prepare<[number, number, number], JoinedRow>(
        'SELECT sequence, place, name, first FROM joined WHERE (sequence, place) > (?, ?) ORDER BY sequence, place LIMIT ?',
      )
      .raw();
    let [sequence, place] = [0, 0];
    for (let rows = page.all(0, 0, joins_a_page); rows.length > 0; rows = page.all(sequence, place, joins_a_page)) {
      for (const row of rows) {
        join(this.names, row[2], row[3]);
        this.changed();
        [sequence, place] = row;
      }
    }
    return this.forget();
  }

  private changed(): void {
    if (++this.changes % this.changes_max === 0) this.forget();
  }

  /** Stores the nodes that were changed, and forgets all nodes. */
  private forget() {
    const [positions, names] = [this.positions.seal(), this.names.seal()];
    storeSnapshot(this.db, { note: '', positions: positions.changed, names: names.changed, rows: new Map() }, false);
    this.positions = new Positions(this.store.position, this.size, positions.root);
    this.names = new Names(this.store.name, names.root);
    return { positions: positions.root, names: names.root };
  }

  close(): void {
    this.db.close();
  }
}
