/** Checks what the tree over all entries seals: the upper tiles, and that the checkpoints present are those that are kept. */
import { isBytes } from '../base/bytes.js';
import type { Db } from '../store/database.js';
import { latestNote, type Head } from './reader.js';
import { tile_width, type Tree } from './tree.js';
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

/** Compares the tiles above level 0 with the tree over complete tiles, whose level n is the journal's level n + 1, and counts all tiles. */
export function tileFault(db: Db, upper: Tree, head: Head): Failure | null {
  const expected = new Map<string, Buffer>();
  for (const { level, n, hashes } of upper.pending()) expected.set(`${level + 1}/${n}`, hashes);
  // The tree stores no last tile of its own level 0.
  const last = upper.lastTile(0);
  if (last !== null) expected.set(`1/${Math.floor(upper.size / tile_width)}`, last);
  const stored = db.prepare<[number, number], unknown>('SELECT hashes FROM tile WHERE level = ? AND n = ?').pluck();
  for (const [key, hashes] of expected) {
    const [level = 0, n = 0] = key.split('/').map(Number);
    const found = stored.get(level, n);
    if (found === undefined) return { sequence: head.size, detail: `tile ${key} is missing` };
    if (!isBytes(found, hashes))
      return { sequence: n * tile_width ** (level + 1) + 1, detail: `tile ${key} does not match the entries` };
  }
  // The ranges have found every tile of level 0, so only a foreign one can make another count.
  const complete = Math.floor(head.size / tile_width);
  const count = db.prepare<[], number>('SELECT count(*) FROM tile').pluck().get() ?? 0;
  return count === complete + expected.size ? null : foreignTile(db, complete, expected);
}

function foreignTile(db: Db, complete: number, expected: ReadonlyMap<string, Buffer>): Failure {
  const rows = db.prepare<[], [level: number, n: number]>('SELECT level, n FROM tile').raw();
  for (const [level, n] of rows.iterate()) {
    const isOurs = level === 0 ? n >= 0 && n < complete : expected.has(`${level}/${n}`);
    if (!isOurs) return { sequence: 0, detail: `tile ${level}/${n} is foreign` };
  }
  return { sequence: 0, detail: 'the table of tiles is damaged' };
}
