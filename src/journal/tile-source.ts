/**
 * The source of published tiles, read from a journal's tables: only hashes that its signed root covers. The root of a full tile is compared
 * with its hash one level above, so that level by level every hash is checked against the checkpoint.
 */
import { RefusalError } from '../base/refusal.js';
import { fromBase64, fromHex } from '../base/bytes.js';
import type { Db } from '../store/database.js';
import { hash_bytes, leafHash, logData, rootOfLeaves } from './merkle.js';
import { formatBundle, type Tile } from './tiles.js';
import { tile_width } from './tree.js';

export interface TileSource {
  /** Returns the tile's hashes. @throws RefusalError `integrity` when the signed root does not cover the hashes in the tables. */
  readonly tile: (tile: Tile) => Buffer;
  /** Recomputes a level 0 tile from its entries; returns it with their bundle. */
  readonly bundle: (tile: Tile) => { readonly hashes: Buffer; readonly bundle: Buffer };
  /** Checks that the level above, or the root, covers the tile. */
  readonly confirm: (tile: Tile, hashes: Buffer) => void;
}

const damaged = (what: string): RefusalError =>
  new RefusalError('integrity', `${what} of the journal does not match its entries`, { hint: 'agent-cli verify' });
const nameOf = ({ level, n }: Tile): string => `tile ${level}/${n}`;

export function tileSource(db: Db): TileSource {
  const stored = db.prepare<[number, number], Buffer>('SELECT hashes FROM tile WHERE level = ? AND n = ?').pluck();
  const entries = db
    .prepare<[number, number], [hash: string, signature: string]>(
      'SELECT hash, signature FROM events WHERE seq > ? AND seq <= ? ORDER BY seq',
    )
    .raw();

  const bundle: TileSource['bundle'] = (tile) => {
    const first = tile.n * tile_width;
    const data = entries.all(first, first + tile.width).map(([hash, signature]) => dataOf(hash, signature));
    if (data.length !== tile.width) throw damaged(nameOf(tile));
    return { hashes: Buffer.concat(data.map(leafHash)), bundle: formatBundle(data) };
  };

  const tile: TileSource['tile'] = (tile) => {
    // The last leaves are in no row: at most 255 are hashed again.
    if (tile.level === 0 && tile.width < tile_width) return bundle(tile).hashes;
    const hashes = stored.get(tile.level, tile.n);
    if (hashes === undefined || hashes.length < tile.width * hash_bytes) throw damaged(nameOf(tile));
    return hashes.subarray(0, tile.width * hash_bytes);
  };

  const confirm: TileSource['confirm'] = (tile, hashes) => {
    // The root is computed from the hashes of partial tiles and checked as a whole.
    if (tile.width < tile_width) return;
    const above = stored.get(tile.level + 1, Math.floor(tile.n / tile_width));
    if (above === undefined || !isCovered(hashes, tile.n, above)) throw damaged(nameOf(tile));
  };

  return { tile, bundle, confirm };
}

/** Returns whether the tile above has the root of the full tile `n` in its place. */
export function isCovered(hashes: Buffer, n: number, above: Buffer): boolean {
  const at = (n % tile_width) * hash_bytes;
  return hashes.length === tile_width * hash_bytes && above.subarray(at, at + hash_bytes).equals(rootOfLeaves(hashes));
}

function dataOf(hash: string, signature: string): Buffer {
  const [hashBytes, signatureBytes] = [fromHex(hash), fromBase64(signature)];
  if (hashBytes?.length !== hash_bytes || signatureBytes === null) throw damaged('an entry');
  return logData(hashBytes, signatureBytes);
}
