/** Projectors for the tables of a home: a table that cannot be changed is damaged. */
import { errorCode, type Refusal, RefusalError } from '../base/refusal.js';
import type { Entry } from '../codec/entry.js';
import type { Db } from '../store/database.js';
import type { Projector } from '../store/projector.js';
import { snapshotTables } from '../state/stored.js';
import { connectionOf } from './connection.js';
import { tableProjectors } from './projections.js';

/**
 * Returns the projector with damage reported to the connection. When that tolerates it, the entry is recorded all the same and the
 * projection counts as behind, so that later commands refuse until `rebuild`.
 */
const tolerantProjector = (projector: Projector): Projector => ({
  ...projector,
  bind(db) {
    let project: ((entry: Entry) => void) | null = null;
    return (entry) => {
      try {
        project ??= projector.bind(db);
        project(entry);
      } catch (error) {
        connectionOf(db).damage.report(damageOf(error, projector));
        markBehind(db, projector.name);
      }
    };
  },
});

/** The tables of the snapshot, which no entry changes: the connection is told of each entry before the other tables are. */
export const notingProjector: Projector = {
  ...snapshotTables,
  bind(db) {
    const connection = connectionOf(db);
    return (entry) => connection.appended(entry);
  },
};

/** The projectors of a home that is open. */
export const homeProjectors: readonly Projector[] = [notingProjector, ...tableProjectors.map(tolerantProjector)];

const markBehind = (db: Db, name: string): void => void db.prepare('UPDATE projection SET behind = 1 WHERE name = ?').run(name);

/** Returns the refusal for an error that a damaged table causes. @throws any other error */
function damageOf(error: unknown, { name, tables: [table] }: Projector): Refusal {
  if (error instanceof RefusalError && error.refusal.code === 'integrity') return error.refusal;
  const code = errorCode(error);
  if (code !== 'SQLITE_ERROR' && code !== 'SQLITE_MISMATCH' && !code.startsWith('SQLITE_CONSTRAINT')) throw error;
  const reason = error instanceof Error ? error.message : '';
  return {
    code: 'integrity',
    detail: `the tables of the projection ${name} are damaged (${reason})`,
    ...(table === undefined ? {} : { facts: { table } }),
    hint: 'agent-cli rebuild',
  };
}
