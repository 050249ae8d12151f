/** The list of the journal's projections, and how they are created, checked and rebuilt. */
import { tableAltered, tableMissing } from '../base/damage.js';
import type { Refusal } from '../base/refusal.js';
import type { Entry } from '../codec/entry.js';
import { Schema } from '../state/schema.js';
import { snapshotTables } from '../state/stored.js';
import type { Db } from '../store/database.js';
import { newerVersion } from '../store/newer-version.js';
import type { Projector } from '../store/projector.js';
import { approverTable } from './approvers.js';
import { controlTable } from './control.js';
import { invoiceTable } from './invoices.js';
import { missionTable } from './missions.js';
import { receiptTable } from './receipts.js';
import { simulationTable } from './simulations.js';
import { sweepTable } from './sweeps.js';
import { tokenTable } from './tokens.js';
import { toolTable } from './tools.js';
import { walletTable } from './wallet.js';
import { witnessTable } from './witnesses.js';
import { workerTable } from './workers.js';

export const schema = new Schema([
  controlTable,
  missionTable,
  witnessTable,
  toolTable,
  tokenTable,
  simulationTable,
  sweepTable,
  walletTable,
  invoiceTable,
  receiptTable,
  approverTable,
  workerTable,
]);

export const tableProjectors: readonly Projector[] = schema.tables.map(({ projector }) => projector);
export const projectors: readonly Projector[] = [...tableProjectors, snapshotTables];

export const projectionDdls: readonly string[] = projectors.map(({ ddl }) => ddl);

interface ProjectionRow {
  readonly name: string;
  readonly version: number;
  /** 0; 1 after an entry that the tables could not take. */
  readonly behind: number;
}

export const projectionRows = (db: Db): ProjectionRow[] =>
  db.prepare<[], ProjectionRow>('SELECT name, version, behind FROM projection ORDER BY name').all();

/** Returns the definitions of the tables that a journal has; null when one of them is of another version than this program's. */
export function recordedDdls(db: Db): readonly string[] | null {
  const found = projectionRows(db).map((row) =>
    projectors.find(({ name, version }) => name === row.name && version === row.version),
  );
  return found.some((projector) => projector === undefined) ? null : found.flatMap((projector) => projector?.ddl ?? []);
}

/** Returns whether the projections are exactly those of this version. */
export const isOfThisVersion = (db: Db): boolean => {
  const rows = projectionRows(db);
  return (
    rows.length === projectors.length && projectors.every((p) => rows.some((r) => r.name === p.name && r.version === p.version))
  );
};

/** Returns whether every projection has this program's version and has applied every entry. */
export const isCurrent = (db: Db): boolean => isOfThisVersion(db) && projectionRows(db).every(({ behind }) => behind === 0);

/** @throws RefusalError `newer_version` for a projection that this program does not have, or has in an older version only */
export function refuseNewerProjections(db: Db): void {
  for (const { name, version } of projectionRows(db)) {
    const own = projectors.find((projector) => projector.name === name);
    // No program writes a version of another type: the comparison of the tables reports it.
    if (own !== undefined && (!Number.isInteger(version) || version <= own.version)) continue;
    const known = own === undefined ? 'this version has none of that name' : `this version has version ${own.version} of it`;
    throw newerVersion(`a newer version made version ${version} of the projection ${name}; ${known}`, { projection: name });
  }
}

/** Returns the refusal for the first table that is missing or is not defined as in this program, or null. */
export function projectionTableFault(db: Db): Refusal | null {
  const rows = db.prepare<[], { name: string; sql: string }>("SELECT name, sql FROM sqlite_master WHERE type = 'table'").all();
  const definitions = new Map(rows.map(({ name, sql }) => [name, sql]));
  for (const { ddl, tables } of projectors) {
    for (const table of tables) {
      const sql = definitions.get(table);
      if (sql === undefined) return tableMissing('journal.sqlite3', table);
      // SQLite keeps the statement that made a table as it was written.
      if (!ddl.includes(`${sql};`)) return tableAltered('journal.sqlite3', table);
    }
  }
  return null;
}

/** Creates all tables again and applies the entries in order, inside the caller's transaction. */
export function rebuildProjections(db: Db, entries: Iterable<Entry>): void {
  for (const _ of rebuildingProjections(db, entries));
}

const entries_a_pause = 1_000;

/** Does the same, and yields from time to time, so that the caller can let the event loop run and handle a signal. */
export function* rebuildingProjections(db: Db, entries: Iterable<Entry>): Generator<void, void> {
  createProjections(db);
  const apply = projectionsOf(db);
  for (const entry of entries) {
    apply(entry);
    if (entry.sequence % entries_a_pause === 0) yield;
  }
  recordProjections(db);
}

/** Creates all tables again, empty, inside the caller's transaction. */
export function createProjections(db: Db): void {
  dropProjections(db);
  for (const { ddl } of projectors) db.exec(ddl);
}

/** Returns what applies an entry to all tables. */
export function projectionsOf(db: Db): (entry: Entry) => void {
  const apply = projectors.map((projector) => projector.bind(db));
  return (entry) => {
    for (const project of apply) project(entry);
  };
}

/** Records that the tables, which were created again, have applied every entry. */
export function recordProjections(db: Db): void {
  const insert = db.prepare('INSERT INTO projection(name, version, behind) VALUES (?, ?, 0)');
  for (const { name, version } of projectors) insert.run(name, version);
}

/** Drops whatever has the name of a table or index of a projection: a renamed table keeps its indexes. */
function dropProjections(db: Db): void {
  db.exec('DELETE FROM projection');
  const typeOf = db.prepare<[string], string>('SELECT type FROM sqlite_master WHERE name = ?').pluck();
  for (const { ddl } of projectors) {
    for (const [, name = ''] of ddl.matchAll(/^CREATE (?:TABLE|INDEX) (\w+)/gm)) {
      const type = typeOf.get(name);
      if (type !== undefined) db.exec(`DROP ${type} ${name}`);
    }
  }
}
