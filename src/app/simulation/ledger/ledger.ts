/**
 * The ledger ./ledger/runs.jsonl: one line of canonical JSON for each run that succeeded here, chained by hashes. Lines are only
 * appended, and every reader verifies the file from its first line. The chain reveals an edit, a removal or a change of order in
 * the middle. Only the journal, to which each line refers, reveals that lines were cut off the end or that the whole file was
 * rewritten.
 */
import * as fs from 'node:fs';
import * as path from 'node:path';
import { canonicalJson } from '../../../base/canonical-json.js';
import { sha256Hex } from '../../../base/bytes.js';
import { parseJsonBytes } from '../../../base/json.js';
import { isRefused, RefusalError } from '../../../base/refusal.js';
import { parseTime } from '../../../base/time.js';
import { decode } from '../../../codec/kit.js';
import { ledgerEntry, type LedgerEntry } from '../../../codec/simulation-ledger.js';
import { fileError, fsyncDirectory, makeDirectories } from '../../../home/files.js';
import { takeOwnerLock } from '../../../store/owner-lock.js';

/** Size of one line of ./ledger/runs.jsonl. */
const ledger_line_bytes_max = 2_097_152;
const ledger_lock_ms_max = 5_000;

const genesis = '0'.repeat(64);
const chunk_bytes = 1_048_576;
const newline = 0x0a;
const private_file = 0o600;

/** Returns the paths of the ledger of a working directory. */
export const ledgerPaths = (directory: string) => ({
  directory: path.join(directory, 'ledger'),
  runs: path.join(directory, 'ledger', 'runs.jsonl'),
  lock: path.join(directory, 'ledger', 'lock.sqlite3'),
});

const broken = (file: string, line: number, detail: string): RefusalError =>
  new RefusalError(
    'integrity',
    `${file}, line ${line}: ${detail}; the ledger is never overwritten; move it away to start a new one`,
    { facts: { line } },
  );

/**
 * Yields the entries in order, each after its verification; a missing ledger has none.
 * @throws RefusalError `integrity` at the first line that was altered
 */
function* ledgerEntries(file: string): Generator<LedgerEntry> {
  let last = { seq: 0, hash: genesis };
  for (const line of linesOf(file)) {
    const entry = entryOf(file, line, last);
    yield entry;
    last = entry;
  }
}

/** Verifies the whole ledger; returns the number of its entries and the hash of the last one. */
function verifyLedger(file: string): { readonly seq: number; readonly hash: string } {
  let last = { seq: 0, hash: genesis };
  for (const { seq, hash } of ledgerEntries(file)) last = { seq, hash };
  return last;
}

/** Verifies the whole ledger and returns its newest entries, the newest first. */
export function newestEntries(file: string, limit: number): LedgerEntry[] {
  const newest: LedgerEntry[] = [];
  for (const entry of ledgerEntries(file)) {
    newest.push(entry);
    if (newest.length > limit) newest.shift();
  }
  return newest.toReversed();
}

interface ReplayOptions {
  /** The time of the earliest entry to replay, in milliseconds since the epoch. */
  readonly since?: number | undefined;
  /** The largest number of these entries to replay, counted from the newest. */
  readonly limit?: number | undefined;
}

/** Yields the entries to replay, in order. The whole ledger is verified before the first one. */
export function* replayedEntries(file: string, { since = -Infinity, limit = Infinity }: ReplayOptions): Generator<LedgerEntry> {
  const isMeant = ({ time }: LedgerEntry): boolean => parseTime(time) >= since;
  let meant = 0;
  for (const entry of ledgerEntries(file)) if (isMeant(entry)) meant++;
  let passed = 0;
  for (const entry of ledgerEntries(file)) {
    if (isMeant(entry) && ++passed > meant - limit) yield entry;
  }
}

function entryOf(file: string, line: Buffer, last: { readonly seq: number; readonly hash: string }): LedgerEntry {
  const number = last.seq + 1;
  // A request's k and x0 may be any finite number.
  const json = parseJsonBytes(line, { bigIntegers: 'round' });
  const entry = isRefused(json) ? json : decode(ledgerEntry, json.right);
  if (isRefused(entry)) throw broken(file, number, `is not an entry (${entry.left.detail})`);
  const { hash, ...rest } = entry.right;
  if (canonicalJson(entry.right) !== line.toString('utf8')) throw broken(file, number, 'is not in canonical form');
  if (sha256Hex(canonicalJson(rest)) !== hash) throw broken(file, number, 'does not match its hash');
  if (rest.seq !== number) throw broken(file, number, `has the number ${rest.seq}`);
  if (rest.previous !== last.hash) throw broken(file, number, 'does not follow the line before it');
  return entry.right;
}

