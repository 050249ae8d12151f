/** Checks what the tree over all entries seals: the upper tiles, and that the checkpoints present are those that are kept. */
import { isBytes } from '../base/bytes.js';
import type { Db } from '../store/database.js';
import { hash_bytes } from './merkle.js';
import { latestNote, type Head } from './reader.js';
import { tile_width, Tree } from './tree.js';
import type { Failure } from './verify-range.js';

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
