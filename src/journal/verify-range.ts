/**
 * Verifies one aligned range of entries, on any thread: hashes, chain, identity, canonical form, leaves and stored tiles,
 * checkpoints, and with `deep` every signature. The caller checks what spans ranges (chain, root, index, blobs).
 */
import * as E from 'fp-ts/lib/Either.js';
import { isBytes } from '../base/bytes.js';
import { readBody } from '../codec/entry.js';
import type { Db } from '../store/database.js';
import { blobsOfBody, namesOf, type BlobUse, type Use } from './blob-uses.js';
import { EntryBytes } from './entry-bytes.js';
import { entryLeaf } from './merkle.js';
import { openStoredCheckpoint } from './note.js';
import { OrdinaryEntries, type OrdinaryEntry } from './ordinary-entry.js';
import { parsedEntry, textMember } from './parsed-entry.js';
import { hasStreamBytes, storedHash } from './reader.js';
import type { SignatureCheck } from './signature-check.js';
import { Tree } from './tree.js';

/** The entries of a range unless another size is given: a power of two, at least a tile. */
export const range_entries = 16_384;

export interface RangeTask {
  /** Sequences `first` … `last`; `first` − 1 is a multiple of the size of ranges. */
  readonly first: number;
  readonly last: number;
  readonly deep: boolean;
  /** Decodes every entry, to find those that this program does not know; `deep` does so too. */
  readonly interpret: boolean;
  /** Compares the stored tiles too. */
  readonly tiles: boolean;
  /** The stored checkpoints of these sizes: another connection may no longer see them. */
  readonly notes: readonly (readonly [size: number, note: unknown])[];
}

export interface Failure {
  readonly sequence: number;
  readonly detail: string;
  /** Set when the entries are valid and a blob does not match them. */
  readonly isOfBlobs?: boolean;
}

export type RangeReport = Readonly<ReturnType<Walk['report']>>;

