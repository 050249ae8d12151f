/**
 * Verifies a journal: hashes all stored bytes again, from the bodies to the root that the newest checkpoint signs. No marker of an earlier
 * verification is trusted: equal roots do not exclude edited values. The ranges run on worker threads; their subtree
 * roots are combined here.
 */
import { openDatabase, type Db } from '../store/database.js';
import { boundsFault, countFault } from './bounds.js';
import { indexFault } from './check-index.js';
import { JoinedRanges, unread, type Checkpoints, type JournalReport } from './join-ranges.js';
import { identityOf } from './keys.js';
import { latestNote, readHead, type Head } from './reader.js';
import { signatureCheck } from './signature-check.js';
import { range_entries, verifyRange, type Failure, type RangeReport, type RangeTask } from './verify-range.js';
import { verifyOnThreads, type ThreadOptions } from './verify-threads.js';

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
  const areAbsent = options.checkpoints === 'absent';
  if (areAbsent && latestNote(db) !== undefined)
    return unread(db, head, { sequence: 0, detail: 'a checkpoint exists where none is expected' });
  const outside = boundsFault(db) ?? countFault(db);
  if (outside !== null) return unread(db, head, outside);
  const tasks = tasksOf(db, head, { ...options, deep: options.deep || areAbsent, tiles: !areAbsent });
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
