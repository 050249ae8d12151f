/**
 * The check of a whole journal that every command makes in a small home: one pass over the rows of `events` in the order of the table, not of
 * an index, from the bodies to the root that the newest checkpoint signs. That root covers everything but the column `mission`, which is
 * compared with the signed stream. Blobs and older checkpoints are left to `verify`.
 */
import { fromBase64, fromHex } from '../base/bytes.js';
import type { Refusal } from '../base/refusal.js';
import { RefusalError } from '../base/result.js';
import { placeOf, type Place } from '../codec/entry.js';
import { storageError, type Db } from '../store/database.js';
import { verifySignature } from './keys.js';
import { hash_bytes, rootOfLeaves, sameBytes } from './merkle.js';
import { openCheckpoint, type Checkpoint } from './note.js';
import { damagedEntry, genesis, hasStreamBytes, latestNote, readHead, storedHash } from './reader.js';
import { leafOrNull, tile_width } from './tree.js';

/** Every command checks the whole journal up to this number of entries, if the file is within `checked_pages_bytes_max`. */
export const checked_entries_max = 10_000;
/**
 * Size of the used pages of a file with `checked_entries_max` entries and 16 MiB of bodies. Measured with a mission for each entry: 24.6 MiB, and
 * 26.7 MiB with a checkpoint for each entry.
 */
export const checked_pages_bytes_max = 29_360_128;

const tile_bytes = tile_width * hash_bytes;

/** The entries of one stream. */
export interface StreamExtent {
  readonly entries: number;
  /** Sequence of the newest one. */
  readonly last: number;
}

export interface WholeReport {
  /** `integrity` with the first bad sequence; null when the journal is valid. */
  readonly failure: Refusal | null;
  /** Every stream by name; those up to the failure when there is one. */
  readonly streams: ReadonlyMap<string, StreamExtent>;
}

/** Returns whether the journal is small enough for every command to check all of it. It takes the same time in every home. */
export function isSmall(db: Db): boolean {
  const [pages, free, page_bytes] = ['page_count', 'freelist_count', 'page_size'].map((name) =>
    Number(db.pragma(name, { simple: true })),
  );
  const bytes = ((pages ?? Number.NaN) - (free ?? Number.NaN)) * (page_bytes ?? Number.NaN);
  return bytes <= checked_pages_bytes_max && readHead(db).size <= checked_entries_max;
}

/** Checks all entries. Call it in a read transaction, so that what the caller reads next is what was checked. */
export function checkWhole(db: Db, publicKey: Buffer): WholeReport {
  const streams = new Map<string, StreamExtent>();
  try {
    const checkpoint = newestCheckpoint(db, publicKey);
    checkRows(db, checkpoint, streams);
    checkIndexes(db);
    return { failure: null, streams };
  } catch (error) {
    const known = storageError(error, 'journal.sqlite3');
    if (!(known instanceof RefusalError) || known.refusal.code !== 'integrity') throw error;
    return { failure: firstFailure(db, publicKey, known.refusal), streams };
  }
}

function newestCheckpoint(db: Db, publicKey: Buffer): Checkpoint {
  const latest = latestNote(db);
  const checkpoint = latest === undefined ? null : openCheckpoint(latest.note, publicKey);
  if (checkpoint !== null && checkpoint.size === latest?.size) return checkpoint;
  throw damagedEntry(readHead(db).size, 'no checkpoint of this key covers it');
}

function checkRows(db: Db, { size, root }: Checkpoint, streams: Map<string, StreamExtent>): void {
  const rows = db
    .prepare<[], readonly unknown[]>('SELECT seq, mission, body, hash, signature FROM events NOT INDEXED ORDER BY seq')
    .raw();
  const leaves = Buffer.alloc(size * hash_bytes);
  let previous = genesis;
  let expected = 1;
  for (const [seq, mission, body, hash, signature] of rows.iterate()) {
    if (typeof seq !== 'number' || seq < 1) throw damagedEntry(Number(seq), 'the sequence is not positive');
    if (expected > size) throw damagedEntry(seq, 'no checkpoint covers it');
    if (seq !== expected) throw damagedEntry(expected, 'the entry is missing');
    if (typeof mission !== 'string' || typeof body !== 'string' || typeof hash !== 'string' || typeof signature !== 'string')
      throw damagedEntry(seq, 'a column is not a text');
    if (storedHash(db, seq, body) !== hash) throw damagedEntry(seq, 'the stored bytes do not match their hash');
    checkPlace(db, body, { stream: mission, previous, sequence: seq });
    const leaf = leafOrNull(hash, signature);
    if (leaf === null) throw damagedEntry(seq, 'the signature is malformed');
    leaf.copy(leaves, (seq - 1) * hash_bytes);
    streams.set(mission, { entries: (streams.get(mission)?.entries ?? 0) + 1, last: seq });
    previous = hash;
    expected++;
  }
  if (expected <= size) throw damagedEntry(expected, 'the entry is missing');
  if (!sameBytes(rootOfLeaves(leaves), root)) throw damagedEntry(size, 'the checkpoint signs another root');
  checkTiles(db, leaves);
}

