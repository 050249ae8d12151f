/** Gives a home the tables of one that 2.0.0 made and this version brought up to date; its rows stay as they are. */
import { renameSync } from 'node:fs';
import Database from 'better-sqlite3';
import { projectionDdls } from '../../src/projection/projections.js';
import { journalMigrations, migrate } from '../../src/store/migrations.js';
import { start_ms } from '../support/temporary-home.js';
import { withoutTriggers } from '../support/without-triggers.js';

/** The migration that founds no new home. */
export const olderFounding = '0001-journal.sql';

/** @param file of a home that no process has open */
export function foundAsBefore(file: string): void {
  const db = new Database(`${file}.founded`);
  try {
    db.pragma('journal_mode = WAL');
    const { sql, sha256 } = journalMigrations().find(({ name }) => name === olderFounding)!;
    db.exec(sql);
    db.prepare('INSERT INTO migration(name, sha256, at) VALUES (?, ?, ?)').run(
      olderFounding,
      sha256,
      '2026-11-20T05:00:00.000000Z',
    );
    migrate(db, start_ms);
    for (const ddl of projectionDdls) db.exec(ddl);
    const tables = db
      .prepare<[], string>("SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'migration'")
      .pluck()
      .all();
    db.prepare('ATTACH ? AS other').run(file);
    withoutTriggers(db, () => {
      for (const table of tables) db.exec(`INSERT INTO main.${table} SELECT * FROM other.${table}`);
    });
  } finally {
    db.close();
  }
  renameSync(`${file}.founded`, file);
}
