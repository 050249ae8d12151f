/**
 * A snapshot: the rows of a journal in a database of their own, in one transaction and without indexes, so that the same rows give
 * the same bytes. An unfinished snapshot is deleted, never recovered.
 */
import { closeSync, fsyncSync, openSync } from 'node:fs';
import { Database } from './sqlite.js';

const schema = `
CREATE TABLE events(seq INTEGER PRIMARY KEY, mission TEXT NOT NULL, body TEXT NOT NULL, hash TEXT NOT NULL, signature TEXT NOT NULL) STRICT;
CREATE TABLE blob(hash TEXT NOT NULL, salt BLOB NOT NULL, bytes BLOB NOT NULL) STRICT;
CREATE TABLE checkpoint(size INTEGER PRIMARY KEY, note TEXT NOT NULL) STRICT;
`;

export type Snapshot = Readonly<ReturnType<typeof createSnapshot>>;

/** Creates an empty snapshot. @param file a path at which no file exists */
export function createSnapshot(file: string) {
  closeSync(openSync(file, 'wx', 0o600));
  const db = new Database(file);
  db.pragma('page_size = 4096');
  db.pragma('journal_mode = OFF');
  db.pragma('synchronous = OFF');
  db.pragma('trusted_schema = OFF');
  db.exec('BEGIN');
  db.exec(schema);
  const pages = db.prepare<[], number>('SELECT page_count * page_size FROM pragma_page_count, pragma_page_size').pluck();
  return {
    db,
    /** Returns the size that the file would have now. */
    bytes: () => pages.get() ?? 0,
    /** Commits, closes and syncs the file. */
    finish: () => {
      db.exec('COMMIT');
      db.close();
      const fd = openSync(file, 'r+');
      try {
        fsyncSync(fd);
      } finally {
        closeSync(fd);
      }
    },
    discard: () => void db.close(),
  };
}
