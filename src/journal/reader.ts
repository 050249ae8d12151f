/**
 * Reads the journal: every row is decoded by the entry codec; a row that does not decode is damaged or was written by a newer program. Its position
 * (head, incarnation, origin, tree) is loaded and checked here, and catches up with other processes.
 */
import * as E from 'fp-ts/lib/Either.js';
import { fromBase64, sha256Hex } from '../base/bytes.js';
import { decodeEntry, type Entry, type StoredEntry } from '../codec/entry.js';
import { RefusalError } from '../base/refusal.js';
import { type Db, prepared } from '../store/database.js';
import { newerVersion } from '../store/newer-version.js';
import { identityOf, publicKeyOf, verifySignature } from './keys.js';
import { hasBlobHash } from './salted.js';
import { sameBytes } from './merkle.js';
import { openCheckpoint, originOf, readCheckpoint, type Checkpoint } from './note.js';
import { leafOf, Tree } from './tree.js';

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

export interface Position {
  readonly head: Head;
  /** Incarnation of the newest entry, 32 hexadecimal digits; null in a journal without entries of this program. */
  readonly incarnation: string | null;
  /** Incarnation of the first entry, whose origin has no suffix. */
  readonly firstIncarnation: string | null;
  readonly origin: string;
}

export interface LoadedTree {
  readonly tree: Tree;
  readonly position: Position;
}

export const integrityFailure = (detail: string, sequence?: number): RefusalError =>
  new RefusalError('integrity', detail, sequence === undefined ? {} : { facts: { sequence } });

/** Returns the origin: without a suffix as long as the incarnation is that of the first entry. */
export const originFor = (publicKey: Buffer, incarnation: string | null, first: string | null): string =>
  originOf(publicKey, incarnation === first ? null : incarnation);

export function loadPosition(db: Db, publicKey: Buffer): LoadedTree {
  const { size } = readHead(db);
  const newest = size === 0 ? null : readEntry(db, size);
  const first = size === 0 ? null : readEntry(db, 1);
  const incarnation = newest?.incarnation ?? null;
  const firstIncarnation = first?.incarnation ?? null;
  const position = {
    head: newest === null ? { size: 0, hash: genesis } : { size, hash: newest.hash },
    incarnation,
    firstIncarnation,
    origin: originFor(publicKey, incarnation, firstIncarnation),
  };
  return { tree: Tree.load(db, size), position };
}

/**
 * Returns the position of a journal whose first entry cannot be read: its incarnation is that of the newest entry exactly if the
 * newest checkpoint's origin has no suffix.
 */
export function positionWithoutFirst(db: Db, publicKey: Buffer): LoadedTree {
  const { size } = readHead(db);
  const newest = readEntry(db, size);
  if (newest === null) throw integrityFailure('the journal is empty');
  const { incarnation, hash } = newest;
  const origin = readCheckpoint(latestNote(db)?.note ?? '')?.origin ?? '';
  const firstIncarnation = origin === originOf(publicKey, null) ? incarnation : null;
  return { tree: Tree.load(db, size), position: { head: { size, hash }, incarnation, firstIncarnation, origin } };
}

/** Returns the unchecked position of a journal that `loadPosition` refuses: enough to read it, not to append. */
export function claimedPosition(db: Db, publicKey: Buffer): LoadedTree {
  const origin = readCheckpoint(latestNote(db)?.note ?? '')?.origin ?? originOf(publicKey, null);
  return { tree: new Tree(), position: { head: readHead(db), incarnation: null, firstIncarnation: null, origin } };
}

/** Checks in O(log n), for every command, that the newest entry, the newest checkpoint and the stored tiles are valid and agree. */
export function checkHead(db: Db, { tree, position }: LoadedTree, publicKey: Buffer): void {
  const { size } = position.head;
  if (size === 0) throw integrityFailure('the journal is empty');
  const row = readRow(db, size);
  if (row === undefined || storedHash(db, row.seq, row.body) !== row.hash)
    throw integrityFailure(`entry ${size} does not match its hash`, size);
  const signature = fromBase64(row.signature);
  if (signature === null || !verifySignature(publicKey, Buffer.from(row.hash, 'hex'), signature)) {
    throw integrityFailure(`entry ${size} is not signed by this home's key`, size);
  }
  if (entryOf(row, db).identity !== identityOf(publicKey))
    throw integrityFailure(`entry ${size} belongs to another identity`, size);
  checkNewestCheckpoint(db, tree, position, publicKey);
}