/** What all ranges are verified with. */
export interface RangeKeys {
  readonly publicKey: Buffer;
  readonly identity: string;
  readonly signatures: SignatureCheck;
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

export function verifyRange(db: Db, task: RangeTask, key: RangeKeys): RangeReport {
  const walk = new Walk(db, task, key);
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
  private readonly bytes = new EntryBytes();
  private readonly ordinary: OrdinaryEntries;
  private readonly blobs: BlobUse[] = [];
  private readonly unknown: number[] = [];
  private readonly otherSignatures: number[] = [];
  private readonly signed: { size: number; local: Uint8Array; signed: Uint8Array; origin: string }[] = [];
  private firstPrevious = '';
  private hash = '';
  private time = '';
  private timesBackwards = 0;
  private signatures = 0;

  constructor(
    private readonly db: Db,
    private readonly task: RangeTask,
    private readonly key: RangeKeys,
  ) {
    this.ordinary = new OrdinaryEntries(key.identity);
  }

  run(): void {
    const { first, last } = this.task;
    const notes = new Map(this.task.notes);
    const rows = this.db
      .prepare<[number, number], Row>(
        'SELECT seq, mission, body, hash, signature FROM events NOT INDEXED WHERE seq >= ? AND seq <= ? ORDER BY seq',
      )
      .raw()
      .iterate(first, last);
    let expected = first;
    for (const row of rows) {
      const [seq] = row;
      if (seq !== expected) fail(expected, 'the entry is missing');
      this.entry(row);
      this.tree.append(entryLeaf(this.bytes.both));
      const note = notes.get(seq);
      if (note !== undefined) this.checkpoint(seq, note);
      expected = seq + 1;
    }
    if (expected <= last) fail(expected, 'the entry is missing');
    if (this.task.tiles) this.compareTiles();
  }

  private entry([seq, mission, text, hash, signature]: Row): void {
    // A table that is not STRICT, which the comparison of schemas finds, can hold anything.
    if (typeof mission !== 'string' || typeof text !== 'string' || typeof hash !== 'string' || typeof signature !== 'string')
      fail(seq, 'the row is not an entry');
    if (storedHash(this.db, seq, text) !== hash) fail(seq, 'the stored bytes do not match their hash');
    const ordinary = this.hash === '' ? null : this.ordinary.read(text, seq, mission, this.hash);
    const body = ordinary === null ? this.parsed(seq, mission, text) : null;
    if (!this.bytes.decode(hash, signature)) fail(seq, 'the entry has a malformed hash or signature');
    if (this.task.deep) this.verifySignature(seq);
    if (ordinary === null || !this.interpretOrdinary(seq, ordinary))
      this.interpret(seq, body ?? this.parsed(seq, mission, text), text);
    this.hash = hash;
  }

  private parsed(sequence: number, stream: string, text: string): Readonly<Record<string, unknown>> {
    const previous = this.hash === '' ? null : this.hash;
    const body = parsedEntry(text, { sequence, stream, identity: this.key.identity, previous });
    if (typeof body === 'string') return fail(sequence, body);
    if (!hasStreamBytes(this.db, sequence, stream)) return fail(sequence, 'the stream is not the signed one');
    if (previous === null) this.firstPrevious = textMember(body, 'previous');
    return body;
  }

  private clock(time: string): void {
    if (time < this.time) this.timesBackwards++;
    this.time = time;
  }

  /** Only now that the hash was computed from the stored bytes, and the entry names this key. */
  private verifySignature(seq: number): void {
    const verdict = this.key.signatures.judge(this.bytes.hash, this.bytes.signature);
    if (verdict === 'invalid') fail(seq, 'the signature does not verify');
    if (verdict === 'other') this.otherSignatures.push(seq);
    this.signatures++;
  }

  private get decodes(): boolean {
    return this.task.deep || this.task.interpret;
  }

  /** Returns false for an entry that this program cannot read in full. */
  private interpretOrdinary(seq: number, { type, document, time }: OrdinaryEntry): boolean {
    const reading = this.decodes ? type.read(JSON.parse(document)) : null;
    if (reading !== null && (E.isLeft(reading) || reading.right.unknown !== null)) return false;
    this.keepBlobs(seq, type.blobsIn(document));
    this.clock(time);
    return true;
  }

  private interpret(seq: number, body: Readonly<Record<string, unknown>>, text: string): void {
    const reading = this.decodes ? readBody(body, text) : null;
    if (reading !== null && E.isLeft(reading)) return fail(seq, `the entry does not decode: ${reading.left.detail}`);
    const declared = blobsOfBody(body);
    const goesBeyond = declared === null || (reading !== null && reading.right.unknown !== null);
    if (goesBeyond) this.unknown.push(seq);
    this.keepBlobs(seq, [...(declared ?? []), ...(goesBeyond ? namesOf(body['document']) : [])]);
    if (body['schema'] === 2) this.clock(textMember(body, 'time'));
  }

  private keepBlobs(sequence: number, uses: readonly Use[]): void {
    for (const use of uses) this.blobs.push({ ...use, sequence });
  }

  private checkpoint(size: number, note: unknown): void {
    const checkpoint = typeof note === 'string' ? openStoredCheckpoint(note, this.key.publicKey) : null;
    if (checkpoint === null || checkpoint.size !== size) return fail(size, 'the checkpoint of this size does not verify');
    this.signed.push({ size, local: this.tree.root(), signed: checkpoint.root, origin: checkpoint.origin });
    this.signatures++;
  }

  private compareTiles(): void {
    const offset = (this.task.first - 1) / 256;
    const read = this.db.prepare<[number], unknown>('SELECT hashes FROM tile WHERE level = 0 AND n = ?').pluck();
    for (const { level, n, hashes } of this.tree.pending()) {
      if (level !== 0) continue;
      if (!isBytes(read.get(offset + n), hashes)) fail((offset + n) * 256 + 1, `tile 0/${offset + n} does not match the entries`);
    }
  }

  report(failure: Failure | null) {
    return {
      first: this.task.first,
      last: this.task.last,
      failure,
      previous: this.firstPrevious,
      hash: this.hash,
      /** Roots of the range's complete tiles, concatenated, and of all its leaves. */
      tileRoots: this.tree.lastTile(1) ?? new Uint8Array(),
      root: this.tree.root(),
      /** For each checkpoint: the root of the range's leaves up to it, the root that it signs, and its size. */
      checkpoints: this.signed,
      blobs: this.blobs,
      /** Sequences of entries that this program does not fully know. */
      unknown: this.unknown,
      signatures: this.signatures,
      /** Sequences of entries whose signature is valid, but not the one that this key makes. */
      otherSignatures: this.otherSignatures,
      timesBackwards: this.timesBackwards,
    };
  }
}
