/** The means to alter what an index holds while its definition stays as it was. */
import type { Db } from '../../src/store/database.js';

const definition = 'CREATE INDEX events_mission ON events(mission, seq)';

function setSchema(db: Db, sql: string): void {
  db.unsafeMode();
  const version = Number(db.pragma('schema_version', { simple: true }));
  db.exec(`PRAGMA writable_schema = ON; ${sql}; PRAGMA schema_version = ${version + 1}; PRAGMA writable_schema = RESET`);
}

/** Fills the index by another definition and puts the right one back. */
export const filledBy =
  (columns: string) =>
  (db: Db): void => {
    db.exec(`DROP INDEX events_mission; CREATE INDEX events_mission ON events${columns}`);
    setSchema(db, `UPDATE sqlite_master SET sql = '${definition}' WHERE name = 'events_mission'`);
  };

/** Puts an index over other rows, of a row number and a key, in the place of an index. */
function replaceIndex(db: Db, name: string, columns: string, select: string): void {
  db.exec(`CREATE TABLE other(id INTEGER PRIMARY KEY, ${columns}); INSERT INTO other ${select};
    CREATE INDEX other_index ON other(${columns})`);
  setSchema(
    db,
    `UPDATE sqlite_master SET rootpage = (SELECT rootpage FROM sqlite_master WHERE name = 'other_index') WHERE name = '${name}';
     DELETE FROM sqlite_master WHERE tbl_name = 'other'`,
  );
}

/** Fills the index of the streams with the rows (sequence, stream, sequence) of a query. */
export const filledFrom =
  (select: string) =>
  (db: Db): void =>
    replaceIndex(db, 'events_mission', 'mission, seq', select);

/** Fills the index of the blobs with the rows (row number, hash) of a query. */
export const blobsFilledFrom =
  (select: string) =>
  (db: Db): void =>
    replaceIndex(db, 'sqlite_autoindex_blob_1', 'hash', select);
