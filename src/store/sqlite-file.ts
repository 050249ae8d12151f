/**
 * Reads rows straight from a database file, by SQLite's file format (sqlite.org/fileformat2.html, sections 1.3, 1.5, 1.6, 2.1),
 * without SQLite: for a file that somebody else made. No schema is interpreted, so nothing in it can run; and no page is read
 * twice, so that time and output are bounded by the file's size. Only tables with a rowid are read, in UTF-8. What is in a log beside the file
 * is read only on demand (store/sqlite-log.ts).
 */
import * as fs from 'node:fs';
import { fromUtf8 } from '../base/text.js';
import { RefusalError } from '../base/refusal.js';
import { type LogFile, openLog, type PageLog, readRollback, readWal } from './sqlite-log.js';

export type SqliteValue = null | number | string | Buffer;

export interface SqliteRow {
  readonly rowid: number;
  /** The values as stored: the column that is the rowid's alias is null. */
  readonly values: readonly SqliteValue[];
}

export type SqliteFile = Readonly<ReturnType<typeof openSqliteFile>>;

const magic = 'SQLite format 3\0';
const header_bytes = 100;
const utf8_encoding = 1;
const interior = 0x05;
const leaf = 0x0d;
const depth_max = 32;

const damaged = (reason: string): RefusalError => new RefusalError('integrity', `journal.sqlite3 is damaged: ${reason}`);

interface ReadOptions {
  /** The largest payload of one row. */
  readonly payload_bytes_max: number;
  /** Whether the file is read with its write-ahead log and its rollback journal, as SQLite would open it. */
  readonly withLogs?: boolean;
}

export function openSqliteFile(file: string, { payload_bytes_max, withLogs = false }: ReadOptions) {
  const fd = fs.openSync(file, 'r');
  const logs: LogFile[] = [];
  const close = (): void => {
    fs.closeSync(fd);
    for (const log of logs.splice(0)) log.close();
  };
  const logOf = (ending: string): LogFile | null => {
    const log = withLogs ? openLog(`${file}${ending}`) : null;
    if (log !== null) logs.push(log);
    return log;
  };
  try {
    const pages = new Pages(fd, payload_bytes_max, logOf);
    const roots = rootsOf(pages);
    /** Returns the rows in the order of their rowids; null when there is no ordinary table of that name. */
    const rows = (table: string): Generator<SqliteRow> | null => {
      const root = roots.get(table);
      return root === undefined ? null : walk(pages, root, 0);
    };
    return { rows, close };
  } catch (error) {
    close();
    throw error;
  }
}

/** Returns the root pages of the ordinary tables, from the schema table at page 1 (section 2.6): type, name, tbl_name, rootpage, sql. */
function rootsOf(pages: Pages): ReadonlyMap<string, number> {
  const roots = new Map<string, number>();
  const names = new Set<string>();
  for (const { values } of walk(pages, 1, 0)) {
    const [type, name, , root] = values;
    if (typeof name !== 'string') throw damaged('its schema holds an object without a name');
    if (names.has(name)) throw damaged(`its schema holds two objects named ${name}`);
    names.add(name);
    // Views and virtual tables have the root page 0.
    if (type === 'table' && typeof root === 'number' && root > 0) roots.set(name, root);
  }
  return roots;
}

class Pages {
  private readonly page_bytes: number;
  /** Size of a page without the bytes at its end that are reserved for extensions. */
  readonly usable: number;
  readonly count: number;
  private readonly logs: readonly PageLog[];
  private readonly seen = new Set<number>();

  constructor(
    private readonly fd: number,
    readonly payload_bytes_max: number,
    logOf: (ending: string) => LogFile | null,
  ) {
    const file_bytes = fs.fstatSync(fd).size;
    const header = Buffer.alloc(header_bytes);
    if (fs.readSync(fd, header, 0, header_bytes, 0) < header_bytes || header.toString('latin1', 0, 16) !== magic)
      throw damaged('file is not a database');
    const size = header.readUInt16BE(16);
    this.page_bytes = size === 1 ? 65_536 : size;
    this.usable = this.page_bytes - header.readUInt8(20);
    const isSize = size === 1 || (size >= 512 && size <= 32_768 && Number.isInteger(Math.log2(size)));
    if (!isSize || this.usable < 480) throw damaged('its page size is none that SQLite has');
    const [wal, rollback] = [logOf('-wal'), logOf('-journal')];
    const logs = [wal && readWal(wal, this.page_bytes), rollback && readRollback(rollback, this.page_bytes)];
    this.logs = logs.flatMap((log) => (log === null ? [] : [log]));
    this.count = this.logs[0]?.count ?? file_bytes / this.page_bytes;
    if (!Number.isInteger(this.count)) throw damaged('it does not end with a whole page');
    if (this.read(1).readUInt32BE(56) !== utf8_encoding) throw damaged('its texts are not UTF-8');
  }

  /** Returns page `n`. Throws when another page has referred to it already. */
  take(n: number): Buffer {
    if (n < 1 || n > this.count) throw damaged(`page ${n} is not in the file`);
    if (this.seen.has(n)) throw damaged(`page ${n} is used twice`);
    this.seen.add(n);
    return this.read(n).subarray(0, this.usable);
  }

