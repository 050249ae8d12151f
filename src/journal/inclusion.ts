/**
 * The check of single entries in a journal that is too large to be checked as a whole at every command: an entry is part of the tree whose
 * root the newest checkpoint signs. Each stored tile is compared with the one above it, up to the last tiles, which the tree in memory holds.
 */
import type { Entry } from '../codec/entry.js';
import type { Db } from '../store/database.js';
import { hash_bytes } from './merkle.js';
import { damagedEntry, storedHash } from './reader.js';
import { isCovered } from './tile-source.js';
import { leafOrNull, tile_width, type Tree } from './tree.js';

/** Confirmed tiles of 8 KiB that a command keeps in memory while it checks single entries. */
export const confirmed_tiles_max = 256;

/** One connection's journal as of one head. */
export class Inclusion {
  private readonly size: number;
  /** The last, incomplete tile of each level; null when the level ends with a complete one. */
  private readonly last: readonly (Buffer | null)[];
  /** Complete tiles by level and number, the one that was confirmed first at the front. */
  private readonly confirmed = new Map<string, Buffer>();
  private readonly stored;

  /** @param tree whose root is that of the newest checkpoint */
  constructor(
    private readonly db: Db,
    tree: Tree,
  ) {
    this.size = tree.size;
    const last: (Buffer | null)[] = [];
    for (let level = 0; tile_width ** level <= tree.size; level++) last.push(tree.lastTile(level));
    this.last = last;
    this.stored = db.prepare<[number, number], Buffer>('SELECT hashes FROM tile WHERE level = ? AND n = ?').pluck();
  }

  /**
   * Checks that the journal contains the entry, by its bytes, in its place. Whether the row has the stream that the entry signs is left to
   * the caller.
   * @throws RefusalError `integrity` with the sequence
   */
  requireIncluded({ sequence, text, hash, signature }: Pick<Entry, 'sequence' | 'text' | 'hash' | 'signature'>): void {
    if (!Number.isSafeInteger(sequence) || sequence < 1 || sequence > this.size)
      throw damagedEntry(sequence, 'no checkpoint covers it');
    if (storedHash(this.db, sequence, text) !== hash) throw damagedEntry(sequence, 'the stored bytes do not match their hash');
    const leaf = leafOrNull(hash, signature);
    const hashes = this.covered(0, Math.floor((sequence - 1) / tile_width));
    const at = ((sequence - 1) % tile_width) * hash_bytes;
    if (leaf === null || hashes?.subarray(at, at + hash_bytes).equals(leaf) !== true)
      throw damagedEntry(sequence, 'the tree that the newest checkpoint signs does not contain it');
  }

  /** Returns a tile's hashes after comparing it with those above; null when they do not cover it. */
  private covered(level: number, n: number): Buffer | null {
    if (n === Math.floor(this.size / tile_width ** (level + 1))) return this.last[level] ?? null;
    const key = `${level}/${n}`;
    const known = this.confirmed.get(key);
    if (known !== undefined) return known;
    const hashes = this.stored.get(level, n);
    const above = this.covered(level + 1, Math.floor(n / tile_width));
    if (hashes === undefined || above === null || !isCovered(hashes, n, above)) return null;
    this.keep(key, hashes);
    return hashes;
  }

  private keep(key: string, hashes: Buffer): void {
    const [oldest] = this.confirmed.keys();
    if (this.confirmed.size >= confirmed_tiles_max && oldest !== undefined) this.confirmed.delete(oldest);
    this.confirmed.set(key, hashes);
  }
}
