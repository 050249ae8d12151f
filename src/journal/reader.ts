/** Reads the journal: every row is decoded by the entry codec; a row that does not decode is damaged or was written by a newer program. */
import * as E from 'fp-ts/lib/Either.js';
import { fromBase64, sha256Hex } from '../base/bytes.js';
import { decodeEntry, type Entry, type StoredEntry } from '../codec/entry.js';
import { RefusalError } from '../base/refusal.js';
import { type Db, prepared } from '../store/database.js';
import { newerVersion } from '../store/newer-version.js';
import { publicKeyOf, verifySignature } from './keys.js';
import { hasBlobHash } from './salted.js';

export interface Head {
  /** Number of entries, which is the newest entry's sequence. */
  readonly size: number;
  /** The newest entry's hash, 64 hexadecimal digits; 64 zeros in an empty journal. */
  readonly hash: string;
}

export const genesis = '0'.repeat(64);

/** Returns the head as it is printed and as `--expect-head` takes it: `size:first-16-hex`. */
export const headText = (head: Head): string => `${head.size}:${head.hash.slice(0, 16)}`;

const columns = 'seq, mission, body, hash, signature';

export function readHead(db: Db): Head {
  const newest = 'SELECT seq, hash FROM events ORDER BY seq DESC LIMIT 1';
  const row = prepared<[], { seq: number; hash: string }>(db, newest).get();
  return row === undefined ? { size: 0, hash: genesis } : { size: row.seq, hash: row.hash };
}

export const readRow = (db: Db, sequence: number): StoredEntry | undefined =>
  prepared<[number], StoredEntry>(db, `SELECT ${columns} FROM events WHERE seq = ?`).get(sequence);

/**
 * Returns the hash of an entry's stored bytes. SQLite's text arrives decoded, and invalid UTF-8 becomes U+FFFD: a text with that
 * character may have been other bytes, so these are read as a blob.
 */
export function storedHash(db: Db, seq: number, body: string): string {
  if (!body.includes('\ufffd')) return sha256Hex(body);
  const bytes = db.prepare<[number], Buffer>('SELECT CAST(body AS BLOB) FROM events WHERE seq = ?').pluck().get(seq);
  return sha256Hex(bytes ?? body);
}

type Place = Pick<Entry, 'stream' | 'previous' | 'sequence'>;

/** Returns where the bytes of an entry say that it is; null when they do not. @throws RefusalError `integrity` when they do not match their hash */
export function placeIn(db: Db, { seq, body, hash }: StoredEntry): Place | null {
  if (typeof body !== 'string' || storedHash(db, seq, body) !== hash)
    throw damagedEntry(seq, 'the stored bytes do not match their hash');
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value !== 'object' || value === null) return null;
    const { mission, previous, sequence } = value as Readonly<Record<string, unknown>>;
    return typeof mission === 'string' && typeof previous === 'string' && typeof sequence === 'number'
      ? { stream: mission, previous, sequence }
      : null;
  } catch {
    return null;
  }
}

/** Returns whether the column has the stream's bytes, for the same reason. */
export const hasStreamBytes = (db: Db, seq: number, stream: string): boolean =>
  !stream.includes('\ufffd') ||
  db.prepare<[string, number]>('SELECT 1 FROM events NOT INDEXED WHERE mission = ? AND seq = ?').get(stream, seq) !== undefined;

/** Yields the rows after a sequence, in order. */
export const rowsAfter = (db: Db, sequence: number, limit: number): StoredEntry[] =>
  db
    .prepare<[number, number], StoredEntry>(`SELECT ${columns} FROM events WHERE seq > ? ORDER BY seq LIMIT ?`)
    .all(sequence, limit);

/** Read-only connections to homes that a newer program wrote: the known part of their entries is read. */
const lenient = new WeakSet<Db>();
export const readLeniently = (db: Db): void => void lenient.add(db);

/** Connections to large journals: each entry that is read must be part of the signed tree. */
const checks = new WeakMap<Db, (row: StoredEntry) => void>();
export const checkRows = (db: Db, check: (row: StoredEntry) => void): void => void checks.set(db, check);

