/** Combines the verified ranges of a journal and checks what spans them: the chain, the root, the upper tiles, the blobs. */
import type { Db } from '../store/database.js';
import { hash_bytes, sameBytes } from './merkle.js';
import { genesis, type Head, latestNote } from './reader.js';
import type { Failure, RangeReport } from './verify-range.js';
import { isBytes } from '../base/bytes.js';
import { tile_width, Tree } from './tree.js';
import { temporaryDatabase } from '../store/temporary.js';
import type { BlobUse } from './blob-uses.js';
import { hasBlobHash } from './salted.js';

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

export type JournalReport = Readonly<ReturnType<JoinedRanges['report']>>;

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
  private readonly withoutCheckpoints: boolean;
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
    this.withoutCheckpoints = checkpoints === 'absent';
    this.tiles = new UpperTiles(this.withoutCheckpoints ? null : db, head);
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
    if (this.withoutCheckpoints) this.root = this.tiles.root(range.root);
    this.tiles.append(range.tileRoots);
    this.previous = range.hash;
  }

  private fail(sequence: number, detail: string): void {
    this.failure ??= { sequence, detail };
  }

  /** Returns the report on the whole journal. Call it once, when all ranges were added. */
  report(index: Failure | null) {
    const { db, head, root, origin, otherSignatures, timesBackwards, unknown } = this;
    return {
      failure: this.failure ?? this.failureOfAll(index),
      head,
      root: root.toString('hex'),
      origin,
      checkpoint: latestNote(db)?.note ?? '',
      signatures_checked: this.signatures,
      /** Entries with a valid signature that this journal's key does not make: only where the key itself is used. */
      otherSignatures,
      timesBackwards,
      /** Entries that this program does not fully know: verified, but not interpreted. */
      unknown,
    };
  }

  /** Returns the failure with the smallest sequence of what the entries as a whole determine. */
  private failureOfAll(index: Failure | null): Failure | null {
    const { db, head, checkpoints } = this;
    const sealed = this.withoutCheckpoints ? [] : [this.tiles.fault(db), checkpointFault(db, head, checkpoints === 'any')];
    const failures = [...sealed, index, this.blobs.failure(db)];
    return failures.filter((failure) => failure !== null).toSorted((a, b) => a.sequence - b.sequence)[0] ?? null;
  }

  close(): void {
    this.blobs.close();
  }
}

// Checks what the tree over all entries seals: the upper tiles, and that the checkpoints present are those that are kept.

/**
 * Checks that a checkpoint covers the newest entry, and unless `any` may be there, that none is there that should have been removed: only
 * the newest and those with a cosignature are kept.
 */
export function checkpointFault(db: Db, head: Head, any: boolean): Failure | null {
  if (latestNote(db)?.size !== head.size) return { sequence: head.size, detail: 'no checkpoint covers the newest entry' };
  if (any) return null;
  const foreign = db.prepare<[number], number>(
    'SELECT size FROM checkpoint WHERE size <> ? AND size NOT IN (SELECT size FROM cosignature) ORDER BY size LIMIT 1',
  );
  const size = foreign.pluck().get(head.size);
  return size === undefined ? null : { sequence: size, detail: `the checkpoint of size ${size} is not one that is kept` };
}

/** The tree over the roots of complete tiles, whose level n is the journal's level n + 1. Its tiles are compared with the stored ones as it grows. */
export class UpperTiles {
  private readonly tree = new Tree();
  private readonly stored;
  private failure: Failure | null = null;

  /** @param db null where no tiles are stored, as in a journal without checkpoints */
  constructor(
    db: Db | null,
    private readonly head: Head,
  ) {
    this.stored = db?.prepare<[number, number], unknown>('SELECT hashes FROM tile WHERE level = ? AND n = ?').pluck() ?? null;
  }

  /** @param roots of complete tiles, concatenated */
  append(roots: Uint8Array): void {
    for (let at = 0; at < roots.length; at += hash_bytes) this.tree.append(Buffer.from(roots.subarray(at, at + hash_bytes)));
    for (const { level, n, hashes } of this.tree.pending())
      if (hashes.length === tile_width * hash_bytes) this.compare(level + 1, n, hashes);
    // They are compared once: what is kept does not grow with the journal.
    this.tree.discardPending();
  }

  /** Returns the root of these tiles and of the entries after them, whose root is given. */
  root(right: Uint8Array | null = null): Buffer {
    return this.tree.root(right === null ? null : Buffer.from(right));
  }

  private compare(level: number, n: number, hashes: Buffer): void {
    const found = this.stored?.get(level, n);
    if (this.failure !== null || isBytes(found, hashes)) return;
    this.failure =
      found === undefined
        ? { sequence: this.head.size, detail: `tile ${level}/${n} is missing` }
        : { sequence: n * tile_width ** (level + 1) + 1, detail: `tile ${level}/${n} does not match the entries` };
  }

