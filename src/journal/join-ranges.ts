/** Combines the verified ranges of a journal and checks what spans them: the chain, the root, the upper tiles, the blobs. */
import type { Db } from '../store/database.js';
import { BlobCheck } from './check-blobs.js';
import { checkpointFault, UpperTiles } from './check-sealed.js';
import { sameBytes } from './merkle.js';
import { genesis, latestNote, type Head } from './reader.js';
import type { Failure, RangeReport } from './verify-range.js';

/** Sequences of entries: how many there are, and the first of them. */
export interface Sequences {
  readonly count: number;
  readonly first: readonly number[];
}

const listed_sequences_max = 100;
const noSequences: Sequences = { count: 0, first: [] };

const extended = ({ count, first }: Sequences, more: readonly number[]): Sequences => ({
  count: count + more.length,
  first: first.length < listed_sequences_max ? [...first, ...more].slice(0, listed_sequences_max) : first,
});

export interface JournalReport {
  readonly failure: Failure | null;
  readonly head: Head;
  readonly root: string;
  readonly origin: string;
  readonly checkpoint: string;
  readonly signatures_checked: number;
  /** Entries with a valid signature that this journal's key does not make: only where the key itself is used. */
  readonly otherSignatures: Sequences;
  readonly timesBackwards: number;
  /** Entries that this program does not fully know: verified, but not interpreted. */
  readonly unknown: Sequences;
}

/** Returns the report on a journal of which no entry was read. */
export const unread = (db: Db, head: Head, failure: Failure): JournalReport => ({
  failure,
  head,
  root: '',
  origin: '',
  checkpoint: latestNote(db)?.note ?? '',
  signatures_checked: 0,
  otherSignatures: noSequences,
  timesBackwards: 0,
  unknown: noSequences,
});

/**
 * Which checkpoints a journal must have. `kept`: the newest, and those with a cosignature. `any`: the newest, and others of which the
 * cosignature may not be there, as in an archive. `absent`: none covers the entries (those of the reference agent).
 */
export type Checkpoints = 'kept' | 'any' | 'absent';

/** A range without the blobs that its entries use, which were passed on. */
type Range = Omit<RangeReport, 'blobs'>;

/**
 * Joins ranges in the order of the journal, whatever the order in which they arrive. What it holds does not grow with the journal, but for
 * the ranges that wait for an earlier one.
 */
export class JoinedRanges {
  private readonly blobs = new BlobCheck();
  private readonly tiles: UpperTiles;
  private readonly areAbsent: boolean;
  /** By their first sequences. */
  private readonly waiting = new Map<number, Range>();
  private next = 1;
  /** The first failure: later ones of the chain say no more. */
  private failure: Failure | null = null;
  private previous = genesis;
  private root: Buffer;
  private origin = '';
  private signatures = 0;
  private timesBackwards = 0;
  private otherSignatures = noSequences;
  private unknown = noSequences;

  /** Without checkpoints the root is that of the entries themselves, and tiles are not compared. */
  constructor(
    private readonly db: Db,
    private readonly head: Head,
    private readonly checkpoints: Checkpoints,
  ) {
    this.areAbsent = checkpoints === 'absent';
    this.tiles = new UpperTiles(this.areAbsent ? null : db, head);
    this.root = this.tiles.root();
  }

  /** The number of ranges that wait for an earlier one. */
  get waitingCount(): number {
    return this.waiting.size;
  }

  add({ blobs, ...range }: RangeReport): void {
    if (this.failure === null) this.blobs.add(blobs);
    this.waiting.set(range.first, range);
    for (let joined = this.waiting.get(this.next); joined !== undefined; joined = this.waiting.get(this.next)) {
      this.waiting.delete(this.next);
      this.next = joined.last + 1;
      this.join(joined);
    }
  }

  private join(range: Range): void {
    this.signatures += range.signatures;
    this.timesBackwards += range.timesBackwards;
    this.otherSignatures = extended(this.otherSignatures, range.otherSignatures);
    this.unknown = extended(this.unknown, range.unknown);
    this.failure ??= range.failure;
    if (this.failure === null) this.chain(range);
  }

  private chain(range: Range): void {
    if (range.previous !== this.previous) this.fail(range.first, 'the entry does not follow the one before it');
    for (const { size, local, signed, origin } of range.checkpoints) {
      this.root = this.tiles.root(local);
      this.origin = origin;
      if (!sameBytes(this.root, signed)) this.fail(size, `the checkpoint of size ${size} signs another root`);
    }
    if (this.areAbsent) this.root = this.tiles.root(range.root);
    this.tiles.append(range.tileRoots);
    this.previous = range.hash;
  }

  private fail(sequence: number, detail: string): void {
    this.failure ??= { sequence, detail };
  }

  /** Returns the report on the whole journal. Call it once, when all ranges were added. */
  report(index: Failure | null): JournalReport {
    const { db, head, root, origin, otherSignatures, timesBackwards, unknown } = this;
    return {
      failure: this.failure ?? this.failureOfAll(index),
      head,
      root: root.toString('hex'),
      origin,
      checkpoint: latestNote(db)?.note ?? '',
      signatures_checked: this.signatures,
      otherSignatures,
      timesBackwards,
      unknown,
    };
  }

  /** Returns the failure with the smallest sequence of what the entries as a whole determine. */
  private failureOfAll(index: Failure | null): Failure | null {
    const { db, head, checkpoints } = this;
    const sealed = this.areAbsent ? [] : [this.tiles.fault(db), checkpointFault(db, head, checkpoints === 'any')];
    const failures = [...sealed, index, this.blobs.failure(db)];
    return failures.filter((failure) => failure !== null).toSorted((a, b) => a.sequence - b.sequence)[0] ?? null;
  }

  close(): void {
    this.blobs.close();
  }
}