/** Checks that exactly the tiles of these leaves are stored: complete ones of every level, above level 0 also the last one. */
function checkTiles(db: Db, leaves: Buffer): void {
  const expected = new Map<string, Buffer>();
  for (let level = 0, hashes = leaves; hashes.length > 0; level++) {
    const roots: Buffer[] = [];
    for (let at = 0; at < hashes.length; at += tile_bytes) {
      const tile = hashes.subarray(at, at + tile_bytes);
      const isComplete = tile.length === tile_bytes;
      if (isComplete || level > 0) expected.set(`${level}/${at / tile_bytes}`, tile);
      if (isComplete) roots.push(rootOfLeaves(tile));
    }
    hashes = Buffer.concat(roots);
  }
  const rows = db.prepare<[], [number, number, unknown]>('SELECT level, n, hashes FROM tile').raw();
  for (const [level, n, hashes] of rows.all()) {
    const key = `${level}/${n}`;
    if (!(hashes instanceof Buffer) || expected.get(key)?.equals(hashes) !== true)
      throw damagedTile(key, 'does not match the entries');
    expected.delete(key);
  }
  const [missing] = expected.keys();
  if (missing !== undefined) throw damagedTile(missing, 'is missing');
}

const damagedTile = (key: string, why: string): RefusalError =>
  new RefusalError({ code: 'integrity', detail: `tile ${key} ${why}`, hint: 'agent-cli verify' });

/** @throws RefusalError when the row's columns are not what its entry signs */
function checkPlace(db: Db, body: string, row: Place): void {
  const signed = placeOf(body) ?? parsedPlace(body);
  if (signed === null) throw damagedEntry(row.sequence, 'the body is not that of an entry');
  if (signed.sequence !== row.sequence) throw damagedEntry(row.sequence, `the signed sequence is ${signed.sequence}`);
  if (signed.previous !== row.previous) throw damagedEntry(row.sequence, 'it does not follow the entry before it');
  if (signed.stream !== row.stream || !hasStreamBytes(db, row.sequence, row.stream))
    throw damagedEntry(row.sequence, 'the stream is not the signed one');
}

/** Returns the same as `placeOf` for any other entry, such as one of schema 1. */
function parsedPlace(body: string): Place | null {
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

/**
 * Checks that a search by sequence or by stream finds every row and no other: all rows are in their places in the table and its indexes.
 * SQLite compares them in less than a fifth of the time of the pass over the rows.
 */
function checkIndexes(db: Db): void {
  const messages = db.prepare<[], string>("PRAGMA integrity_check('events')").pluck().all();
  if (messages[0] === 'ok') return;
  // SQLite counts the rows, whose sequences are known to be 1, 2, ….
  const missing = messages.find((message) => missing_row.test(message));
  const detail = `the table of entries or an index of it is damaged: ${missing ?? messages[0] ?? ''}`;
  const facts = missing === undefined ? {} : { facts: { sequence: Number(missing_row.exec(missing)?.[1]) } };
  throw new RefusalError({ code: 'integrity', detail, ...facts, hint: 'agent-cli verify' });
}

const missing_row = /^row ([0-9]+) missing/;

/**
 * Returns the first entry up to the failure that this key did not sign, else the failure itself: when hash or signature of an entry was
 * changed too, the chain or the root shows it only later.
 */
function firstFailure(db: Db, publicKey: Buffer, failure: Refusal): Refusal {
  const sequence = failure.facts?.['sequence'];
  if (typeof sequence !== 'number') return failure;
  const rows = db
    .prepare<[number], readonly unknown[]>('SELECT seq, hash, signature FROM events NOT INDEXED WHERE seq <= ? ORDER BY seq')
    .raw();
  for (const [seq, hash, signature] of rows.iterate(sequence)) {
    const [message, signed] = [fromHex(String(hash)), fromBase64(String(signature))];
    if (message === null || signed === null || !verifySignature(publicKey, message, signed))
      return damagedEntry(Number(seq), 'the signature does not verify').refusal;
  }
  return failure;
}
