/**
 * Verifies a journal: hashes all stored bytes again, from the bodies to the root that the newest checkpoint signs. No marker of an earlier
 * verification is trusted: equal roots do not exclude edited values. The ranges run on worker threads; their subtree
 * roots are combined here.
 */
import { type Db, openDatabase } from '../store/database.js';
import { indexFault } from './check-index.js';
import { JoinedRanges, unread, type Checkpoints, type JournalReport } from './join-ranges.js';
import { identityOf } from './keys.js';
import { latestNote, readHead, type Head } from './reader.js';
import { signatureCheck } from './signature-check.js';
import { type Failure, range_entries, type RangeReport, type RangeTask, verifyRange } from './verify-range.js';
import { verifyOnThreads, type ThreadOptions } from './verify-threads.js';
import { tile_width } from './tree.js';

export interface VerifyOptions {
  readonly deep: boolean;
  /** Decodes every entry, also when not `deep`: for a journal that a newer program may have written. */
  readonly interpret?: boolean;
  /** Worker threads; 0 verifies on this thread. */
  readonly threads: number;
  /**
   * The seed of the journal's own key, for `deep` where the key is: each signature is made again and compared. The caller wipes it. Never
   * for an archive or for anything that comes from elsewhere.
   */
  readonly seed?: Uint8Array;
  /** Which checkpoints must be there, and may; `kept` when it is absent. */
  readonly checkpoints?: Exclude<Checkpoints, 'absent'>;
  /** Entries of a range, a power of two and at least a tile, `range_entries` when it is absent: with small ones a short journal has several. */
  readonly range?: number;
  readonly onProgress?: (verified: number, total: number) => void;
}

/** Verifies the journal file as of one moment: entries that others append meanwhile are not read. */
export async function verifyJournal(file: string, publicKey: Buffer, options: VerifyOptions): Promise<JournalReport> {
  const db = openDatabase(file, { readonly: true });
  try {
    db.exec('BEGIN');
    return await verifySnapshot(db, publicKey, options);
  } finally {
    db.close();
  }
}

export interface OpenedOptions extends Pick<VerifyOptions, 'deep' | 'interpret' | 'onProgress'> {
  readonly checkpoints: Checkpoints;
}

/**
 * Verifies the journal of an open database, possibly in memory, on this thread. When no checkpoint covers the signatures, each is
 * verified, even without `deep`.
 */
export function verifyOpened(db: Db, publicKey: Buffer, options: OpenedOptions): JournalReport {
  const head = readHead(db);
  const withoutCheckpoints = options.checkpoints === 'absent';
  if (withoutCheckpoints && latestNote(db) !== undefined)
    return unread(db, head, { sequence: 0, detail: 'a checkpoint exists where none is expected' });
  const outside = boundsFault(db) ?? countFault(db);
  if (outside !== null) return unread(db, head, outside);
  const tasks = tasksOf(db, head, { ...options, deep: options.deep || withoutCheckpoints, tiles: !withoutCheckpoints });
  const ranges = new JoinedRanges(db, head, options.checkpoints);
  try {
    const onRange = joining(ranges, head, options);
    return ranges.report(verifyHere(db, tasks, { publicKey, seed: null, onRange }));
  } finally {
    ranges.close();
  }
}

async function verifySnapshot(db: Db, publicKey: Buffer, options: VerifyOptions): Promise<JournalReport> {
  const report = await verifyOnce(db, publicKey, options);
  const { deep, interpret = false } = options;
  if (report.failure?.isOfBlobs !== true || deep || interpret) return report;
  // A member that only a newer program knows may refer to the blob: entries of known types were not decoded yet.
  return verifyOnce(db, publicKey, { ...options, interpret: true });
}

async function verifyOnce(db: Db, publicKey: Buffer, options: VerifyOptions): Promise<JournalReport> {
  const head = readHead(db);
  const outside = boundsFault(db) ?? countFault(db);
  if (outside !== null) return unread(db, head, outside);
  const { range = range_entries } = options;
  const tasks = tasksOf(db, head, { ...options, tiles: true });
  // A quarter of a range is verified sooner than a thread starts.
  const threads = head.size <= range / 4 ? 0 : Math.min(options.threads, Math.ceil(head.size / range));
  const seed = options.deep ? (options.seed ?? null) : null;
  const ranges = new JoinedRanges(db, head, options.checkpoints ?? 'kept');
  try {
    const how = { publicKey, seed, onRange: joining(ranges, head, options) };
    const index = threads === 0 ? verifyHere(db, tasks, how) : await verifyOnThreads(db.name, tasks, { ...how, threads });
    return ranges.report(index);
  } finally {
    ranges.close();
  }
}

/** Returns the function that joins each range and tells the progress. */
function joining(
  ranges: JoinedRanges,
  head: Head,
  { onProgress }: Pick<VerifyOptions, 'onProgress'>,
): (report: RangeReport) => void {
  let verified = 0;
  return (report) => {
    ranges.add(report);
    verified += report.last - report.first + 1;
    onProgress?.(verified, head.size);
  };
}

