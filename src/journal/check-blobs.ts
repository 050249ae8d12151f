/** Checks the rows of the `blob` table against the entries. */
import type { Db } from '../store/database.js';
import { temporaryDatabase } from '../store/temporary.js';
import type { BlobUse } from './blob-uses.js';
import { hasBlobHash } from './salted.js';
import type { Failure } from './verify-range.js';

/** `at` is the sequence of the entry that uses the blob, or the place of the blob's row: `stored`, or `altered` when its hash is another. */
const schema = 'CREATE TABLE used(hash TEXT NOT NULL, use TEXT NOT NULL, at INTEGER NOT NULL) STRICT';

/** A blob is live while an entry refers to it and no later one erases it. An entry that erases what it refers to leaves none. */
const faults = `
  SELECT hash, stored IS NOT NULL AS isStored, CASE WHEN isLive THEN refers ELSE named END AS sequence FROM (
    SELECT *, refers IS NOT NULL AND refers > coalesce(erases, 0) AS isLive FROM (
      SELECT hash,
        max(at) FILTER (WHERE use = 'refers') AS refers,
        max(at) FILTER (WHERE use = 'erases') AS erases,
        max(at) FILTER (WHERE use = 'names') AS named,
        min(at) FILTER (WHERE use IN ('stored', 'altered')) AS stored,
        max(use = 'altered') AS altered
      FROM used GROUP BY hash))
  WHERE CASE WHEN stored IS NULL THEN isLive AND named IS NULL ELSE altered OR NOT (isLive OR named IS NOT NULL) END
  ORDER BY stored IS NULL, stored, refers LIMIT 1`;

interface Fault {
  readonly hash: string;
  readonly isStored: number;
  /** The entry to which the blob belongs; null when it belongs to none. */
  readonly sequence: number | null;
}

/** Collects the uses of blobs, in any order, and checks them. They are sorted on disk, so that their number takes no memory. */
export class BlobCheck {
  private readonly uses = temporaryDatabase();
  private readonly insert;

  constructor() {
    this.uses.exec(`${schema}; BEGIN`);
    this.insert = this.uses.prepare<[string, BlobUse['use'] | 'stored' | 'altered', number]>('INSERT INTO used VALUES (?, ?, ?)');
  }

  add(uses: readonly BlobUse[]): void {
    for (const { hash, use, sequence } of uses) this.insert.run(hash, use, sequence);
  }

  /**
   * Checks that every blob matches its hash, that every blob to which entries refer exists unless an entry erased it, and that no other
   * exists. A blob that only an entry of a newer program names may exist or not. Call it once, after all uses were added.
   */
  failure(db: Db): Failure | null {
    if (!isIndexed(db)) return { sequence: 0, detail: 'the index of the blobs does not lead to each of them' };
    const rows = db.prepare<[], [hash: unknown, salt: unknown, bytes: unknown]>('SELECT hash, salt, bytes FROM blob NOT INDEXED');
    let place = 0;
    for (const [hash, salt, bytes] of rows.raw().iterate()) {
      const isSound = typeof hash === 'string' && hasBlobHash(hash, salt, bytes);
      this.insert.run(String(hash), isSound ? 'stored' : 'altered', ++place);
    }
    const fault = this.uses.prepare<[], Fault>(faults).get();
    return fault === undefined ? null : { ...failureOf(fault), isOfBlobs: true };
  }

  close(): void {
    this.uses.close();
  }
}

function failureOf({ hash, isStored, sequence }: Fault): Failure {
  const name = `blob ${hash.slice(0, 16)}`;
  if (sequence === null) return { sequence: 0, detail: `${name} belongs to no entry` };
  return { sequence, detail: isStored === 1 ? `${name} does not match its hash` : `${name} is missing` };
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
