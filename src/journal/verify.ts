/**
 * Verifies a journal: hashes all stored bytes again, from the bodies to the root that the newest checkpoint signs. No marker of an earlier
 * verification is trusted: equal roots do not exclude edited values. The ranges run on worker threads; their subtree
 * roots are combined here.
 */
import { Worker } from 'node:worker_threads';
import { openDatabase, type Db } from '../store/database.js';
import { boundsFault, countFault } from './bounds.js';
import { genesis, latestNote, readHead, type Head } from './reader.js';
import { identityOf } from './keys.js';
import { sameBytes } from './merkle.js';
import { Tree } from './tree.js';
import { errorOf, type Answer } from './verify-failed.js';
import { checkBlobs } from './check-blobs.js';
import { range_entries, verifyRange, type Failure, type RangeReport, type RangeTask } from './verify-range.js';

export interface JournalReport {
  readonly failure: Failure | null;
  readonly head: Head;
  readonly root: string;
  readonly origin: string;
  readonly checkpoint: string;
  readonly signatures_checked: number;
  readonly timesBackwards: number;
  /** Sequences of entries that this program does not fully know: verified, but not interpreted. */
  readonly unknown: readonly number[];
}

export interface VerifyOptions {
  readonly deep: boolean;
  /** Decodes every entry, also when not `deep`: for a journal that a newer program may have written. */
  readonly interpret?: boolean;
  /** Worker threads; 0 verifies on this thread. */
  readonly threads: number;
  readonly onProgress?: (verified: number, total: number) => void;
}

const inline_entries_max = 4_096;

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
  /** `absent`: no checkpoint covers the entries (those of the reference agent); tiles are not checked either. */
  readonly checkpoints: 'required' | 'absent';
}

/**
 * Verifies the journal of an open database, possibly in memory, on this thread. When no checkpoint covers the signatures, each is
 * verified, even without `deep`.
 */
export function verifyOpened(db: Db, publicKey: Buffer, options: OpenedOptions): JournalReport {
  const head = readHead(db);
  const areAbsent = options.checkpoints === 'absent';
  const outside = (areAbsent ? checkNone(db) : null) ?? boundsFault(db) ?? countFault(db);
  if (outside !== null) return unverified(db, head, outside);
  const { deep, interpret = false } = options;
  const reports = verifyHere(db, tasksOf(head, { deep: deep || areAbsent, interpret, tiles: !areAbsent }), publicKey, options);
  return join(db, head, reports, areAbsent);
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
  if (outside !== null) return unverified(db, head, outside);
  const { deep, interpret = false } = options;
  const tasks = tasksOf(head, { deep, interpret, tiles: true });
  const threads = head.size <= inline_entries_max ? 0 : Math.min(options.threads, tasks.length);
  const reports =
    threads === 0
      ? verifyHere(db, tasks, publicKey, options)
      : await verifyOnThreads(db.name, tasks, publicKey, threads, options);
  return join(db, head, reports, false);
}

/** The report on rows whose numbers alone are wrong: no entry was read. */
const unverified = (db: Db, head: Head, failure: Failure): JournalReport => ({
  failure,
  head,
  root: '',
  origin: '',
  checkpoint: latestNote(db)?.note ?? '',
  signatures_checked: 0,
  timesBackwards: 0,
  unknown: [],
});

function tasksOf(head: Head, how: Pick<RangeTask, 'deep' | 'interpret' | 'tiles'>): RangeTask[] {
  const tasks: RangeTask[] = [];
  for (let first = 1; first <= head.size; first += range_entries) {
    tasks.push({ first, last: Math.min(first + range_entries - 1, head.size), ...how });
  }
  return tasks;
}

function verifyHere(
  db: Db,
  tasks: readonly RangeTask[],
  publicKey: Buffer,
  options: Pick<VerifyOptions, 'onProgress'>,
): RangeReport[] {
  return tasks.map((task) => {
    const report = verifyRange(db, task, publicKey, identityOf(publicKey));
    options.onProgress?.(task.last, tasks.at(-1)?.last ?? task.last);
    return report;
  });
}

async function verifyOnThreads(
  file: string,
  tasks: readonly RangeTask[],
  publicKey: Buffer,
  threads: number,
  options: VerifyOptions,
): Promise<RangeReport[]> {
  const reports: RangeReport[] = [];
  const queue = [...tasks];
  const total = tasks.at(-1)?.last ?? 0;
  let verified = 0;
  const work = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const worker = new Worker(new URL('./verify-worker.js', import.meta.url), {
        workerData: { file, publicKey: Uint8Array.from(publicKey) },
      });
      const next = (): void => worker.postMessage(queue.shift() ?? null);
      worker.on('message', (answer: Answer) => {
        if ('failed' in answer) {
          queue.length = 0;
          return reject(errorOf(answer.failed));
        }
        const { report } = answer;
        reports.push(report);
        verified += report.last - report.first + 1;
        options.onProgress?.(verified, total);
        next();
      });
      worker.on('error', reject);
      worker.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`a verification thread ended with code ${code}`))));
      next();
    });
  // Even after a failure all threads have ended, and no longer use the file, before the caller continues.
  for (const end of await Promise.allSettled(Array.from({ length: threads }, work)))
    if (end.status === 'rejected') throw end.reason;
  return reports.toSorted((a, b) => a.first - b.first);
}

