/** `verify`: checks the whole journal, its tables and the configuration, and compares them with a checkpoint from elsewhere. */
import * as os from 'node:os';
import Database from 'better-sqlite3';
import { fromUtf8 } from '../../base/bytes.js';
import { parseJson } from '../../base/json-parse.js';
import { export_bytes_max } from '../../base/limits.js';
import { invalid, type Refusal } from '../../base/refusal.js';
import { isRefused, RefusalError } from '../../base/result.js';
import { exportCodec } from '../../codec/export.js';
import { decode } from '../../codec/kit.js';
import { readInput } from '../../home/files.js';
import { contradiction } from '../../journal/against.js';
import { openCheckpoint } from '../../journal/note.js';
import { readProof } from '../../journal/proof.js';
import { readRow, type Head } from '../../journal/reader.js';
import { verifyJournal, verifyOpened, type JournalReport } from '../../journal/verify.js';
import { projectors, rebuildProjections } from '../../projection/projections.js';
import { storageError, type Db } from '../../store/database.js';
import { foreignObject } from '../../store/migrations.js';
import { newerVersion } from '../../store/newer-version.js';
import { cosignatureFault } from './cosignatures.js';
import type { Home } from '../home/home.js';
import { allEntries } from '../home/upgrade.js';

export interface VerifyHomeOptions {
  readonly deep: boolean;
  readonly against?: string | undefined;
  readonly expectHead?: string | undefined;
  /** Number of worker threads; by default as many as the machine runs at once. */
  readonly threads?: number | undefined;
  readonly onProgress?: (verified: number, total: number) => void;
}

export interface VerifyReport {
  readonly valid: boolean;
  readonly identity: string;
  readonly events: number;
  readonly head: string;
  readonly root: string;
  readonly checkpoint: string;
  readonly signatures_checked: number;
  /**
   * Number of entries by stream: `missions`, `@control`, `@invoice`, …; includes entries that this program verifies and keeps
   * without reading.
   */
  readonly streams: Readonly<Record<string, number>>;
  readonly elapsed_ms: number;
  readonly warnings: readonly string[];
  /** What failed, with the first bad sequence where there is one. */
  readonly failure: { readonly code: Refusal['code']; readonly sequence: number | null; readonly detail: string } | null;
  /**
   * Present when a newer version wrote the home: that version (null when the process lock does not name it), the number of
   * entries with content that this version does not know, and the first of those entries. They were verified, not interpreted.
   */
  readonly newer?: { readonly version: string | null; readonly count: number; readonly entries: readonly number[] };
}

type Failed = VerifyReport['failure'];
const integrity = (detail: string, sequence: number | null = null): Failed => ({ code: 'integrity', sequence, detail });
const asFailure = (refusal: Refusal | null): Failed =>
  refusal === null ? null : { code: refusal.code, sequence: null, detail: refusal.detail };

/**
 * Verifies the journal and reads only: a journal that fails is left unchanged.
 * @throws RefusalError when SQLite itself cannot read the file
 */
export async function verifyHome(home: Home, options: VerifyHomeOptions): Promise<VerifyReport> {
  try {
    return await verifyAll(home, options);
  } catch (error) {
    throw storageError(error, 'journal.sqlite3');
  }
}

async function verifyAll(home: Home, options: VerifyHomeOptions): Promise<VerifyReport> {
  const began = performance.now();
  const expected = options.expectHead === undefined ? null : parseHead(options.expectHead);
  const given = options.against === undefined ? null : readAgainst(home, options.against);
  const report = await verifyEntries(home, options);
  const [unknown] = report.unknown;
  if (unknown !== undefined && home.newer === null && report.failure === null)
    throw newerVersion(`entry ${unknown} was written by a newer version`, { sequence: unknown });
  const failure =
    asFailure(given === null ? null : contradiction(home.db, report.head, home.signer.publicKey, given)) ??
    asFailure(home.faults.witness) ??
    fromJournal(report) ??
    (home.newer === null ? checkTables(home, options.deep) : null) ??
    asFailure(home.faults.head) ??
    asFailure(home.faults.entries) ??
    asFailure(home.faults.tables) ??
    asFailure(home.damage.found()[0] ?? null) ??
    asFailure(home.faults.config) ??
    (expected === null ? null : checkHeadOf(home.db, report.head, expected));
  return {
    valid: failure === null,
    identity: home.signer.identity,
    events: report.head.size,
    head: report.head.hash,
    root: report.root,
    checkpoint: report.checkpoint,
    signatures_checked: report.signatures_checked,
    streams: countStreams(home.db),
    elapsed_ms: Math.round(performance.now() - began),
    warnings: warningsOf(home, report),
    failure,
    ...(home.newer === null
      ? {}
      : {
          newer: { version: home.newer.version, count: report.unknown.length, entries: report.unknown.slice(0, shown_entries) },
        }),
  };
}

const shown_entries = 100;

function warningsOf({ newer }: Home, { timesBackwards, unknown }: JournalReport): readonly string[] {
  const backwards = timesBackwards === 0 ? [] : [`the clock went back ${timesBackwards} times; order is the sequence alone`];
  if (newer === null) return backwards;
  const some = unknown.length > 10 ? `${unknown.slice(0, 10).join(', ')} and more` : unknown.join(', ');
  const verified = unknown.length === 0 ? [] : [`${unknown.length} entries were verified but could not be interpreted (${some})`];
  return [...backwards, ...verified, 'the tables were not compared: a newer version wrote this home'];
}

