/** `journal export`: the entries of a period with their proofs, for somebody without a home; or a table of them, for reading only. */
import { toBase64, utf8 } from '../../base/bytes.js';
import { invalid, RefusalError } from '../../base/refusal.js';
import { boundOf } from '../../base/time.js';
import { timeOf } from '../../codec/entry.js';
import { blobUsesOf } from '../../codec/event.js';
import { moment, momentForm } from '../../codec/scalars.js';
import { createNamed } from '../../home/files.js';
import { inclusionPath } from '../../journal/merkle.js';
import { deedOf, entryLine, headLine, type PeriodBlob, proofTexts } from '../../journal/period.js';
import { entryOf, genesis, readBlob, requireRow } from '../../journal/reader.js';
import { nodeReader } from '../../journal/tree.js';
import { csvText } from '../../reports/csv.js';
import type { Db } from '../../store/database.js';
import { newestCheckpoint } from './checkpoint.js';
import type { Home } from '../home/home.js';

export interface PeriodOptions {
  readonly from: string;
  readonly to: string;
  /** A file that must not exist; `.csv` for a table. */
  readonly output: string;
  /** Whether requests, results and configurations that are stored apart from the entries are included. */
  readonly withSources: boolean;
}

export interface PeriodReport extends Omit<PeriodOptions, 'withSources'> {
  readonly entries: number;
  /** Null where no entry is in the period. */
  readonly first: number | null;
  readonly last: number | null;
  /** Whether verify-journal-export can verify the file. */
  readonly verifiable: boolean;
}

/** Writes the contiguous entries from the first to the last one of a period. */
export function exportPeriod(home: Home, options: PeriodOptions): PeriodReport {
  const { from, to, output } = options;
  for (const name of ['from', 'to'] as const)
    if (!moment.is(options[name])) throw new RefusalError(invalid(name, `must be ${momentForm}`));
  if (boundOf(from) >= boundOf(to)) throw new RefusalError(invalid('to', 'must be after from'));
  const isTable = output.endsWith('.csv');
  if (!isTable && !output.endsWith('.jsonl'))
    throw new RefusalError(invalid('output', 'must end in .jsonl, or in .csv for a table to read'));
  return home.db.transaction((): PeriodReport => {
    const [first, last] = placesIn(home.db, from, to);
    createNamed(output, batched(isTable ? tableLines(home.db, first, last) : signedLines(home, options, first, last)));
    const entries = first === 0 ? 0 : last - first + 1;
    return { output, from, to, entries, first: first || null, last: last || null, verifiable: !isTable };
  })();
}

/** Returns the first and the last entry of a period; 0 for none. */
function placesIn(db: Db, from: string, to: string): readonly [number, number] {
  let [first, last] = [0, 0];
  for (const { seq, body } of db
    .prepare<[], { seq: number; body: string }>('SELECT seq, body FROM events ORDER BY seq')
    .iterate()) {
    const time = timeOf(body) ?? deedOf({ seq, mission: '', body, hash: '', signature: '' })?.time ?? '';
    if (time < boundOf(from) || time >= boundOf(to)) continue;
    first ||= seq;
    last = seq;
  }
  return [first, last];
}

function* signedLines(home: Home, { from, to, withSources }: PeriodOptions, first: number, last: number): Generator<string> {
  const { db, signer } = home;
  const { origin, size, note } = newestCheckpoint(home);
  const previous = first > 1 ? requireRow(db, first - 1).hash : genesis;
  yield `${headLine(signer, origin, { from, to, first, last, previous, checkpoint: note })}\n`;
  const read = nodeReader(db, size);
  for (let sequence = first; sequence > 0 && sequence <= last; sequence++) {
    const row = requireRow(db, sequence);
    const { event } = entryOf(row, db);
    const blobs = withSources && event !== null ? blobUsesOf(event).refers.flatMap((hash) => blobIn(db, hash) ?? []) : undefined;
    const line = entryLine({ row, proof: proofTexts(inclusionPath(read, sequence - 1, size)), blobs });
    yield `${line ?? ''}\n`;
  }
}

/** Returns a stored value with what its hash covers; null after its erasure. */
function blobIn(db: Db, hash: string): PeriodBlob | null {
  const bytes = readBlob(db, hash);
  const salt = db.prepare<[string], Buffer>('SELECT salt FROM blob WHERE hash = ?').pluck().get(hash);
  return bytes === null || salt === undefined ? null : { hash, salt: toBase64(salt), bytes: toBase64(bytes) };
}

const unverifiable = 'This table is for reading and cannot be verified; journal export to a .jsonl file can be.';

function* tableLines(db: Db, first: number, last: number): Generator<string> {
  yield csvText([[unverifiable], ['entry', 'time', 'what', 'who', 'channel', 'stream', 'hash']]);
  for (let sequence = first; sequence > 0 && sequence <= last; sequence++) {
    const row = requireRow(db, sequence);
    const { time = '', type = '', actor = null, via = null } = deedOf(row) ?? {};
    yield csvText([[sequence, time, type, actor ?? '', via ?? '', row.mission, row.hash]]);
  }
}

const batch_chars = 1_048_576;

/** Joins lines to pieces that are worth a write. */
function* batched(lines: Iterable<string>): Generator<Uint8Array> {
  let batch = '';
  for (const line of lines) {
    batch += line;
    if (batch.length < batch_chars) continue;
    yield utf8(batch);
    batch = '';
  }
  yield utf8(batch);
}
