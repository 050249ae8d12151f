/**
 * The published form of the tree (c2sp.org/tlog-tiles): tiles of 256 hashes, entry bundles of 256 entries, and their paths. The
 * rightmost ones are partial; every file is immutable, because its path contains its width.
 */
import { hash_bytes, leafHash } from './merkle.js';
import { tile_width } from './tree.js';

export interface Tile {
  readonly level: number;
  /** Index within the level. */
  readonly n: number;
  /** Number of hashes: 256, or fewer in the last tile of a level. */
  readonly width: number;
}

/** Returns `tile/<L>/<N>[.p/<W>]`, or with level `entries` the path of an entry bundle. N is `x001/x234/067`. */
export function tilePath(level: number | 'entries', n: number, width: number): string {
  const groups = String(n)
    .padStart(Math.ceil(String(n).length / 3) * 3, '0')
    .match(/\d{3}/g);
  const index = (groups ?? []).map((group, i, { length }) => (i + 1 < length ? `x${group}` : group)).join('/');
  return `tile/${level}/${index}${width < tile_width ? `.p/${width}` : ''}`;
}

/** Yields all tiles of a tree of `size`, lower levels first: level by level the full ones, then the partial one. */
export function* tilesOf(size: number): Generator<Tile> {
  for (let level = 0, hashes = size; hashes > 0; level++, hashes = Math.floor(hashes / tile_width)) {
    const full = Math.floor(hashes / tile_width);
    for (let n = 0; n < full; n++) yield { level, n, width: tile_width };
    if (hashes % tile_width > 0) yield { level, n: full, width: hashes % tile_width };
  }
}

/** Returns the number of tiles that `tilesOf` yields. */
export function countTiles(size: number): number {
  let count = 0;
  for (let hashes = size; hashes > 0; hashes = Math.floor(hashes / tile_width)) count += Math.ceil(hashes / tile_width);
  return count;
}

const prefix_bytes = 2;
const entry_bytes = prefix_bytes + hash_bytes;

/** Returns a bundle: each entry is its 32 bytes of log data after a length of 2 bytes, big-endian. */
export function formatBundle(entries: readonly Uint8Array[]): Buffer {
  const bundle = Buffer.alloc(entries.length * entry_bytes);
  entries.forEach((entry, i) => {
    bundle.writeUInt16BE(hash_bytes, i * entry_bytes);
    bundle.set(entry, i * entry_bytes + prefix_bytes);
  });
  return bundle;
}

/** Returns the leaf hashes of a bundle's entries, which equal the level 0 tile of the same index and width; null when it is malformed. */
export function leavesOfBundle(bundle: Buffer): Buffer | null {
  if (bundle.length % entry_bytes !== 0) return null;
  const leaves: Buffer[] = [];
  for (let at = 0; at < bundle.length; at += entry_bytes) {
    if (bundle.readUInt16BE(at) !== hash_bytes) return null;
    leaves.push(leafHash(bundle.subarray(at + prefix_bytes, at + entry_bytes)));
  }
  return Buffer.concat(leaves);
}
