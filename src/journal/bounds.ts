/**
 * Compares the numbers of the rows with the size of the journal before any work is planned: a single row with an absurd number must
 * cost neither time nor memory, and a row outside these bounds is never reached by a walk over the entries.
 */
import type { Db } from '../store/database.js';
import { tile_width } from './tree.js';
import type { Failure } from './verify-range.js';

const missing = (sequence: number): Failure => ({ sequence, detail: 'the entry is missing' });
const foreign = (detail: string, sequence = 0): Failure => ({ sequence, detail });

/**
 * Checks in O(log n), for every opening, that entries begin at 1 and the newest follows another, that checkpoints cover existing
 * entries, and that tiles are of levels that the tree has. Gaps are found by `countFault`.
 */
export function boundsFault(db: Db): Failure | null {
  const value = (sql: string): number | null => db.prepare<[], number | null>(sql).pluck().get() ?? null;
  const least = value('SELECT min(seq) FROM events NOT INDEXED');
  const size = value('SELECT max(seq) FROM events NOT INDEXED') ?? 0;
  if (least !== null && least < 1) return foreign(`an entry has the sequence ${least}`, least);
  if (least !== null && least > 1) return missing(1);
  const before = value('SELECT max(seq) FROM events NOT INDEXED WHERE seq < (SELECT max(seq) FROM events NOT INDEXED)') ?? 0;
  if (size > 0 && before !== size - 1) return firstGap(db);
  const [smallest, largest] = [value('SELECT min(size) FROM checkpoint'), value('SELECT max(size) FROM checkpoint')];
  if (smallest !== null && smallest < 1) return foreign(`a checkpoint of size ${smallest} covers no entry`);
  if (largest !== null && largest > size)
    return foreign(`the checkpoint of size ${largest} covers more entries than there are`, size);
  const tile = db.prepare<[number], [level: number, n: number]>(outside).raw().get(topLevel(size));
  return tile === undefined ? null : foreign(`tile ${tile[0]}/${tile[1]} is foreign`);
}

const outside = `SELECT level, n FROM tile WHERE level < 0
  UNION ALL SELECT level, n FROM tile WHERE level > ? LIMIT 1`;

/** Returns the highest level that has a stored tile: above level 0 also an incomplete one is stored. */
function topLevel(size: number): number {
  let level = 0;
  for (let hashes = Math.floor(size / tile_width); hashes > 0; hashes = Math.floor(hashes / tile_width)) level++;
  return level;
}

/**
 * Checks that the entries are as many as the newest one's number, in a journal within its bounds: that work on them may be planned. The
 * walk over the entries, which sees each, does not rely on it.
 */
export function countFault(db: Db): Failure | null {
  const size = db.prepare<[], number | null>('SELECT max(seq) FROM events NOT INDEXED').pluck().get() ?? 0;
  // SQLite counts the smallest index. When one is altered, what it lacks is found by checkIndex.
  const count = db.prepare<[], number>('SELECT count(*) FROM events').pluck().get() ?? 0;
  return count === size ? null : firstGap(db);
}

/** Returns the first sequence without an entry, or null when there is none up to the newest. */
function firstGap(db: Db): Failure | null {
  const gap = db.prepare<[], number>(
    `SELECT seq + 1 FROM events AS entry NOT INDEXED
     WHERE seq < (SELECT max(seq) FROM events NOT INDEXED)
       AND NOT EXISTS (SELECT 1 FROM events AS next NOT INDEXED WHERE next.seq = entry.seq + 1) ORDER BY seq LIMIT 1`,
  );
  const sequence = gap.pluck().get();
  return sequence === undefined ? null : missing(sequence);
}
