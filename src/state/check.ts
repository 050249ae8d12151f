/** Compares a whole snapshot, and every row of the tables, with the entries: for `verify`. */
import { RefusalError } from '../base/result.js';
import { isOriginOf } from '../journal/note.js';
import { newestCheckpoint } from '../journal/position.js';
import type { Db } from '../store/database.js';
import { buildSnapshot } from './build.js';
import { type Families, nextHistory, no_history } from './family.js';
import { nameKey } from './names.js';
import { long_stream_entries, NoSnapshot, Proven } from './proven.js';
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

function faultOf({ db, publicKey, families, deep }: SnapshotCheck, proven: Proven): SnapshotFault {
  const streams = streamsTo(db, proven.base);
  return (
    treesFault(db, proven, streams) ??
    rowsFault(db, proven, streams) ??
    (deep ? rebuiltFault(proven, buildSnapshot({ db, publicKey, families, size: proven.base })) : null)
  );
}

/** Returns every stream as of a size. The stream of each entry was compared with the signed one before. */
function streamsTo(db: Db, size: number): ReadonlyMap<string, Stream> {
  const streams = new Map<string, Stream>();
  const rows = db.prepare<[number], [number, string, string]>(
    'SELECT seq, mission, hash FROM events NOT INDEXED WHERE seq <= ? ORDER BY seq',
  );
  for (const [seq, name, hash] of rows.raw().iterate(size)) {
    const stream = streams.get(name) ?? { first: seq, last: seq, count: 0, history: no_history };
    stream.last = seq;
    stream.count++;
    stream.history = nextHistory(stream.history, seq, hash);
    streams.set(name, stream);
  }
  return streams;
}

function treesFault(db: Db, proven: Proven, streams: ReadonlyMap<string, Stream>): SnapshotFault {
  for (const [name, { first, last, count, history }] of streams) {
    const record = proven.positions.at(last);
    if (record?.count !== count || !record.history.equals(history))
      return { detail: `the snapshot has other entries of ${name}`, sequence: last };
    if (proven.names.get(nameKey('stream', name)) !== first)
      return { detail: `the snapshot lacks the stream ${name}`, sequence: first };
  }
  const records = [...proven.positions.counts().values()].reduce((sum, count) => sum + count, 0);
  if (records !== streams.size) return fault('the snapshot has streams of no entries');
  if (countOf(db, 'snapshot') !== 1) return fault('the table snapshot holds a second note');
  if (countOf(db, 'snapshot_position') !== proven.positions.size())
    return fault('the table snapshot_position holds foreign nodes');
  return countOf(db, 'snapshot_name') === proven.names.size() ? null : fault('the table snapshot_name holds foreign nodes');
}

/** Compares the rows of every stream, also of those with entries after the snapshot, and counts the rows of each table. */
function rowsFault(db: Db, proven: Proven, streams: ReadonlyMap<string, Stream>): SnapshotFault {
  const counts = new Map(proven.families.all.map(({ table }) => [table, 0]));
  for (const name of new Set([...streams.keys(), ...proven.tail.streams()])) {
    const found = proven.storedTables(name);
    if (found === null) {
      const named = proven.families.of(name).map(({ family }) => family.table);
      return fault(`table ${named.join(' or ')} differs from what the entries of ${name} say`);
    }
    for (const { table, rows } of found) counts.set(table, (counts.get(table) ?? 0) + rows);
  }
  for (const [table, count] of counts) if (countOf(db, table) !== count) return fault(`table ${table} holds rows of no entry`);
  const long = [...streams].filter(([, { count }]) => count > long_stream_entries);
  const isMissing = long.some(([name]) => !proven.hasRowsAtBase(name));
  return isMissing || countOf(db, 'snapshot_rows') !== long.length
    ? fault('the table snapshot_rows is not what was signed')
    : null;
}

const rebuiltFault = (proven: Proven, { roots }: ReturnType<typeof buildSnapshot>): SnapshotFault =>
  proven.hasRoots(roots) ? null : fault('the snapshot is not what the entries make');
