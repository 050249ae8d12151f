/**
 * Reads the files in which SQLite keeps a part of a database beside it, by their format (sqlite.org/fileformat2.html), without SQLite and without
 * changing anything: a write-ahead log holds committed pages that are not in the database yet (section 4), a rollback journal the former pages of
 * a transaction that did not end (section 3). Checksums decide how far either counts, as SQLite's recovery does.
 */
import * as fs from 'node:fs';
import { RefusalError } from '../base/refusal.js';

/** The pages of a log that replace those of the database. */
export type PageLog = Readonly<ReturnType<typeof pageLog>>;

/** Limit of a log. SQLite empties a log of a few MiB; each page of it takes memory here. */
const log_bytes_max = 1_073_741_824;

const refused = (code: 'integrity' | 'too_large', detail: string): RefusalError =>
  new RefusalError(code, `journal.sqlite3 ${detail}`);

/** @param use is given the descriptor; null for a file that is missing or empty, which is no log */
export function openLog(file: string): LogFile | null {
  const bytes = fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (bytes === 0) return null;
  if (bytes > log_bytes_max) throw refused('too_large', `has a log of more than ${log_bytes_max} bytes`);
  return new LogFile(fs.openSync(file, 'r'), bytes);
}

export class LogFile {
  constructor(
    private readonly fd: number,
    readonly bytes: number,
  ) {}

  /** Returns the bytes at an offset; null where the file is shorter. */
  read(at: number, length: number): Buffer | null {
    const bytes = Buffer.alloc(length);
    return fs.readSync(this.fd, bytes, 0, length, at) === length ? bytes : null;
  }

  close(): void {
    fs.closeSync(this.fd);
  }
}

const pageLog = (log: LogFile, page_bytes: number, count: number, offsets: ReadonlyMap<number, number>) => ({
  /** The size of the database, in pages. */
  count,
  /** Returns a page; null when the database holds it. */
  page: (n: number) => {
    const at = offsets.get(n);
    return at === undefined ? null : log.read(at, page_bytes);
  },
});

const wal_magic = 0x377f0682;
const wal_version = 3_007_000;
const wal_header_bytes = 32;
const frame_header_bytes = 24;

/** Returns the pages of the committed transactions of a write-ahead log; null when there are none. */
export function readWal(log: LogFile, page_bytes: number): PageLog | null {
  const header = log.read(0, wal_header_bytes);
  const magic = header?.readUInt32BE(0) ?? 0;
  // The lowest bit says in which byte order the checksums were made.
  if (header === null || magic >>> 1 !== wal_magic >>> 1) return null;
  const sum = new WalSum((magic & 1) === 1);
  if (!sum.add(header.subarray(0, 24)).equals(header, 24)) return null;
  if (header.readUInt32BE(4) !== wal_version) throw refused('integrity', 'has a log of an unknown version');
  if (header.readUInt32BE(8) !== page_bytes) throw refused('integrity', 'has a log with pages of another size');
  const offsets = new Map<number, number>();
  let count = 0;
  const open: [number, number][] = [];
  const frame_bytes = frame_header_bytes + page_bytes;
  for (let at = wal_header_bytes; ; at += frame_bytes) {
    const frame = log.read(at, frame_bytes);
    const isOfLog = frame !== null && frame.compare(header, 16, 24, 8, 16) === 0 && frame.readUInt32BE(0) !== 0;
    if (!isOfLog || !sum.add(frame.subarray(0, 8)).add(frame.subarray(frame_header_bytes)).equals(frame, 16)) break;
    open.push([frame.readUInt32BE(0), at + frame_header_bytes]);
    const committed = frame.readUInt32BE(4);
    if (committed === 0) continue;
    for (const [n, offset] of open.splice(0)) offsets.set(n, offset);
    count = committed;
  }
  return count === 0 ? null : pageLog(log, page_bytes, count, offsets);
}

/** The running checksum of a write-ahead log (section 4.2). */
class WalSum {
  private a = 0;
  private b = 0;

  constructor(private readonly isBigEndian: boolean) {}

  add(bytes: Buffer): this {
    for (let at = 0; at < bytes.length; at += 8) {
      this.a = (this.a + this.word(bytes, at) + this.b) >>> 0;
      this.b = (this.b + this.word(bytes, at + 4) + this.a) >>> 0;
    }
    return this;
  }

  equals(bytes: Buffer, at: number): boolean {
    return bytes.readUInt32BE(at) === this.a && bytes.readUInt32BE(at + 4) === this.b;
  }

  private word(bytes: Buffer, at: number): number {
    return this.isBigEndian ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at);
  }
}

const journal_magic = Buffer.from('d9d505f920a163d7', 'hex');
const journal_header_bytes = 28;
const until_end = 0xffff_ffff;
/** A page that no database uses is at this offset, because SQLite locks its bytes. */
const lock_offset = 0x4000_0000;

/** Returns the former pages of the transaction that a rollback journal would undo; null when it undoes nothing. */
export function readRollback(log: LogFile, page_bytes: number): PageLog | null {
  const first = log.read(0, journal_header_bytes);
  if (first === null || !first.subarray(0, 8).equals(journal_magic)) return null;
  const [count, sector, size] = [first.readUInt32BE(16), first.readUInt32BE(20), first.readUInt32BE(24)];
  if (sector < 32 || sector > 65_536 || !Number.isInteger(Math.log2(sector))) return null;
  if (size !== page_bytes) throw refused('integrity', 'has a rollback journal with pages of another size');
  if (log.read(log.bytes - 8, 8)?.equals(journal_magic) === true)
    throw refused('integrity', 'has a rollback journal of several databases, which is not read');
  const offsets = new Map<number, number>();
  let at = 0;
  for (;;) {
    const header = log.read(at, journal_header_bytes);
    if (header === null || at + sector > log.bytes || !header.subarray(0, 8).equals(journal_magic)) break;
    const records = header.readUInt32BE(8) === until_end ? Number.POSITIVE_INFINITY : header.readUInt32BE(8);
    const end = readRecords(log, { at: at + sector, records, page_bytes, count, nonce: header.readUInt32BE(12) }, offsets);
    if (end === null) break;
    at = Math.ceil(end / sector) * sector;
  }
  return pageLog(log, page_bytes, count, offsets);
}

interface Records {
  readonly at: number;
  readonly records: number;
  readonly page_bytes: number;
  readonly count: number;
  readonly nonce: number;
}

/** Adds where the pages of one part of a rollback journal are. Returns the end of the part; null where the journal counts no further. */
function readRecords(
  log: LogFile,
  { at, records, page_bytes, count, nonce }: Records,
  offsets: Map<number, number>,
): number | null {
  const record_bytes = page_bytes + 8;
  for (let i = 0; i < records; i++, at += record_bytes) {
    const record = log.read(at, record_bytes);
    const n = record?.readUInt32BE(0) ?? 0;
    if (record === null || n === 0 || n === lock_offset / page_bytes + 1) return null;
    if (n > count || offsets.has(n)) continue;
    if (journalSum(record.subarray(4, -4), nonce) !== record.readUInt32BE(record_bytes - 4)) return null;
    offsets.set(n, at + 4);
  }
  return at;
}

/** The checksum of a page in a rollback journal: the nonce and every 200th byte, from the end on (section 3). */
function journalSum(page: Buffer, nonce: number): number {
  let sum = nonce;
  for (let at = page.length - 200; at > 0; at -= 200) sum += page.readUInt8(at);
  return sum >>> 0;
}