/** Yields the lines without terminators, read in pieces. @throws RefusalError for a line that is too long or not terminated */
function* linesOf(file: string): Generator<Buffer> {
  const fd = openExisting(file);
  if (fd === null) return;
  try {
    let number = 1;
    let rest = Buffer.alloc(0);
    const chunk = Buffer.alloc(chunk_bytes);
    for (let read = fs.readSync(fd, chunk); read > 0; read = fs.readSync(fd, chunk)) {
      rest = Buffer.concat([rest, chunk.subarray(0, read)]);
      for (let end = rest.indexOf(newline); end >= 0; end = rest.indexOf(newline)) {
        yield rest.subarray(0, end);
        rest = rest.subarray(end + 1);
        number++;
      }
      if (rest.length > ledger_line_bytes_max) throw broken(file, number, `has more than ${ledger_line_bytes_max} bytes`);
    }
    if (rest.length > 0) throw broken(file, number, 'is cut off');
  } finally {
    fs.closeSync(fd);
  }
}

function openExisting(file: string): number | null {
  try {
    if (fs.lstatSync(file, { throwIfNoEntry: false }) === undefined) return null;
    const fd = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
    if (fs.fstatSync(fd).isFile()) return fd;
    fs.closeSync(fd);
  } catch (error) {
    throw fileError(error, file);
  }
  throw new RefusalError('invalid', `${file} is not a file`);
}

/** Creates the directory and verifies every line, so that no run starts whose line could not be appended. */
export function prepareLedger(directory: string): void {
  const paths = ledgerPaths(directory);
  try {
    makeDirectories(paths.directory, 0o777);
    fs.accessSync(paths.directory, fs.constants.W_OK);
  } catch (error) {
    throw fileError(error, paths.directory);
  }
  verifyLedger(paths.runs);
  refuseOtherLock(paths.lock);
}

export type NewLedgerEntry = Omit<LedgerEntry, 'seq' | 'previous' | 'hash'>;

/** Appends a line and returns once it is on disk. Concurrent processes append one after another. */
export function appendLedger(directory: string, entry: NewLedgerEntry): LedgerEntry {
  const paths = ledgerPaths(directory);
  return withLedgerLock(paths.lock, () => {
    const last = verifyLedger(paths.runs);
    const chained = { ...entry, seq: last.seq + 1, previous: last.hash };
    const added = { ...chained, hash: sha256Hex(canonicalJson(chained)) };
    try {
      appendWhole(paths.runs, Buffer.from(`${canonicalJson(added)}\n`));
      fsyncDirectory(paths.directory);
    } catch (error) {
      throw fileError(error, paths.runs);
    }
    return added;
  });
}

/** Appends a whole line; if it does not fit on the disk, it is removed, so that the earlier lines stay intact. */
function appendWhole(file: string, line: Buffer): void {
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW } = fs.constants;
  const fd = fs.openSync(file, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, private_file);
  const { size } = fs.fstatSync(fd);
  try {
    fs.writeFileSync(fd, line);
    fs.fsyncSync(fd);
  } catch (error) {
    fs.ftruncateSync(fd, size);
    throw error;
  } finally {
    fs.closeSync(fd);
  }
}

/** The ledger is where the command runs: a directory from elsewhere may hold a database of this name, or a link to another place. */
function refuseOtherLock(file: string): void {
  const found = fs.lstatSync(file, { throwIfNoEntry: false });
  if (found !== undefined && (!found.isFile() || found.size > 0))
    throw new RefusalError('integrity', `${file} is not an empty file, so it is no lock of a ledger; move it away`);
}

/**
 * Runs `use` under the lock of an empty file beside the ledger, which is released when the process ends, for whatever reason.
 * @throws RefusalError `in_use` when another process holds it for seconds
 */
function withLedgerLock<A>(file: string, use: () => A): A {
  refuseOtherLock(file);
  const lock = takeOwnerLock(file, ledger_lock_ms_max);
  if (lock === null) throw new RefusalError('in_use', `another process writes to the ledger (${file})`);
  try {
    return use();
  } finally {
    lock.release();
  }
}
