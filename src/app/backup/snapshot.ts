/** Copies the rows of a live journal, as of one moment, into one snapshot, or into several beyond the limit of an archive. */
import { setImmediate as turn } from 'node:timers/promises';
import { Fault } from '../../base/fault.js';
import { archive_part_margin_bytes, snapshot_step_bytes_max, snapshot_step_entries_max } from '../../base/backup-limits.js';
import { integrityFailure } from '../../journal/position.js';
import { blobsReferredTo } from '../../journal/blob-uses.js';
import { latestNote, readHead, rowsAfter, storedHash, type Head } from '../../journal/reader.js';
import { createSnapshot, type Snapshot } from '../../store/snapshot.js';
import type { Db } from '../../store/database.js';
import { signedConfiguration } from '../home/config.js';

export interface Part {
  readonly file: string;
  /** The first sequence of the entries that it holds; `last` is the last one. */
  readonly first: number;
  readonly last: number;
}

export interface Snapshots {
  readonly parts: readonly Part[];
  readonly head: Head;
  /** The newest checkpoint, which covers the head. */
  readonly checkpoint: string;
  /** SHA-256 of the configuration in force at that moment. */
  readonly config_hash: string;
}

export interface SnapshotOptions {
  /** Limit of one archive in bytes, uncompressed. */
  readonly bytes_max: number;
  /** Path of the n-th snapshot. */
  readonly file: (n: number) => string;
  readonly onProgress?: ((copied: number, total: number) => void) | undefined;
}

/**
 * Writes the snapshots. The event loop runs between two steps, so that a signal is handled.
 * @param db read within one transaction, which excludes entries that other processes append meanwhile; nobody else uses the connection
 */
export async function writeSnapshots(db: Db, options: SnapshotOptions): Promise<Snapshots> {
  db.exec('BEGIN');
  try {
    const head = readHead(db);
    const latest = latestNote(db);
    if (latest === undefined || latest.size !== head.size) throw integrityFailure('no checkpoint covers the newest entry');
    const parts: Part[] = [];
    for (let after = 0; after < head.size; after = parts.at(-1)?.last ?? head.size) {
      parts.push(await writePart(db, options.file(parts.length + 1), { ...options, after, total: head.size }));
    }
    return { parts, head, checkpoint: latest.note, config_hash: signedConfiguration(db)?.config_hash ?? '' };
  } finally {
    db.exec('ROLLBACK');
  }
}

interface PartOptions extends SnapshotOptions {
  readonly after: number;
  readonly total: number;
}

async function writePart(db: Db, file: string, options: PartOptions): Promise<Part> {
  const { after, total, bytes_max } = options;
  const full = bytes_max - Math.min(archive_part_margin_bytes, Math.floor(bytes_max / 2));
  const snapshot = createSnapshot(file);
  try {
    const copy = copier(db, snapshot, Math.min(snapshot_step_bytes_max, bytes_max / 8));
    let last = after;
    while (last < total && snapshot.bytes() < full) {
      last = copy(last, total);
      options.onProgress?.(last, total);
      await turn();
    }
    snapshot.finish();
    if (last === after) throw new Fault('a snapshot took no entry');
    return { file, first: after + 1, last };
  } catch (error) {
    snapshot.discard();
    throw error;
  }
}

/** Bytes of a row's hash, signature and stream, and SQLite's overhead. */
const row_bytes = 400;

/** Returns a function that copies the next entries with their checkpoints and blobs, and returns the last sequence copied. */
function copier(db: Db, { db: to }: Snapshot, step_bytes: number): (after: number, until: number) => number {
  const event = to.prepare('INSERT INTO events VALUES (?, ?, ?, ?, ?)');
  const note = to.prepare('INSERT INTO checkpoint VALUES (?, ?)');
  const blob = to.prepare('INSERT INTO blob VALUES (?, ?, ?)');
  const copied = new Set<string>();
  const notes = db.prepare<[number, number], { size: number; note: string }>(
    'SELECT size, note FROM checkpoint WHERE size > ? AND size <= ? ORDER BY size',
  );
  const readBlob = db.prepare<[string], { salt: Buffer; bytes: Buffer }>('SELECT salt, bytes FROM blob WHERE hash = ?');
  return (after, until) => {
    let [last, bytes] = [after, 0];
    for (const { seq, mission, body, hash, signature } of rowsAfter(
      db,
      after,
      Math.min(snapshot_step_entries_max, until - after),
    )) {
      if (storedHash(db, seq, body) !== hash) throw integrityFailure(`entry ${seq} does not match its hash`, seq);
      event.run(seq, mission, body, hash, signature);
      bytes += body.length + row_bytes;
      for (const reference of blobsReferredTo(body)) {
        const row = copied.has(reference) ? undefined : readBlob.get(reference);
        if (row !== undefined) blob.run(reference, row.salt, row.bytes);
        copied.add(reference);
        bytes += row?.bytes.length ?? 0;
      }
      for (const row of notes.all(last, seq)) {
        note.run(row.size, row.note);
        bytes += row.note.length;
      }
      last = seq;
      if (bytes > step_bytes) break;
    }
    return last;
  };
}