/**
 * Returns the decoded entry. @param db the connection, when it may be one that reads leniently
 * @throws RefusalError `integrity` when the row is not a valid entry, `newer_version` when a newer program wrote it
 */
export function entryOf(row: StoredEntry, db?: Db): Entry {
  if (db !== undefined) checks.get(db)?.(row);
  const decoded = decodeEntry(row);
  if (E.isLeft(decoded)) throw damaged(row, decoded.left.detail);
  const entry = decoded.right;
  if (entry.unknown === null) return entry;
  // A wrong hash or signature is damage, whatever the entry contains.
  if (!isSignedBy(publicKeyOf(entry.identity), row)) throw damaged(row, entry.unknown);
  if (db !== undefined && lenient.has(db)) return entry;
  throw newerVersion(`entry ${row.seq} was written by a newer version: ${entry.unknown}`, { sequence: row.seq });
}

/** Returns the refusal for an entry that is not what was signed. */
export const damagedEntry = (sequence: number, detail: string): RefusalError =>
  new RefusalError('integrity', `entry ${sequence}: ${detail}`, { facts: { sequence }, hint: 'agent-cli verify' });

const damaged = ({ seq }: StoredEntry, detail: string): RefusalError =>
  new RefusalError('integrity', `entry ${seq}: ${detail}`, { facts: { sequence: seq } });

/** Returns whether an entry matches its hash and the holder of this key signed it. */
export function isSignedBy(publicKey: Buffer | null, row: Pick<StoredEntry, 'body' | 'hash' | 'signature'>): boolean {
  const signature = fromBase64(row.signature);
  if (publicKey === null || signature === null || sha256Hex(row.body) !== row.hash) return false;
  return verifySignature(publicKey, Buffer.from(row.hash, 'hex'), signature);
}

/** Returns the row of an entry. @throws RefusalError `integrity` when it is missing */
export function requireRow(db: Db, sequence: number): StoredEntry {
  const row = readRow(db, sequence);
  if (row === undefined) throw damagedEntry(sequence, 'the entry is missing');
  return row;
}

export function readEntry(db: Db, sequence: number): Entry | null {
  const row = readRow(db, sequence);
  return row === undefined ? null : entryOf(row, db);
}

export const entriesOfStream = (db: Db, stream: string): Entry[] =>
  db
    .prepare<[string], StoredEntry>(`SELECT ${columns} FROM events WHERE mission = ? ORDER BY seq`)
    .all(stream)
    .map((row) => entryOf(row, db));

/** Returns the bytes of a blob after checking its salted hash; null when it was erased. @throws RefusalError `integrity` when it was altered. */
export function readBlob(db: Db, hash: string): Buffer | null {
  const row = prepared<[string], { salt: Buffer; bytes: Buffer }>(db, 'SELECT salt, bytes FROM blob WHERE hash = ?').get(hash);
  if (row === undefined) return null;
  if (!hasBlobHash(hash, row.salt, row.bytes)) {
    throw new RefusalError('integrity', `blob ${hash.slice(0, 16)} does not match its hash`);
  }
  return row.bytes;
}

/** Returns the size of a blob, which SQLite reads from its row's head; null when it was erased. */
export const blobLength = (db: Db, hash: string): number | null =>
  prepared<[string], { length: number }>(db, 'SELECT length(bytes) AS length FROM blob WHERE hash = ?').get(hash)?.length ?? null;

export interface StoredNote {
  readonly size: number;
  readonly note: string;
}

/** Returns the newest checkpoint. @throws RefusalError `integrity` when it is not text: an altered file may hold values of any type */
export const latestNote = (db: Db): StoredNote | undefined =>
  textNote(prepared<[], StoredNote>(db, 'SELECT size, note FROM checkpoint ORDER BY size DESC LIMIT 1').get());

/** Returns the text of the checkpoint of a size. @throws RefusalError `integrity` when it is not text */
export const noteAt = (db: Db, size: number): string | undefined =>
  textNote(db.prepare<[number], StoredNote>('SELECT size, note FROM checkpoint WHERE size = ?').get(size))?.note;

function textNote(row: StoredNote | undefined): StoredNote | undefined {
  if (row === undefined || typeof row.note === 'string') return row;
  throw new RefusalError('integrity', `the checkpoint of size ${row.size} is not text`);
}
