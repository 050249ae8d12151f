/** `verify-journal-export`: checks the file of `journal export` with the log's key alone; no home. */
import { createReadStream } from 'node:fs';
import { fromBase64 } from '../../base/bytes.js';
import { isRefused } from '../../base/refusal.js';
import { fromUtf8 } from '../../base/text.js';
import { boundOf } from '../../base/time.js';
import { decodeEntry } from '../../codec/entry.js';
import { blobUsesOf } from '../../codec/event.js';
import { fileError, openInput } from '../../home/files.js';
import { identityOf, readPublicKey } from '../../journal/keys.js';
import { rootFromInclusion, sameBytes } from '../../journal/merkle.js';
import { type Checkpoint, openCheckpoint } from '../../journal/note.js';
import { openHead, type Period, type PeriodEntry, readEntryLine } from '../../journal/period.js';
import { isSignedBy } from '../../journal/reader.js';
import { hasBlobHash } from '../../journal/salted.js';
import { leafOf } from '../../journal/tree.js';
import { Refuted } from '../../base/web-crypto.js';
import { refute } from './signed-entry.js';

export type PeriodVerdict = Readonly<Awaited<ReturnType<typeof verifyPeriod>>>;

/** More than any line of an export: an entry of a simulation run with its sources, in base64. */
const line_bytes_max = 67_108_864;
const line_feed = 0x0a;

/** @throws Refuted for a line that is not UTF-8, and for one that is too long, before it is read to its end */
async function* linesOf(file: string): AsyncGenerator<string> {
  let parts: Buffer[] = [];
  let [lines, length] = [1, 0];
  const textOf = (): string => fromUtf8(Buffer.concat(parts))?.replace(/\r$/, '') ?? refute(`line ${lines} is not UTF-8`);
  const keep = (part: Buffer): void => {
    length += part.length;
    if (length > line_bytes_max) refute(`line ${lines} has more than ${line_bytes_max} bytes`);
    parts.push(part);
  };
  for await (const chunk of createReadStream('', { fd: openInput(file) }) as AsyncIterable<Buffer>) {
    let from = 0;
    for (let end = chunk.indexOf(line_feed); end >= 0; end = chunk.indexOf(line_feed, from)) {
      keep(chunk.subarray(from, end));
      yield textOf();
      [parts, length, from] = [[], 0, end + 1];
      lines++;
    }
    keep(chunk.subarray(from));
  }
  if (length > 0) yield textOf();
}

/**
 * Returns the number of entries that were verified, and the first fault with its line as the reason; null for a valid file. @throws
 * RefusalError for a file that cannot be read, or no key
 */
export async function verifyPeriod(file: string, key: string) {
  const publicKey = readPublicKey(key);
  const check = new PeriodCheck(publicKey);
  let reason: string | null = null;
  try {
    for await (const line of linesOf(file)) check.line(line);
    check.end();
  } catch (error) {
    if (!(error instanceof Refuted)) throw fileError(error, file);
    reason = error.message;
  }
  const { period, entries } = check;
  const { from = null, to = null, first = 0, last = 0 } = period ?? {};
  return { valid: reason === null, reason, from, to, entries, first: first || null, last: last || null };
}

class PeriodCheck {
  period: Period | null = null;
  entries = 0;
  private checkpoint: Checkpoint | null = null;
  private previous = '';
  private lines = 0;

  constructor(private readonly publicKey: Buffer) {}

  /** @throws Refuted */
  line(text: string): void {
    this.lines++;
    const { period, checkpoint } = this;
    if (period === null || checkpoint === null) return this.head(text);
    const sequence = period.first + this.entries;
    const at = `line ${this.lines}`;
    if (period.first === 0 || sequence > period.last) refute(`${at}: the signed period ends before it`);
    const entry = readEntryLine(text) ?? refute(`${at} is not the line of an entry: it was changed`);
    const { row } = entry;
    if (row.seq !== sequence) refute(`${at} holds entry ${row.seq} in place of ${sequence}: a line was removed or moved`);
    this.entry(entry, checkpoint, at);
    this.entries++;
  }

  private head(text: string): void {
    const period = openHead(text, this.publicKey) ?? refute('line 1 is not the signed beginning of an export of this key');
    this.checkpoint =
      openCheckpoint(period.checkpoint, this.publicKey) ?? refute('line 1: the checkpoint is not signed by this key');
    if (this.checkpoint.origin !== period.origin) refute('line 1: the checkpoint is that of another log');
    this.previous = period.previous;
    this.period = period;
  }

  private entry({ row, proof, blobs = [] }: PeriodEntry, { size, root }: Checkpoint, at: string): void {
    const decoded = decodeEntry(row);
    if (!isSignedBy(this.publicKey, row) || isRefused(decoded))
      return refute(`${at}: the key did not sign entry ${row.seq} as it is here`);
    const { sequence, stream, identity, previous, event } = decoded.right;
    if (sequence !== row.seq || stream !== row.mission || identity !== identityOf(this.publicKey))
      refute(`${at}: the entry is another one than the line says`);
    if (previous !== this.previous) refute(`${at}: the entry does not follow the one before it`);
    const path = proof.map((hash) => fromBase64(hash) ?? Buffer.alloc(0));
    const computed = rootFromInclusion(leafOf(row.hash, row.signature), row.seq - 1, size, path);
    if (computed === null || !sameBytes(computed, root)) refute(`${at}: the proof does not lead to the signed root`);
    for (const { hash, salt, bytes } of blobs)
      if (event === null || !blobUsesOf(event).refers.includes(hash) || !hasBlobHash(hash, fromBase64(salt), fromBase64(bytes)))
        refute(`${at}: source ${hash} is not what was recorded`);
    this.previous = row.hash;
  }

  /** @throws Refuted when lines are missing at the end */
  end(): void {
    const { period, entries } = this;
    if (period === null) return refute('the file is empty');
    const wanted = period.first === 0 ? 0 : period.last - period.first + 1;
    if (entries !== wanted) refute(`the last ${wanted - entries} of ${wanted} entries are missing`);
    if (boundOf(period.from) >= boundOf(period.to)) refute('line 1: the period is none');
  }
}
