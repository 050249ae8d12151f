/**
 * Removes partial tiles whose full tile is published. A log may delete them then, but readers of the previous checkpoint may
 * still request them. So they are removed one publish later: when the checkpoint that the last publish left already covers the
 * full tile.
 */
import * as path from 'node:path';
import type { PublicDirectory } from '../../../home/public-files.js';
import { hash_bytes } from '../../../journal/merkle.js';
import type { TileSource } from '../../../journal/tile-source.js';
import { leavesOfBundle, tilePath, tilesOf, type Tile } from '../../../journal/tiles.js';
import { tile_width } from '../../../journal/tree.js';

/**
 * Removes the partial tiles. Files under such a name that this program did not write are left unchanged.
 * @param size the size of the checkpoint that was published before
 */
export function removePartials(out: PublicDirectory, source: TileSource, size: number): void {
  const seen = new Map<string, Set<string>>();
  const has = (name: string): boolean => {
    const directory = path.dirname(name);
    const names = seen.get(directory) ?? new Set(out.names(directory));
    seen.set(directory, names);
    return names.has(path.basename(name));
  };
  for (const tile of tilesOf(size)) {
    if (tile.width < tile_width) continue;
    const kinds = tile.level === 0 ? ([tile.level, 'entries'] as const) : [tile.level];
    for (const kind of kinds) {
      const folder = `${tilePath(kind, tile.n, tile_width)}.p`;
      if (has(folder)) removeIn(folder, kind, tile, out, source);
    }
  }
}

function removeIn(folder: string, kind: number | 'entries', tile: Tile, out: PublicDirectory, source: TileSource): void {
  const whole = source.tile(tile);
  for (const name of out.names(folder)) {
    if (!/^[1-9][0-9]{0,2}$/.test(name) || Number(name) >= tile_width) continue;
    const bytes = out.read(`${folder}/${name}`);
    const hashes = bytes === null ? null : kind === 'entries' ? leavesOfBundle(bytes) : bytes;
    if (hashes?.equals(whole.subarray(0, Number(name) * hash_bytes)) === true) out.remove(`${folder}/${name}`);
  }
}
