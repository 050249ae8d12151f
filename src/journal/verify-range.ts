/**
 * Verifies one aligned range of entries, on any thread: hashes, chain, identity, canonical form, leaves and stored tiles,
 * checkpoints, and with `deep` every signature. The caller checks what spans ranges (chain, root, blobs).
 */
import * as E from 'fp-ts/lib/Either.js';
import { canonicalOrNull } from '../base/canonical-json.js';
import { scanCanonical } from '../base/canonical-scan.js';
import { fromBase64 } from '../base/bytes.js';
import type { Db } from '../store/database.js';
import { verifySignature } from './keys.js';
import { openStoredCheckpoint } from './note.js';
import { storedHash } from './reader.js';
import { leafOf, Tree } from './tree.js';
import { blobsInText, blobsOfBody, namesOf, type BlobUse } from './blob-uses.js';
import { readBody } from '../codec/entry.js';

/** A power of two, at least a tile. */
export const range_entries = 16_384;

export interface RangeTask {
  /** Sequences `first` … `last`; `first` − 1 is a multiple of `range_entries`. */
  readonly first: number;
  readonly last: number;
  readonly deep: boolean;
  /** Decodes every entry, to find those that this program does not know; `deep` does so too. */
  readonly interpret: boolean;
  /** Compares the stored tiles too. */
  readonly tiles: boolean;
}

export interface Failure {
  readonly sequence: number;
  readonly detail: string;
  /** Set when the entries are valid and a blob does not match them. */
  readonly isOfBlobs?: boolean;
}

export interface RangeReport {
  readonly first: number;
  readonly last: number;
  readonly failure: Failure | null;
  readonly previous: string;
  readonly hash: string;
  /** Roots of the range's complete tiles, concatenated, and of all its leaves. */
  readonly tileRoots: Uint8Array;
  readonly root: Uint8Array;
  /** For each checkpoint: the root of the range's leaves up to it, the root that it signs, and its size. */
  readonly checkpoints: readonly {
    readonly size: number;
    readonly local: Uint8Array;
    readonly signed: Uint8Array;
    readonly origin: string;
  }[];
  readonly blobs: readonly BlobUse[];
  /** Sequences of entries that this program does not fully know. */
  readonly unknown: readonly number[];
  readonly signatures: number;
  readonly timesBackwards: number;
}

type Row = [seq: number, mission: string, body: string, hash: string, signature: string];
class RangeFailure extends Error {
  constructor(readonly failure: Failure) {
    super(failure.detail);
  }
}
const fail = (sequence: number, detail: string): never => {
  throw new RangeFailure({ sequence, detail });
};

export function verifyRange(db: Db, task: RangeTask, publicKey: Buffer, identity: string): RangeReport {
  const walk = new Walk(db, task, publicKey, identity);
  let failure: Failure | null = null;
  try {
    walk.run();
  } catch (error) {
    if (!(error instanceof RangeFailure)) throw error;
    failure = error.failure;
  }
  return walk.report(failure);
}

class Walk {
  private readonly tree = new Tree();
  private readonly blobs: BlobUse[] = [];
  private readonly unknown: number[] = [];
  private readonly signed: { size: number; local: Uint8Array; signed: Uint8Array; origin: string }[] = [];
  private firstPrevious = '';
  private hash = '';
  private time = '';
  private timesBackwards = 0;
  private signatures = 0;

  constructor(
    private readonly db: Db,
    private readonly task: RangeTask,
    private readonly publicKey: Buffer,
    private readonly identity: string,
  ) {}

  run(): void {
    const { first, last, deep, interpret } = this.task;
    const notes = new Map(
      this.db
        .prepare<[number, number], { size: number; note: string }>(
          'SELECT size, note FROM checkpoint WHERE size >= ? AND size <= ?',
        )
        .all(first, last)
        .map((row) => [row.size, row.note]),
    );
    const rows = this.db
      .prepare<[number, number], Row>(
        'SELECT seq, mission, body, hash, signature FROM events WHERE seq >= ? AND seq <= ? ORDER BY seq',
      )
      .raw()
      .iterate(first, last);
    let expected = first;
    for (const [seq, mission, body, hash, signature] of rows) {
      if (seq !== expected) fail(expected, 'the entry is missing');
      if (deep || interpret) {
        const parsed = this.entry(seq, mission, body, hash);
        if (deep) this.verifySignature(seq, hash, signature);
        this.interpret(seq, parsed, body);
      } else if (!this.confirm(seq, mission, body, hash)) this.collectBlobs(seq, this.entry(seq, mission, body, hash));
      this.tree.append(this.leaf(seq, hash, signature));
      const note = notes.get(seq);
      if (note !== undefined) this.checkpoint(seq, note);
      expected = seq + 1;
    }
    if (expected <= last) fail(expected, 'the entry is missing');
    if (this.task.tiles) this.compareTiles();
  }

