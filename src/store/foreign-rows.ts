/**
 * Copies the rows of a journal that somebody else made into a database that this program made. The other file is read by its format, not
 * by SQLite (store/sqlite-file.ts): no trigger, view, index or expression of its schema can run. Verification decides whether the rows
 * form a valid journal.
 */
import { errorCode, RefusalError } from '../base/refusal.js';
import { checkpoint_file_bytes_max, foreign_body_bytes_max, simulation_outcome_bytes_max } from '../base/limits.js';
import type { Db } from './database.js';
import { openSqliteFile, type SqliteFile, type SqliteValue } from './sqlite-file.js';

const bad = (detail: string): RefusalError => new RefusalError('integrity', `journal.sqlite3 ${detail}`);

type Kind = 'rowid' | 'text' | 'bytes';

/** Columns in the order in which both agents store them; `rowid` is the integer primary key, which is stored as the row's number. */
const tables = {
  events: { seq: 'rowid', mission: 'text', body: 'text', hash: 'text', signature: 'text' },
  checkpoint: { size: 'rowid', note: 'text' },
  blob: { hash: 'text', salt: 'bytes', bytes: 'bytes' },
} as const satisfies Record<string, Readonly<Record<string, Kind>>>;

type Table = keyof typeof tables;

/** Size of a value; the largest blob is a simulation's outcome. */
const value_bytes_max: Readonly<Record<Table, number>> = {
  events: foreign_body_bytes_max,
  checkpoint: checkpoint_file_bytes_max,
  blob: simulation_outcome_bytes_max,
};
const row_bytes_max = Math.max(...Object.values(value_bytes_max)) + 8_192;
const rows_a_pause = 1_000;

interface CopyOptions {
  readonly onEntry?: (sequence: number) => void;
  /** Whether committed pages are in a log beside the file, which a process may have open. */
  readonly withLogs?: boolean;
}

/**
 * Copies events, and the tables of checkpoints and blobs if they exist, inside the transaction that is open on `to`. It is a generator, so
 * that the caller can let the event loop run, and handle a signal, whenever it yields.
 */
export function* copyForeignRows(file: string, to: Db, { onEntry, withLogs = false }: CopyOptions): Generator<void> {
  const from = openSqliteFile(file, { payload_bytes_max: row_bytes_max, withLogs });
  try {
    if (from.rows('events') === null) throw bad('has no plain table events');
    yield* copy(from, to, 'events', 'INSERT INTO events VALUES (?, ?, ?, ?, ?)', onEntry);
    yield* copy(from, to, 'checkpoint', 'INSERT INTO checkpoint VALUES (?, ?)');
    // A series repeats a blob that entries of several parts refer to; verification hashes each.
    yield* copy(from, to, 'blob', 'INSERT INTO blob VALUES (?, ?, ?) ON CONFLICT DO NOTHING');
  } catch (error) {
    const reason = error instanceof Error ? error.message : '';
    throw errorCode(error).startsWith('SQLITE_CONSTRAINT') ? bad(`holds rows that do not belong to a journal: ${reason}`) : error;
  } finally {
    from.close();
  }
}

type OnRow = (rowid: number) => void;

function* copy(from: SqliteFile, to: Db, table: Table, insertion: string, onRow: OnRow = () => undefined): Generator<void> {
  const insert = to.prepare(insertion);
  const columns = Object.entries(tables[table]);
  let copied = 0;
  for (const { rowid, values } of from.rows(table) ?? []) {
    if (values.length !== columns.length) throw bad(`has a table ${table} with other columns`);
    const row = columns.map(([name, kind], i) => valueOf(kind, values[i] ?? null, rowid, `${name} in ${table}`));
    if (row.some((value) => bytesOf(value) > value_bytes_max[table])) throw bad(`holds a value in ${table} that is too long`);
    insert.run(...row);
    onRow(rowid);
    if (++copied % rows_a_pause === 0) yield;
  }
}

const bytesOf = (value: SqliteValue): number =>
  typeof value === 'string' || Buffer.isBuffer(value) ? Buffer.byteLength(value) : 0;

function valueOf(kind: Kind, value: SqliteValue, rowid: number, what: string): SqliteValue {
  if (kind === 'rowid' && value === null) return rowid;
  if (kind === 'text' && typeof value === 'string') return value;
  if (kind === 'bytes' && Buffer.isBuffer(value)) return value;
  throw bad(`holds a ${what} that is not ${kind === 'rowid' ? 'its row number' : kind}`);
}
