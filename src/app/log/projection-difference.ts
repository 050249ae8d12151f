/** Compares the tables of the projections with what the entries say. */
import { projectionRows, projectors, rebuildProjections } from '../../tables/projections.js';
import { snapshotTables } from '../../state/stored.js';
import type { Db } from '../../store/database.js';
import { temporaryDatabase } from '../../store/temporary.js';
import { allEntries } from '../home/upgrade.js';

/** Returns the first table of a projection that the journal has, which differs from a rebuild in a temporary database, row by row, or null. */
export function projectionDifference(db: Db): string | null {
  const rebuilt = temporaryDatabase();
  try {
    rebuilt.exec(
      'CREATE TABLE projection(name TEXT PRIMARY KEY, version INTEGER NOT NULL, applied_seq INTEGER NOT NULL, applied_hash TEXT NOT NULL) STRICT',
    );
    rebuilt.exec('BEGIN');
    rebuildProjections(rebuilt, allEntries(db));
    // A home of an older version may lack projections; whether one of this version does was checked when it was opened.
    const recorded = new Set(projectionRows(db).map(({ name }) => name));
    const forget = rebuilt.prepare<[string]>('DELETE FROM projection WHERE name = ?');
    for (const { name } of projectors) if (!recorded.has(name)) forget.run(name);
    const compared = projectors.filter((one) => one !== snapshotTables && recorded.has(one.name)).flatMap(({ tables }) => tables);
    for (const table of [...compared, 'projection']) {
      const fault = compareTable(db, rebuilt, table);
      if (fault !== null) return fault;
    }
    return null;
  } finally {
    rebuilt.close();
  }
}

/**
 * Returns the first table of a projection whose index does not lead to exactly its rows, or null. Who looks for a row by that index would miss it,
 * while a comparison of every row sees nothing of it.
 */
export function indexDifference(db: Db): string | null {
  for (const table of projectors.flatMap(({ tables }) => tables)) {
    const hasIndex = db
      .prepare<[string], unknown>("SELECT 1 FROM sqlite_master WHERE type = 'index' AND tbl_name = ?")
      .get(table);
    if (hasIndex === undefined) continue;
    const message = db.prepare<[], string>(`PRAGMA integrity_check('${table}')`).pluck().get();
    if (message !== 'ok') return `an index of table ${table} does not lead to its rows; run: agent-cli rebuild`;
  }
  return null;
}

function compareTable(live: Db, rebuilt: Db, table: string): string | null {
  const rows = (db: Db): IterableIterator<unknown> => db.prepare(`SELECT * FROM ${table} ORDER BY 1`).raw().iterate();
  const expected = rows(rebuilt);
  try {
    for (const row of rows(live)) {
      if (JSON.stringify(row) !== JSON.stringify(expected.next().value))
        return `table ${table} differs from what the entries say; run: agent-cli rebuild`;
    }
    return expected.next().done === true ? null : `table ${table} lacks rows; run: agent-cli rebuild`;
  } finally {
    // An open iterator would keep its connection from closing.
    expected.return?.();
  }
}
