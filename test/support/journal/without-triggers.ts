/** Alterations that the triggers of a journal's tables refuse. */
import type { Db } from '../../../src/store/database.js';

/** Makes a change with the triggers of the database out of the way; afterwards they are as before. */
export function withoutTriggers(db: Db, change: () => void): void {
  const triggers = db
    .prepare<[], { name: string; sql: string }>("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
    .all();
  for (const { name } of triggers) db.exec(`DROP TRIGGER ${name}`);
  change();
  for (const { sql } of triggers) db.exec(sql);
}