function verifyEntries(
  home: Home,
  { deep, onProgress, threads = os.availableParallelism() }: VerifyHomeOptions,
): Promise<JournalReport> | JournalReport {
  const options = { deep, ...(onProgress === undefined ? {} : { onProgress }) };
  const { publicKey } = home.signer;
  if (home.newer !== null) return verifyOpened(home.db, publicKey, { ...options, interpret: true, checkpoints: 'required' });
  return home.isReference
    ? verifyOpened(home.db, publicKey, { ...options, checkpoints: 'absent' })
    : verifyJournal(home.paths.journal, publicKey, { ...options, threads });
}

/** Counts entries by stream: missions together, every other stream by its name up to the first colon. */
function countStreams(db: Db): Readonly<Record<string, number>> {
  const rows = db
    .prepare<[], { name: string; entries: number }>(
      `SELECT CASE WHEN mission GLOB '@*' THEN substr(mission, 1, instr(mission || ':', ':') - 1) ELSE 'missions' END AS name,
         count(*) AS entries FROM events GROUP BY name ORDER BY name`,
    )
    .all();
  return Object.fromEntries(rows.map(({ name, entries }) => [name, entries]));
}

const fromJournal = ({ failure }: JournalReport): Failed =>
  failure === null
    ? null
    : integrity(failure.sequence === 0 ? failure.detail : `entry ${failure.sequence}: ${failure.detail}`, failure.sequence);

function checkTables(home: Home, deep: boolean): Failed {
  const foreign = foreignObject(
    home.db,
    projectors.map((p) => p.ddl),
  );
  if (foreign !== null) return integrity(`the database's schema is not ours: ${foreign}`);
  const cosignature = cosignatureFault(home.db);
  if (cosignature !== null) return integrity(cosignature.detail, cosignature.size);
  if (!deep) return null;
  const check = home.db.pragma('integrity_check', { simple: true });
  if (check !== 'ok') return integrity(`SQLite finds the file damaged: ${String(check)}`);
  return compareProjections(home.db);
}

/** Compares every projection's table with a rebuild in memory, row by row, as of one moment. */
export const compareProjections = (db: Db): Failed => db.transaction(() => compareWithRebuild(db))();

function compareWithRebuild(db: Db): Failed {
  const memory = new Database(':memory:');
  try {
    memory.exec(
      'CREATE TABLE projection(name TEXT PRIMARY KEY, version INTEGER NOT NULL, applied_seq INTEGER NOT NULL, applied_hash TEXT NOT NULL) STRICT',
    );
    memory.exec('BEGIN');
    rebuildProjections(memory, allEntries(db));
    for (const table of [...projectors.flatMap((p) => p.tables), 'projection']) {
      const fault = compareTable(db, memory, table);
      if (fault !== null) return integrity(fault);
    }
    return null;
  } finally {
    memory.close();
  }
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

export interface ExpectedHead {
  readonly size: number | null;
  readonly hash: string;
}

/** Reads `size:first-16-hex` or the 64 hex of a hash. @throws RefusalError `invalid` for anything else */
export function parseHead(text: string): ExpectedHead {
  const short = /^([1-9][0-9]{0,15}):([0-9a-f]{16,64})$/.exec(text);
  if (short !== null) return { size: Number(short[1]), hash: short[2] ?? '' };
  if (/^[0-9a-f]{64}$/.test(text)) return { size: null, hash: text };
  throw new RefusalError(invalid('expect-head', 'must be 64 hexadecimal digits, or events:first-16-hex as doctor prints it'));
}

/** Checks that the journal has that head, as its newest entry or as an earlier one that it has grown from. */
export function checkHeadOf(db: Db, head: Head, expected: ExpectedHead): Failed {
  const found =
    expected.size === null
      ? db.prepare<[string], { seq: number }>('SELECT seq FROM events WHERE hash = ?').get(expected.hash) !== undefined
      : readRow(db, expected.size)?.hash.startsWith(expected.hash) === true;
  if (found) return null;
  const isOlder = expected.size !== null && expected.size > head.size;
  const detail = isOlder
    ? `the journal ends at entry ${head.size}; the expected head has ${expected.size}`
    : 'the expected head is not an entry of this journal';
  return { code: isOlder ? 'rollback' : 'fork', sequence: null, detail };
}

/** Reads a checkpoint from a file that contains one, or from an export. */
function readAgainst(home: Home, file: string): Parameters<typeof contradiction>[3] {
  const text = fromUtf8(readInput(file, export_bytes_max));
  if (text === null) throw new RefusalError({ code: 'malformed', detail: `${file} is not UTF-8` });
  const note = text.startsWith('{') ? noteOfExport(text) : text;
  const checkpoint = note === null ? null : openCheckpoint(note, home.signer.publicKey);
  if (checkpoint !== null) return checkpoint;
  throw new RefusalError({
    code: 'verification_failed',
    detail: `${file} holds no checkpoint that this home's key signed`,
  });
}

function noteOfExport(text: string): string | null {
  const json = parseJson(text, { bigIntegers: 'round' });
  const document = isRefused(json) ? json : decode(exportCodec, json.right);
  return isRefused(document) ? null : (readProof(document.right.proof ?? '')?.checkpoint.note ?? null);
}
