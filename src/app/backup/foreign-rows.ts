/**
 * Copies the rows of a database that somebody else made into one of our own making. Nothing of the other schema runs: its tables
 * are read in one plain pass, without its indexes; triggers, views, generated columns and virtual tables are never touched.
 */
import { errorCode } from '../../base/fault.js';
import { foreign_body_bytes_max } from '../../base/limits.js';
import { RefusalError } from '../../base/result.js';
import { openDatabase, type Db } from '../../store/database.js';

const bad = (detail: string): RefusalError => new RefusalError({ code: 'integrity', detail: `journal.sqlite3 ${detail}` });

interface Column {
  readonly name: string;
  readonly kind: 'integer' | 'text' | 'bytes';
  readonly bytes_max: number;
}

const hash_chars = 64;
const signature_chars = 88;
const stream_bytes_max = 1_200;
const note_bytes_max = 65_536;
const salt_bytes_max = 64;

const text = (name: string, bytes_max: number): Column => ({ name, kind: 'text', bytes_max });
const bytes = (name: string, bytes_max: number): Column => ({ name, kind: 'bytes', bytes_max });
const integer = (name: string): Column => ({ name, kind: 'integer', bytes_max: 0 });

const tables = {
  events: [
    integer('seq'),
    text('mission', stream_bytes_max),
    text('body', foreign_body_bytes_max),
    text('hash', hash_chars),
    text('signature', signature_chars),
  ],
  checkpoint: [integer('size'), text('note', note_bytes_max)],
  blob: [text('hash', hash_chars), bytes('salt', salt_bytes_max), bytes('bytes', foreign_body_bytes_max)],
} as const satisfies Record<string, readonly Column[]>;

type Table = keyof typeof tables;
type Value = number | string | Buffer;

/** Copies events, and checkpoints and blobs where there are such tables; inside the transaction that is open on `to`. */
export function copyForeignRows(file: string, to: Db, onEntry: (sequence: number) => void): void {
  const from = openDatabase(file, { readonly: true });
  try {
    copy(from, to, 'events', 'INSERT INTO events VALUES (?, ?, ?, ?, ?)', onEntry);
    if (hasTable(from, 'checkpoint')) copy(from, to, 'checkpoint', 'INSERT INTO checkpoint VALUES (?, ?)');
    // A series repeats a blob that entries of several parts refer to; verification hashes each.
    if (hasTable(from, 'blob')) copy(from, to, 'blob', 'INSERT INTO blob VALUES (?, ?, ?) ON CONFLICT DO NOTHING');
  } catch (error) {
    throw rowError(error);
  } finally {
    from.close();
  }
}

function rowError(error: unknown): unknown {
  const code = errorCode(error);
  const why = error instanceof Error ? error.message : '';
  if (code.startsWith('SQLITE_CONSTRAINT')) return bad(`holds rows that are no journal's: ${why}`);
  if (/^SQLITE_(CORRUPT|NOTADB|ERROR|TOOBIG|NOMEM|CANTOPEN)/.test(code)) return bad(`is damaged: ${why}`);
  return error instanceof RangeError ? bad(`holds a value that cannot be read: ${why}`) : error;
}

const hasTable = (db: Db, name: string): boolean =>
  db.prepare('SELECT 1 FROM sqlite_master WHERE name = ? LIMIT 1').get(name) !== undefined;

/** The name must stand for a plain table with just these columns, all of them stored. */
function requirePlainTable(db: Db, table: Table): void {
  const objects = db
    .prepare<[string], { type: string; rootpage: number }>('SELECT type, rootpage FROM sqlite_master WHERE name = ?')
    .all(table);
  if (objects.length === 0) throw bad(`has no table ${table}`);
  if (objects.length > 1 || objects[0]?.type !== 'table' || !(objects[0].rootpage > 0))
    throw bad(`has a ${table} that is no plain table`);
  const columns = db
    .prepare<[string], { name: string; hidden: number }>('SELECT name, hidden FROM pragma_table_xinfo(?)')
    .all(table);
  const names: readonly string[] = tables[table].map(({ name }) => name);
  if (columns.length !== names.length || columns.some(({ name, hidden }) => hidden !== 0 || !names.includes(name)))
    throw bad(`has a table ${table} with other columns`);
}

function copy(from: Db, to: Db, table: Table, insertion: string, onRow: (first: number) => void = () => undefined): void {
  requirePlainTable(from, table);
  const columns: readonly Column[] = tables[table];
  // octet_length() reads a value's header alone: a value that claims a gigabyte is never loaded.
  const long = columns
    .filter(({ kind }) => kind !== 'integer')
    .map(({ name, bytes_max }) => `octet_length(${name}) > ${bytes_max}`);
  if (from.prepare(`SELECT 1 FROM ${table} NOT INDEXED WHERE ${long.join(' OR ')} LIMIT 1`).get() !== undefined)
    throw bad(`holds a value in ${table} that is too long`);
  const order = columns[0]?.name ?? '';
  const rows = from
    .prepare<[], Value[]>(`SELECT ${columns.map((c) => c.name).join(', ')} FROM ${table} NOT INDEXED ORDER BY ${order}`)
    .raw();
  const insert = to.prepare(insertion);
  for (const row of rows.iterate()) {
    const wrong = columns.find((column, i) => !fits(column, row[i]));
    if (wrong !== undefined) throw bad(`holds a ${wrong.name} in ${table} that is not ${wrong.kind}`);
    insert.run(...row);
    if (typeof row[0] === 'number') onRow(row[0]);
  }
}

function fits({ kind }: Column, value: Value | undefined): boolean {
  if (kind === 'integer') return Number.isSafeInteger(value);
  return kind === 'text' ? typeof value === 'string' : Buffer.isBuffer(value);
}
