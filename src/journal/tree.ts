/**
 * The journal's Merkle tree as it grows: the frontier (one hash per set bit of the size) makes an append O(1) amortised, and
 * rows of 256 hashes (`tile`) make proofs O(log n).
 *
 * Stored: complete tiles of every level; above level 0 also the last, incomplete one, rewritten once per 256 entries. The last
 * leaves of level 0 are recomputed from at most 255 entries at open, so that a single append writes no tile at all.
 */
import { Fault, RefusalError } from '../base/refusal.js';
import type { Db } from '../store/database.js';
import { EntryBytes } from './entry-bytes.js';
import { emptyRoot, entryLeaf, hash_bytes, nodeHash, rangeRoot, rootOfLeaves } from './merkle.js';

export const tile_width = 256;
const tile_bits = 8;
const levels_max = 6;

/** Number of hashes in the last tile of a level, for a tree of `size`. */
const lastTileWidth = (size: number, level: number): number => Math.floor(size / tile_width ** level) % tile_width;

export interface PendingTile {
  readonly level: number;
  readonly n: number;
  readonly hashes: Buffer;
}

/** Returns the refusal for tables that do not form a valid tree. */
const damaged = (detail: string): RefusalError => new RefusalError('integrity', detail);

const entryBytes = new EntryBytes();

/** Returns the leaf hash of a stored entry; null when its hash or signature is malformed. */
export const leafOrNull = (hash: string, signature: string): Buffer | null =>
  entryBytes.decode(hash, signature) ? entryLeaf(entryBytes.both) : null;

/** Returns the same. @throws RefusalError `integrity` when hash or signature is malformed */
export function leafOf(hash: string, signature: string, sequence?: number): Buffer {
  if (entryBytes.decode(hash, signature)) return entryLeaf(entryBytes.both);
  throw damaged(`${sequence === undefined ? 'an entry' : `entry ${sequence}`} has a malformed hash or signature`);
}

export class Tree {
  /** Number of leaves. */
  size = 0;
  /** frontier[h]: root of the perfect subtree of 2^h leaves that ends the tree, where bit h of the size is set. */
  private readonly frontier: Buffer[] = [];
  /** tiles[level]: the hashes of that level's last, incomplete tile. */
  private readonly tiles: Buffer[] = Array.from({ length: levels_max }, () => Buffer.alloc(tile_width * hash_bytes));
  private readonly dirty = new Map<string, PendingTile>();

  /** Loads the tree of `size` leaves from the stored tiles and the last entries. */
  static load(db: Db, size: number): Tree {
    const tree = new Tree();
    tree.size = size;
    for (let level = 0; level < levels_max; level++) {
      const width = lastTileWidth(size, level);
      if (width === 0) continue;
      const hashes =
        level === 0 ? lastLeaves(db, size, width) : storedTile(db, level, Math.floor(size / tile_width ** (level + 1)));
      if (hashes.length < width * hash_bytes) throw damaged(`tile ${level} is shorter than the journal`);
      hashes.copy(tree.tiles[level] ?? hashes, 0, 0, width * hash_bytes);
      tree.fillFrontier(level, width);
    }
    return tree;
  }

  private fillFrontier(level: number, width: number): void {
    const tile = this.tiles[level];
    if (tile === undefined) return;
    let at = 0;
    for (let bit = tile_bits - 1; bit >= 0; bit--) {
      if (Math.floor(width / 2 ** bit) % 2 === 0) continue;
      this.frontier[level * tile_bits + bit] = foldTile(tile, at, 2 ** bit);
      at += 2 ** bit;
    }
  }

  append(leaf: Buffer): void {
    this.put(0, leaf);
    let node = leaf;
    let height = 0;
    for (let rest = this.size; rest % 2 === 1; rest = Math.floor(rest / 2)) {
      const left = this.frontier[height];
      if (left === undefined) throw new Fault('the tree lost its frontier');
      node = nodeHash(left, node);
      height++;
      if (height % tile_bits === 0) this.put(height / tile_bits, node);
    }
    this.frontier[height] = node;
    this.size++;
  }