/** Checks that the newest checkpoint covers the newest entry and that its root is that of the tree. */
export function checkNewestCheckpoint(db: Db, tree: Tree, position: Position, publicKey: Buffer): void {
  const latest = latestNote(db);
  if (latest === undefined) throw integrityFailure('the journal has no checkpoint');
  const checkpoint = openCheckpoint(latest.note, publicKey);
  if (checkpoint === null) throw integrityFailure("the newest checkpoint is not signed by this home's key");
  if (checkpoint.size !== tree.size || latest.size !== tree.size) {
    throw integrityFailure(`the newest checkpoint covers ${checkpoint.size} entries, the journal holds ${tree.size}`);
  }
  if (checkpoint.origin !== position.origin) throw integrityFailure('the newest checkpoint has another origin');
  if (!sameBytes(checkpoint.root, tree.root()))
    throw integrityFailure('the root of the tree is not the one that the newest checkpoint signs');
}

interface OpenedJournal {
  readonly publicKey: Buffer;
  readonly checkpoint: Checkpoint;
}

/** The checkpoint that was opened or signed last: one is asked for several times before there is a newer one. */
let opened: OpenedJournal | null = null;

/** Remembers a checkpoint that this process signed, which need not be verified. */
export const rememberSigned = (signed: OpenedJournal): void => void (opened = signed);

/** Returns the newest checkpoint. @throws RefusalError `integrity` when this key did not sign it */
export function newestCheckpoint(db: Db, publicKey: Buffer): Checkpoint {
  const { size, note } = latestNote(db) ?? { size: 0, note: '' };
  const last = opened;
  const isOpened = last !== null && last.checkpoint.note === note && last.publicKey.equals(publicKey);
  const checkpoint = isOpened ? last.checkpoint : openCheckpoint(note, publicKey);
  if (checkpoint?.size !== size) throw damagedEntry(size, 'no checkpoint of this key covers it');
  opened = { publicKey, checkpoint };
  return checkpoint;
}

const catch_up_rows = 1_000;

/** The position before the first entry. */
export const positionOfNone = (publicKey: Buffer): Position => ({
  head: { size: 0, hash: genesis },
  incarnation: null,
  firstIncarnation: null,
  origin: originOf(publicKey, null),
});

/**
 * Reads the entries that were committed after a position, which is not that of the newest, and verifies each link and hash and then their checkpoint.
 * @param onEntry called with each entry, before its checkpoint was verified
 */
export function catchUp(
  db: Db,
  publicKey: Buffer,
  tree: Tree,
  position: Position,
  newestSize: number,
  onEntry: (entry: Entry) => void = () => undefined,
): Position {
  if (newestSize < position.head.size) throw new RefusalError('rollback', 'the journal became shorter while it was open');
  let head = position.head;
  let { incarnation, firstIncarnation } = position;
  for (;;) {
    const rows = rowsAfter(db, head.size, catch_up_rows);
    for (const row of rows) {
      const entry = checkLink(db, row, head, publicKey);
      ({ incarnation } = entry);
      tree.append(leafOf(row.hash, row.signature, row.seq));
      head = { size: row.seq, hash: row.hash };
      firstIncarnation ??= row.seq === 1 ? incarnation : null;
      onEntry(entry);
    }
    if (rows.length < catch_up_rows) break;
  }
  const reached = { head, incarnation, firstIncarnation, origin: originFor(publicKey, incarnation, firstIncarnation) };
  tree.discardPending();
  checkNewestCheckpoint(db, tree, reached, publicKey);
  return reached;
}

/** Checks that a row follows the head and matches its own hash; returns its entry. */
function checkLink(db: Db, row: StoredEntry, head: Head, publicKey: Buffer): Entry {
  if (row.seq !== head.size + 1) throw integrityFailure(`entry ${head.size + 1} is missing`, head.size + 1);
  if (storedHash(db, row.seq, row.body) !== row.hash) throw integrityFailure(`entry ${row.seq} does not match its hash`, row.seq);
  const entry = entryOf(row);
  if (entry.sequence !== row.seq || entry.previous !== head.hash) {
    throw integrityFailure(`entry ${row.seq} does not follow entry ${head.size}`, row.seq);
  }
  if (entry.identity !== identityOf(publicKey)) throw integrityFailure(`entry ${row.seq} belongs to another identity`, row.seq);
  return entry;
}

/** Returns the entry. @throws RefusalError `integrity` when it is missing */
export function requireEntry(db: Db, sequence: number): Entry {
  const entry = readEntry(db, sequence);
  if (entry === null) throw integrityFailure(`entry ${sequence} is missing`, sequence);
  return entry;
}