/**
 * Combines the ranges: the chain across them, the upper tiles, every checkpoint's root, the newest checkpoint, the blobs. Without
 * checkpoints the root is that of the entries themselves.
 */
function join(db: Db, head: Head, reports: readonly RangeReport[], withoutCheckpoints: boolean): JournalReport {
  const failures: Failure[] = reports.flatMap((r) => (r.failure === null ? [] : [r.failure]));
  const upper = new Tree();
  let previous = genesis;
  let root = upper.root();
  let origin = '';
  for (const range of reports) {
    if (range.failure !== null) break;
    if (range.previous !== previous)
      failures.push({ sequence: range.first, detail: 'the entry does not follow the one before it' });
    for (const { size, local, signed, origin: by } of range.checkpoints) {
      root = upper.root(Buffer.from(local));
      origin = by;
      if (!sameBytes(root, signed))
        failures.push({ sequence: size, detail: `the checkpoint of size ${size} signs another root` });
    }
    if (withoutCheckpoints) root = upper.root(Buffer.from(range.root));
    for (let at = 0; at < range.tileRoots.length; at += 32) upper.append(Buffer.from(range.tileRoots.subarray(at, at + 32)));
    previous = range.hash;
  }
  const complete = failures.length === 0;
  if (complete)
    failures.push(
      ...(withoutCheckpoints ? [] : checkSealed(db, head, upper, reports)),
      ...checkBlobs(
        db,
        reports.flatMap((r) => r.blobs),
      ),
    );
  const first = failures.toSorted((a, b) => a.sequence - b.sequence)[0] ?? null;
  return {
    failure: first,
    head,
    root: root.toString('hex'),
    origin,
    checkpoint: latestNote(db)?.note ?? '',
    signatures_checked: reports.reduce((sum, r) => sum + r.signatures, 0),
    timesBackwards: reports.reduce((sum, r) => sum + r.timesBackwards, 0),
    unknown: reports.flatMap((r) => r.unknown),
  };
}

const checkNone = (db: Db): Failure | null =>
  latestNote(db) === undefined ? null : { sequence: 0, detail: 'a checkpoint exists where none is expected' };

/** Checks the tiles and the newest checkpoint, and that every checkpoint has a size that the journal reaches. */
function checkSealed(db: Db, head: Head, upper: Tree, reports: readonly RangeReport[]): Failure[] {
  const tiles = checkUpperTiles(db, upper, head);
  const latest = latestNote(db);
  if (latest?.size !== head.size) return [...tiles, { sequence: head.size, detail: 'no checkpoint covers the newest entry' }];
  const verified = reports.reduce((sum, r) => sum + r.checkpoints.length, 0);
  const count = db.prepare<[], { n: number }>('SELECT count(*) AS n FROM checkpoint').get()?.n;
  return count === verified ? tiles : [...tiles, { sequence: 0, detail: 'a checkpoint covers no entry' }];
}

/** `upper` is the tree over complete tiles: its level n is the journal's level n + 1. */
function checkUpperTiles(db: Db, upper: Tree, head: Head): Failure[] {
  const expected = new Map<string, Buffer>();
  for (const { level, n, hashes } of upper.pending()) expected.set(`${level + 1}/${n}`, hashes);
  for (let level = 0; level < 5; level++) {
    const last = upper.lastTile(level);
    if (last !== null) expected.set(`${level + 1}/${Math.floor(upper.size / 256 ** (level + 1))}`, last);
  }
  const stored = db
    .prepare<[], { level: number; n: number; hashes: Buffer }>('SELECT level, n, hashes FROM tile WHERE level > 0')
    .all();
  for (const { level, n, hashes } of stored) {
    const key = `${level}/${n}`;
    if (expected.get(key)?.equals(hashes) !== true)
      return [{ sequence: n * 256 ** (level + 1) + 1, detail: `tile ${key} does not match the entries` }];
    expected.delete(key);
  }
  const [missing] = expected.keys();
  if (missing !== undefined) return [{ sequence: head.size, detail: `tile ${missing} is missing` }];
  const count = db.prepare<[], { n: number }>('SELECT count(*) AS n FROM tile WHERE level = 0').get()?.n;
  return count === Math.floor(head.size / 256) ? [] : [{ sequence: head.size, detail: 'tiles are missing or foreign' }];
}