  private put(level: number, hash: Buffer): void {
    const tile = this.tiles[level];
    if (tile === undefined) throw new Fault('the tree is taller than 2^48 entries');
    const width = lastTileWidth(this.size, level);
    hash.copy(tile, width * hash_bytes);
    const complete = width + 1 === tile_width;
    if (level === 0 && !complete) return;
    const n = Math.floor(this.size / tile_width ** (level + 1));
    this.dirty.set(`${level}/${n}`, { level, n, hashes: Buffer.from(tile.subarray(0, (width + 1) * hash_bytes)) });
  }

  /**
   * Returns the root; or, when `right` is the root of leaves that follow this tree and this tree's size is a multiple of their number
   * rounded up to a power of two, the root of both.
   */
  root(right: Buffer | null = null): Buffer {
    let root: Buffer | null = right;
    let height = 0;
    for (let rest = this.size; rest > 0; rest = Math.floor(rest / 2), height++) {
      if (rest % 2 === 0) continue;
      const node = this.frontier[height];
      if (node === undefined) throw new Fault('the tree lost its frontier');
      root = root === null ? node : nodeHash(node, root);
    }
    return root ?? emptyRoot();
  }

  /** Writes the tiles that appends changed since the last call; inside the caller's transaction. */
  store(db: Db): void {
    if (this.dirty.size === 0) return;
    const upsert = db.prepare(
      'INSERT INTO tile(level, n, hashes) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET hashes = excluded.hashes',
    );
    for (const { level, n, hashes } of this.dirty.values()) upsert.run(level, n, hashes);
    this.dirty.clear();
  }

  /** The hashes of a level's last tile, if it is incomplete and not empty. */
  lastTile(level: number): Buffer | null {
    const width = lastTileWidth(this.size, level);
    return width === 0 ? null : Buffer.from(this.tiles[level]?.subarray(0, width * hash_bytes) ?? []);
  }

  /** Forgets the tiles that appends changed: another process has stored them. */
  discardPending(): void {
    this.dirty.clear();
  }

  /** The tiles that appends changed since the last store: for a tree grown from empty, all that must be stored. */
  pending(): Iterable<PendingTile> {
    return this.dirty.values();
  }
}

/** Root of `width` hashes (a power of two) in a tile, from position `at`. */
const foldTile = (tile: Buffer, at: number, width: number): Buffer =>
  rootOfLeaves(tile.subarray(at * hash_bytes, (at + width) * hash_bytes));

function lastLeaves(db: Db, size: number, width: number): Buffer {
  const rows = db
    .prepare<[number, number], { hash: string; signature: string }>(
      'SELECT hash, signature FROM events WHERE seq > ? AND seq <= ? ORDER BY seq',
    )
    .all(size - width, size);
  return Buffer.concat(rows.map((row, i) => leafOf(row.hash, row.signature, size - width + 1 + i)));
}

const storedTile = (db: Db, level: number, n: number): Buffer => {
  const row = db.prepare<[number, number], { hashes: Buffer }>('SELECT hashes FROM tile WHERE level = ? AND n = ?').get(level, n);
  if (row === undefined) throw damaged(`tile ${level}/${n} is missing`);
  if (!Buffer.isBuffer(row.hashes)) throw damaged(`tile ${level}/${n} is damaged`);
  return row.hashes;
};

/** Reads any perfect subtree of a tree of `size` leaves, from stored tiles and, for the last leaves, from entries. */
export function nodeReader(db: Db, size: number): (height: number, index: number) => Buffer {
  const cache = new Map<string, Buffer>();
  const tile = (level: number, n: number): Buffer => {
    const key = `${level}/${n}`;
    const known = cache.get(key);
    if (known !== undefined) return known;
    const partial = level === 0 && n === Math.floor(size / tile_width);
    const hashes = partial ? lastLeaves(db, size, lastTileWidth(size, 0)) : storedTile(db, level, n);
    cache.set(key, hashes);
    return hashes;
  };
  return (height, index) => {
    const level = Math.floor(height / tile_bits);
    const width = 2 ** (height % tile_bits);
    const first = index * width;
    const hashes = tile(level, Math.floor(first / tile_width));
    const at = first % tile_width;
    if (hashes.length < (at + width) * hash_bytes) throw damaged(`tile ${level} is shorter than the journal`);
    return foldTile(hashes, at, width);
  };
}

/** Root of the first `size` entries of a journal that holds at least as many. */
export const rootAt = (db: Db, journalSize: number, size: number): Buffer => rangeRoot(nodeReader(db, journalSize), 0, size);