  private read(n: number): Buffer {
    for (const log of this.logs) {
      const page = log.page(n);
      if (page !== null) return page;
    }
    const page = Buffer.alloc(this.page_bytes);
    if (fs.readSync(this.fd, page, 0, page.length, (n - 1) * page.length) < page.length) throw damaged('it became shorter');
    return page;
  }
}

/** Yields the rows below a page of a table's b-tree (section 1.6), left to right. */
function* walk(pages: Pages, n: number, depth: number): Generator<SqliteRow> {
  if (depth > depth_max) throw damaged('its tree is too deep');
  const page = pages.take(n);
  const at = n === 1 ? header_bytes : 0;
  const type = page.readUInt8(at);
  if (type !== interior && type !== leaf) throw damaged(`page ${n} is not a table page`);
  const cells = page.readUInt16BE(at + 3);
  const pointers = at + (type === leaf ? 8 : 12);
  if (pointers + 2 * cells > page.length) throw damaged(`page ${n} counts too many cells`);
  for (let i = 0; i < cells; i++) {
    const cell = page.readUInt16BE(pointers + 2 * i);
    if (cell + 4 > page.length) throw damaged(`a cell of page ${n} lies outside of it`);
    if (type === leaf) yield readRow(pages, page, cell);
    else yield* walk(pages, page.readUInt32BE(cell), depth + 1);
  }
  if (type === interior) yield* walk(pages, page.readUInt32BE(at + 8), depth + 1);
}

function readRow(pages: Pages, page: Buffer, cell: number): SqliteRow {
  const size = varint(page, cell);
  const rowid = varint(page, size.next);
  if (size.value > pages.payload_bytes_max) throw damaged(`a row has ${size.value} bytes`);
  return { rowid: rowid.value, values: decodeRecord(readPayload(pages, page, rowid.next, size.value)) };
}

/** Returns a payload, part of which may be on a chain of overflow pages (sections 1.6 and 1.7). */
function readPayload(pages: Pages, page: Buffer, at: number, bytes: number): Buffer {
  const { usable } = pages;
  const most = usable - 35;
  const least = Math.floor(((usable - 12) * 32) / 255) - 23;
  const spilled = least + ((bytes - least) % (usable - 4));
  const local = bytes <= most ? bytes : spilled <= most ? spilled : least;
  if (at + local + (local < bytes ? 4 : 0) > page.length) throw damaged('a row runs over its page');
  const parts = [page.subarray(at, at + local)];
  let next = local < bytes ? page.readUInt32BE(at + local) : 0;
  for (let left = bytes - local; left > 0; ) {
    const overflow = pages.take(next);
    const part = overflow.subarray(4, 4 + Math.min(left, usable - 4));
    parts.push(part);
    left -= part.length;
    next = overflow.readUInt32BE(0);
  }
  if (next !== 0) throw damaged('a chain of overflow pages is too long');
  return Buffer.concat(parts);
}

/** Decodes a record (section 2.1): a header of serial types, then the values. */
function decodeRecord(payload: Buffer): SqliteValue[] {
  const header = varint(payload, 0);
  if (header.value > payload.length) throw damaged('the header of a row is longer than the row');
  const values: SqliteValue[] = [];
  let body = header.value;
  for (let at = header.next; at < header.value; ) {
    const serial = varint(payload, at);
    const bytes = valueBytes(serial.value);
    if (body + bytes > payload.length) throw damaged('a value runs over its row');
    values.push(decodeValue(serial.value, payload.subarray(body, body + bytes)));
    body += bytes;
    at = serial.next;
  }
  if (body !== payload.length) throw damaged('a row is longer than its values');
  return values;
}

const integer_bytes = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0] as const;

function valueBytes(serial: number): number {
  if (serial >= 12) return Math.floor((serial - 12) / 2);
  return integer_bytes[serial] ?? unknownType(serial);
}

const unknownType = (serial: number): never => {
  throw damaged(`a value has the unknown type ${serial}`);
};

function decodeValue(serial: number, bytes: Buffer): SqliteValue {
  if (serial === 0) return null;
  if (serial === 7) return bytes.readDoubleBE(0);
  if (serial === 8 || serial === 9) return serial - 8;
  if (serial < 7) return serial === 6 ? wide(bytes.readBigInt64BE(0)) : bytes.readIntBE(0, bytes.length);
  if (serial % 2 === 0) return Buffer.from(bytes);
  const text = fromUtf8(bytes);
  if (text === null) throw damaged('a text is not UTF-8');
  return text;
}

function wide(value: bigint): number {
  if (BigInt.asIntN(54, value) !== value) throw damaged(`the number ${value} is too large`);
  return Number(value);
}

/** Reads a varint: up to nine bytes, seven bits each, the highest first (section 1.6). No count and no rowid of a journal needs more than 53 bits. */
function varint(bytes: Buffer, at: number): { readonly value: number; readonly next: number } {
  let value = 0;
  for (let i = 0; i < 8; i++) {
    const byte = bytes[at + i];
    if (byte === undefined) throw damaged('a number runs over its page');
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) {
      if (!Number.isSafeInteger(value)) throw damaged('a number is too large');
      return { value, next: at + i + 1 };
    }
  }
  throw damaged('a number is too large');
}
