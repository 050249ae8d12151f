/** Checks the rows of the `blob` table against the entries. */
import type { Db } from '../store/database.js';
import type { BlobUse } from './blob-uses.js';
import { hasBlobHash } from './salted.js';
import type { Failure } from './verify-range.js';

/**
 * Checks that every blob matches its hash, that every blob to which entries refer exists unless an entry erased it, and that no other
 * exists. A blob that only an entry of a newer program names may exist or not.
 */
export function checkBlobs(db: Db, uses: readonly BlobUse[]): Failure[] {
  const live = new Map<string, number>();
  const named = new Map<string, number>();
  for (const { sequence, hash, use } of uses) {
    if (use === 'refers') live.set(hash, sequence);
    else if (use === 'erases') live.delete(hash);
    else named.set(hash, sequence);
  }
  if (!isIndexed(db)) return [{ sequence: 0, detail: 'the index of the blobs does not lead to each of them' }];
  const rows = db
    .prepare<[], { hash: string; salt: Buffer; bytes: Buffer }>('SELECT hash, salt, bytes FROM blob NOT INDEXED')
    .iterate();
  let failure: Failure | null = null;
  for (const { hash, salt, bytes } of rows) {
    const sequence = live.get(hash) ?? named.get(hash);
    if (sequence === undefined) failure ??= { sequence: 0, detail: `blob ${hash.slice(0, 16)} belongs to no entry` };
    else if (!hasBlobHash(hash, salt, bytes))
      failure ??= { sequence, detail: `blob ${hash.slice(0, 16)} does not match its hash` };
    live.delete(hash);
  }
  const missing = [...live].find(([hash]) => !named.has(hash));
  if (failure === null && missing !== undefined)
    failure = { sequence: missing[1], detail: `blob ${missing[0].slice(0, 16)} is missing` };
  return failure === null ? [] : [{ ...failure, isOfBlobs: true }];
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
