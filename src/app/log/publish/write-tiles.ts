/** Writes the missing files, and compares the existing ones with the journal. */
import * as path from 'node:path';
import { RefusalError } from '../../../base/result.js';
import type { PublicDirectory } from '../../../home/public-files.js';
import type { TileSource } from '../../../journal/tile-source.js';
import { countTiles, leavesOfBundle, tilePath, tilesOf, type Tile } from '../../../journal/tiles.js';

export interface WriteOptions {
  readonly out: PublicDirectory;
  readonly source: TileSource;
  /** Size of the tree that is published. */
  readonly size: number;
  readonly directory: string;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

export interface Counts {
  readonly written: number;
  readonly kept: number;
}

/**
 * Writes one tile after the other, so that memory does not grow with the log. Existing entries are checked by their leaf hashes.
 */
export function writeTiles({ out, source, size, directory, onProgress }: WriteOptions): Counts {
  const total = countTiles(size);
  const counts = { written: 0, kept: 0 };
  let done = 0;
  for (const tile of tilesOf(size)) {
    const tally = (isNew: boolean): void => void counts[isNew ? 'written' : 'kept']++;
    if (tile.level === 0) tally(writeBundle(tile, out, source, directory));
    tally(writeTile(tile, out, source, directory));
    onProgress?.(++done, total);
  }
  return counts;
}

/** Writes a tile; returns true when its file was written, false when it was there. */
function writeTile(tile: Tile, out: PublicDirectory, source: TileSource, directory: string): boolean {
  const name = tilePath(tile.level, tile.n, tile.width);
  const hashes = source.tile(tile);
  if (isThere(out, name, (standing) => standing.equals(hashes), directory)) return false;
  source.confirm(tile, hashes);
  // Another publisher of this home may have created the file meanwhile.
  return out.create(name, hashes) || !isThere(out, name, (standing) => standing.equals(hashes), directory);
}

function writeBundle(tile: Tile, out: PublicDirectory, source: TileSource, directory: string): boolean {
  const name = tilePath('entries', tile.n, tile.width);
  const hashes = source.tile(tile);
  const fits = (standing: Buffer): boolean => leavesOfBundle(standing)?.equals(hashes) === true;
  if (isThere(out, name, fits, directory)) return false;
  const made = source.bundle(tile);
  // The tile is recomputed from the entries: a stored tile that differs is not published.
  if (!made.hashes.equals(hashes)) {
    const detail = `tile ${tile.level}/${tile.n} of the journal does not match its entries`;
    throw new RefusalError({ code: 'integrity', detail, hint: 'agent-cli verify' });
  }
  return out.create(name, made.bundle) || !isThere(out, name, fits, directory);
}

/** Whether the file exists. @throws RefusalError `integrity` when it exists with other content */
function isThere(out: PublicDirectory, name: string, fits: (standing: Buffer) => boolean, directory: string): boolean {
  const standing = out.read(name);
  if (standing === null) return false;
  if (fits(standing)) return true;
  throw new RefusalError({
    code: 'integrity',
    detail: `${path.join(directory, name)} does not have the content that this journal gives it; it was not changed`,
    hint: 'find out who changed it; a copy of the directory without that file can be published into',
  });
}