type How = Pick<VerifyOptions, 'deep' | 'interpret' | 'range'> & Pick<RangeTask, 'tiles'>;

/** Yields the ranges in order, each with its checkpoints as this connection sees them: others may remove some meanwhile. */
function* tasksOf(db: Db, head: Head, { deep, interpret = false, tiles, range = range_entries }: How): Generator<RangeTask> {
  const notes = db
    .prepare<[number, number], [size: number, note: unknown]>('SELECT size, note FROM checkpoint WHERE size >= ? AND size <= ?')
    .raw();
  for (let first = 1; first <= head.size; first += range) {
    const last = Math.min(first + range - 1, head.size);
    yield { first, last, deep, interpret, tiles, notes: tiles ? notes.all(first, last) : [] };
  }
}

function verifyHere(
  db: Db,
  tasks: Iterable<RangeTask>,
  { publicKey, seed, onRange }: Pick<ThreadOptions, 'publicKey' | 'seed' | 'onRange'>,
): Failure | null {
  const signatures = signatureCheck(publicKey, seed === null ? null : Buffer.from(seed.buffer, seed.byteOffset, seed.length));
  const keys = { publicKey, identity: identityOf(publicKey), signatures };
  try {
    for (const task of tasks) onRange(verifyRange(db, task, keys));
    return indexFault(db);
  } finally {
    signatures.end();
  }
}

// Compares the numbers of the rows with the size of the journal before any work is planned: a single row with an absurd number must
// cost neither time nor memory, and a row outside these bounds is never reached by a walk over the entries.

const missing = (sequence: number): Failure => ({ sequence, detail: 'the entry is missing' });
const foreign = (detail: string, sequence = 0): Failure => ({ sequence, detail });

/**
 * Checks in O(log n), for every opening, that entries begin at 1 and the newest follows another, that checkpoints cover existing
 * entries, and that tiles are of levels that the tree has. Gaps are found by `countFault`.
 */
export function boundsFault(db: Db): Failure | null {
  const value = (sql: string): number | null => db.prepare<[], number | null>(sql).pluck().get() ?? null;
  const least = value('SELECT min(seq) FROM events NOT INDEXED');
  const size = value('SELECT max(seq) FROM events NOT INDEXED') ?? 0;
  if (least !== null && least < 1) return foreign(`an entry has the sequence ${least}`, least);
  if (least !== null && least > 1) return missing(1);
  const before = value('SELECT max(seq) FROM events NOT INDEXED WHERE seq < (SELECT max(seq) FROM events NOT INDEXED)') ?? 0;
  if (size > 0 && before !== size - 1) return firstGap(db);
  const [smallest, largest] = [value('SELECT min(size) FROM checkpoint'), value('SELECT max(size) FROM checkpoint')];
  if (smallest !== null && smallest < 1) return foreign(`a checkpoint of size ${smallest} covers no entry`);
  if (largest !== null && largest > size)
    return foreign(`the checkpoint of size ${largest} covers more entries than there are`, size);
  const tile = db.prepare<[number], [level: number, n: number]>(outside).raw().get(topLevel(size));
  return tile === undefined ? null : foreign(`tile ${tile[0]}/${tile[1]} is foreign`);
}

const outside = `SELECT level, n FROM tile WHERE level < 0
  UNION ALL SELECT level, n FROM tile WHERE level > ? LIMIT 1`;

/** Returns the highest level that has a stored tile: above level 0 also an incomplete one is stored. */
function topLevel(size: number): number {
  let level = 0;
  for (let hashes = Math.floor(size / tile_width); hashes > 0; hashes = Math.floor(hashes / tile_width)) level++;
  return level;
}

/**
 * Checks that the entries are as many as the newest one's number, in a journal within its bounds: that work on them may be planned. The
 * walk over the entries, which sees each, does not rely on it.
 */
export function countFault(db: Db): Failure | null {
  const size = db.prepare<[], number | null>('SELECT max(seq) FROM events NOT INDEXED').pluck().get() ?? 0;
  // SQLite counts the smallest index. When one is altered, what it lacks is found by checkIndex.
  const count = db.prepare<[], number>('SELECT count(*) FROM events').pluck().get() ?? 0;
  return count === size ? null : firstGap(db);
}

/** Returns the first sequence without an entry, or null when there is none up to the newest. */
function firstGap(db: Db): Failure | null {
  const gap = db.prepare<[], number>(
    `SELECT seq + 1 FROM events AS entry NOT INDEXED
     WHERE seq < (SELECT max(seq) FROM events NOT INDEXED)
       AND NOT EXISTS (SELECT 1 FROM events AS next NOT INDEXED WHERE next.seq = entry.seq + 1) ORDER BY seq LIMIT 1`,
  );
  const sequence = gap.pluck().get();
  return sequence === undefined ? null : missing(sequence);
}