  /** Verifies an ordinary entry from its text alone. Any other entry is left to `entry`, which finds the reason. */
  private confirm(seq: number, mission: string, text: string, hash: string): boolean {
    if (this.hash === '' || storedHash(this.db, seq, text) !== hash) return false;
    const top = scanCanonical(text);
    const fits =
      top?.get('schema') === '2' &&
      top.get('sequence') === String(seq) &&
      top.get('mission') === `"${mission}"` &&
      top.get('identity') === `"${this.identity}"` &&
      top.get('previous') === `"${this.hash}"`;
    const blobs = fits ? blobsInText(top) : null;
    if (!fits || blobs === null) return false;
    this.blobs.push(...blobs.map((use) => ({ ...use, sequence: seq })));
    this.clock(top.get('time')?.slice(1, -1) ?? '');
    this.hash = hash;
    return true;
  }

  private entry(seq: number, mission: string, text: string, hash: string): Record<string, unknown> {
    if (storedHash(this.db, seq, text) !== hash) fail(seq, 'the stored bytes do not match their hash');
    const body = parse(seq, text);
    if (body['sequence'] !== seq) fail(seq, `the signed sequence is ${String(body['sequence'])}`);
    if (body['mission'] !== mission) fail(seq, 'the stream is not the signed one');
    if (body['identity'] !== this.identity) fail(seq, 'the entry belongs to another identity');
    const previous = typeof body['previous'] === 'string' ? body['previous'] : '';
    if (this.hash === '') this.firstPrevious = previous;
    else if (previous !== this.hash) fail(seq, 'the entry does not follow the one before it');
    if (body['schema'] === 2) this.canonical(seq, text, body);
    else if (body['schema'] !== 1) fail(seq, 'the entry has an unknown schema');
    this.hash = hash;
    return body;
  }

  private canonical(seq: number, text: string, body: Record<string, unknown>): void {
    if (canonicalOrNull(body) !== text) fail(seq, 'the stored bytes are not in canonical form');
    this.clock(typeof body['time'] === 'string' ? body['time'] : '');
  }

  private clock(time: string): void {
    if (time < this.time) this.timesBackwards++;
    this.time = time;
  }

  private verifySignature(seq: number, hash: string, signature: string): void {
    const bytes = fromBase64(signature);
    if (bytes === null || !verifySignature(this.publicKey, Buffer.from(hash, 'hex'), bytes))
      fail(seq, 'the signature does not verify');
    this.signatures++;
  }

  /** Returns whether this program can read the entry or a newer program wrote it. */
  private interpret(seq: number, body: Record<string, unknown>, text: string): void {
    const reading = readBody(body, text);
    if (E.isLeft(reading)) return fail(seq, `the entry does not decode: ${reading.left.detail}`);
    this.collectBlobs(seq, body, reading.right.unknown !== null);
  }

  private leaf(seq: number, hash: string, signature: string): Buffer {
    try {
      return leafOf(hash, signature);
    } catch {
      return fail(seq, 'the entry has a malformed hash or signature');
    }
  }

  private checkpoint(size: number, note: string): void {
    const checkpoint = openStoredCheckpoint(note, this.publicKey);
    if (checkpoint === null || checkpoint.size !== size) return fail(size, 'the checkpoint of this size does not verify');
    this.signed.push({ size, local: this.tree.root(), signed: checkpoint.root, origin: checkpoint.origin });
    this.signatures++;
  }

  private collectBlobs(sequence: number, body: Record<string, unknown>, isUnknown = false): void {
    const declared = blobsOfBody(body);
    const goesBeyond = isUnknown || declared === null;
    if (goesBeyond) this.unknown.push(sequence);
    const uses = [...(declared ?? []), ...(goesBeyond ? namesOf(body['document']) : [])];
    this.blobs.push(...uses.map((use) => ({ ...use, sequence })));
  }

  private compareTiles(): void {
    const offset = (this.task.first - 1) / 256;
    const read = this.db.prepare<[number], { hashes: Buffer }>('SELECT hashes FROM tile WHERE level = 0 AND n = ?');
    for (const { level, n, hashes } of this.tree.pending()) {
      if (level !== 0) continue;
      if (read.get(offset + n)?.hashes.equals(hashes) !== true)
        fail((offset + n) * 256 + 1, `tile 0/${offset + n} does not match the entries`);
    }
  }

  report(failure: Failure | null): RangeReport {
    return {
      first: this.task.first,
      last: this.task.last,
      failure,
      previous: this.firstPrevious,
      hash: this.hash,
      tileRoots: this.tree.lastTile(1) ?? new Uint8Array(),
      root: this.tree.root(),
      checkpoints: this.signed,
      blobs: this.blobs,
      unknown: this.unknown,
      signatures: this.signatures,
      timesBackwards: this.timesBackwards,
    };
  }
}

function parse(seq: number, text: string): Record<string, unknown> {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Record<string, unknown>;
  } catch {
    // Reported below: not JSON and not an object are the same error.
  }
  return fail(seq, 'the body is not a JSON object');
}
