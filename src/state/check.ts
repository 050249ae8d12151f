/** Compares a whole snapshot, and every row of the tables, with the entries: for `verify`. */
import { RefusalError } from '../base/result.js';
import { isOriginOf } from '../journal/note.js';
import { newestCheckpoint } from '../journal/position.js';
import type { Db } from '../store/database.js';
import { type Families, nextHistory, no_history } from './family.js';
import { nameKey } from './names.js';
import { long_stream_entries, NoSnapshot, Proven } from './proven.js';
import { rebuiltRoots } from './rebuilt.js';
import { openSnapshot } from './snapshot-note.js';
import { snapshotTables, storedSnapshot } from './stored.js';

export interface SnapshotCheck {
  readonly db: Db;
  readonly publicKey: Buffer;
  readonly families: Families;
  /** Whether to make both trees again from all entries; else what says which entries and rows there are is compared. */
  readonly deep: boolean;
}

interface Stream {
  readonly name: string;
  readonly first: number;
  last: number;
  count: number;
  history: Buffer;
}

/** Why a snapshot is not one; `absent` when nothing of one is stored. */
export type SnapshotFault = { readonly detail: string; readonly sequence: number | null } | 'absent' | null;

/** Call it in a read transaction, when the entries themselves were verified. */
export function snapshotFault(check: SnapshotCheck): SnapshotFault {
  const { db, publicKey, families } = check;
  try {
    const proven = new Proven(db, publicKey, families);
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

function faultOf({ db, families, deep }: SnapshotCheck, proven: Proven): SnapshotFault {
  const streams = new StreamCheck(db, proven);
  for (const stream of streamsTo(db, proven.base)) {
    const found = streams.treeFault(stream);
    if (found !== null) return found;
    streams.compareRows(stream.name, stream);
  }
  const found = streams.fault();
  if (found !== null || !deep) return found;
  return proven.hasRoots(rebuiltRoots(db, families, proven.base)) ? null : fault('the snapshot is not what the entries make');
}

/**
 * Yields every stream as of a size, one after the other. The stream of each entry was compared with the signed one before. SQLite sorts them,
 * in a temporary file when they are many.
 */
function* streamsTo(db: Db, size: number): Generator<Stream> {
  const rows = db.prepare<[number], [number, string, string]>(
    'SELECT seq, mission, hash FROM events NOT INDEXED WHERE seq <= ? ORDER BY mission, seq',
  );
  let stream = null as Stream | null;
  for (const [seq, name, hash] of rows.raw().iterate(size)) {
    if (stream?.name !== name) {
      if (stream !== null) yield stream;
      stream = { name, first: seq, last: seq, count: 0, history: no_history };
    }
    stream.last = seq;
    stream.count++;
    stream.history = nextHistory(stream.history, seq, hash);
  }
  if (stream !== null) yield stream;
}

/** Compares each stream with the trees, and its rows, also of those with entries after the snapshot; counts what there is of each. */
class StreamCheck {
  private readonly rows: Map<string, number>;
  private streams = 0;
  private long = 0;
  private isLongMissing = false;
  /** What is found of rows comes after what is found of the trees. */
  private rowsFault: SnapshotFault = null;
  /** Streams with entries after the snapshot that were not compared yet. */
  private readonly recent: Set<string>;

  constructor(
    private readonly db: Db,
    private readonly proven: Proven,
  ) {
    this.rows = new Map(proven.families.all.map(({ table }) => [table, 0]));
    this.recent = new Set(proven.tail.streams());
  }

  treeFault({ name, first, last, count, history }: Stream): SnapshotFault {
    this.streams++;
    const { positions, names } = this.proven;
    const record = positions.at(last);
    if (record?.count !== count || !record.history.equals(history))
      return { detail: `the snapshot has other entries of ${name}`, sequence: last };
    return names.get(nameKey('stream', name)) === first
      ? null
      : { detail: `the snapshot lacks the stream ${name}`, sequence: first };
  }

  compareRows(name: string, { count }: Pick<Stream, 'count'>): void {
    const { proven } = this;
    this.recent.delete(name);
    if (this.rowsFault !== null) return;
    const found = proven.storedTables(name);
    if (found === null) {
      const { names } = proven.families.of(name);
      this.rowsFault = fault(`table ${names.join(' or ')} differs from what the entries of ${name} say`);
      return;
    }
    for (const { table, rows } of found) this.rows.set(table, (this.rows.get(table) ?? 0) + rows);
    if (count <= long_stream_entries) return;
    this.long++;
    this.isLongMissing ||= !proven.hasRowsAtBase(name);
  }

  /** Call it once, when all streams were compared. */
  fault(): SnapshotFault {
    const { db, proven } = this;
    const records = [...proven.positions.counts().values()].reduce((sum, count) => sum + count, 0);
    if (records !== this.streams) return fault('the snapshot has streams of no entries');
    if (countOf(db, 'snapshot') !== 1) return fault('the table snapshot holds a second note');
    if (countOf(db, 'snapshot_position') !== proven.positions.size())
      return fault('the table snapshot_position holds foreign nodes');
    if (countOf(db, 'snapshot_name') !== proven.names.size()) return fault('the table snapshot_name holds foreign nodes');
    for (const name of this.recent) this.compareRows(name, { count: 0 });
    return this.rowsFault ?? this.countFault();
  }

  private countFault(): SnapshotFault {
    for (const [table, count] of this.rows)
      if (countOf(this.db, table) !== count) return fault(`table ${table} holds rows of no entry`);
    return this.isLongMissing || countOf(this.db, 'snapshot_rows') !== this.long
      ? fault('the table snapshot_rows is not what was signed')
      : null;
  }
}