  /** Compares the last tiles too, and counts all tiles. Call it once, when all ranges were appended. */
  fault(db: Db): Failure | null {
    const { head } = this;
    for (let level = 1; tilesOf(level, head) > 0; level++) {
      const last = this.tree.lastTile(level - 1);
      if (last !== null) this.compare(level, tilesOf(level, head) - 1, last);
    }
    if (this.failure !== null) return this.failure;
    let expected = 0;
    for (let level = 0; tilesOf(level, head) > 0; level++) expected += tilesOf(level, head);
    // The ranges have found every tile of level 0, so only a foreign one can make another count.
    const count = db.prepare<[], number>('SELECT count(*) FROM tile').pluck().get() ?? 0;
    return count === expected ? null : foreignTile(db, head);
  }
}

/** Returns the number of stored tiles of a level: complete ones, above level 0 also the last one. */
function tilesOf(level: number, { size }: Head): number {
  const hashes = Math.floor(size / tile_width ** level);
  return level === 0 ? Math.floor(hashes / tile_width) : Math.ceil(hashes / tile_width);
}

function foreignTile(db: Db, head: Head): Failure {
  const rows = db.prepare<[], [level: number, n: number]>('SELECT level, n FROM tile').raw();
  for (const [level, n] of rows.iterate())
    if (level < 0 || n < 0 || n >= tilesOf(level, head)) return { sequence: 0, detail: `tile ${level}/${n} is foreign` };
  return { sequence: 0, detail: 'the table of tiles is damaged' };
}

// Checks the rows of the `blob` table against the entries.

/** `at` is the sequence of the entry that uses the blob, or the place of the blob's row: `stored`, or `altered` when its hash is another. */
const schema = 'CREATE TABLE used(hash TEXT NOT NULL, use TEXT NOT NULL, at INTEGER NOT NULL) STRICT';

/** A blob is live while an entry refers to it and no later one erases it. An entry that erases what it refers to leaves none. */
const faults = `
  SELECT hash, stored IS NOT NULL AS isStored, CASE WHEN isLive THEN refers ELSE named END AS sequence FROM (
    SELECT *, refers IS NOT NULL AND refers > coalesce(erases, 0) AS isLive FROM (
      SELECT hash,
        max(at) FILTER (WHERE use = 'refers') AS refers,
        max(at) FILTER (WHERE use = 'erases') AS erases,
        max(at) FILTER (WHERE use = 'names') AS named,
        min(at) FILTER (WHERE use IN ('stored', 'altered')) AS stored,
        max(use = 'altered') AS altered
      FROM used GROUP BY hash))
  WHERE CASE WHEN stored IS NULL THEN isLive AND named IS NULL ELSE altered OR NOT (isLive OR named IS NOT NULL) END
  ORDER BY stored IS NULL, stored, refers LIMIT 1`;

interface Fault {
  readonly hash: string;
  readonly isStored: number;
  /** The entry to which the blob belongs; null when it belongs to none. */
  readonly sequence: number | null;
}

/** Collects the uses of blobs, in any order, and checks them. They are sorted on disk, so that their number takes no memory. */
export class BlobCheck {
  private readonly uses = temporaryDatabase();
  private readonly insert;

  constructor() {
    this.uses.exec(`${schema}; BEGIN`);
    this.insert = this.uses.prepare<[string, BlobUse['use'] | 'stored' | 'altered', number]>('INSERT INTO used VALUES (?, ?, ?)');
  }

  add(uses: readonly BlobUse[]): void {
    for (const { hash, use, sequence } of uses) this.insert.run(hash, use, sequence);
  }

  /**
   * Checks that every blob matches its hash, that every blob to which entries refer exists unless an entry erased it, and that no other
   * exists. A blob that only an entry of a newer program names may exist or not. Call it once, after all uses were added.
   */
  failure(db: Db): Failure | null {
    if (!isIndexed(db)) return { sequence: 0, detail: 'the index of the blobs does not lead to each of them' };
    const rows = db.prepare<[], [hash: unknown, salt: unknown, bytes: unknown]>('SELECT hash, salt, bytes FROM blob NOT INDEXED');
    let place = 0;
    for (const [hash, salt, bytes] of rows.raw().iterate()) {
      const isSound = typeof hash === 'string' && hasBlobHash(hash, salt, bytes);
      this.insert.run(String(hash), isSound ? 'stored' : 'altered', ++place);
    }
    const fault = this.uses.prepare<[], Fault>(faults).get();
    return fault === undefined ? null : { ...failureOf(fault), isOfBlobs: true };
  }

  close(): void {
    this.uses.close();
  }
}

function failureOf({ hash, isStored, sequence }: Fault): Failure {
  const name = `blob ${hash.slice(0, 16)}`;
  if (sequence === null) return { sequence: 0, detail: `${name} belongs to no entry` };
  return { sequence, detail: isStored === 1 ? `${name} does not match its hash` : `${name} is missing` };
}

/** Whether a search by hash finds every row and no other: one that it does not find would be taken for an erased blob. */
function isIndexed(db: Db): boolean {
  const count = (sql: string): number => db.prepare<[], number>(sql).pluck().get() ?? 0;
  const rows = count('SELECT count(*) FROM blob NOT INDEXED');
  const found = count(
    `SELECT count(*) FROM blob AS row NOT INDEXED CROSS JOIN blob AS found INDEXED BY sqlite_autoindex_blob_1
     ON found.hash = row.hash WHERE found.rowid = row.rowid`,
  );
  return found === rows && count('SELECT count(hash) FROM blob INDEXED BY sqlite_autoindex_blob_1') === rows;
}
