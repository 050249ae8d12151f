/** `verify`: checks the whole journal, its tables and the configuration, and compares them with a checkpoint from elsewhere. */
import * as os from 'node:os';
import { parseJson } from '../../base/json.js';
import { export_bytes_max } from '../../base/limits.js';
import { invalid, isRefused, type Refusal, RefusalError } from '../../base/refusal.js';
import { exportCodec } from '../../codec/export.js';
import { decode } from '../../codec/kit.js';
import { readInputText } from '../../home/files.js';
import { contradiction } from '../../journal/against.js';
import { openCheckpoint } from '../../journal/note.js';
import { readProof } from '../../journal/proof.js';
import type { JournalReport } from '../../journal/join-ranges.js';
import { verifyJournal, verifyOpened } from '../../journal/verify.js';
import { snapshotFault } from '../../state/check.js';
import { schema, projectionRows, projectors, rebuildProjections, recordedDdls } from '../../tables/projections.js';
import { type Db, isFull, storageError } from '../../store/database.js';
import { foreignObject } from '../../store/migrations.js';
import { newerVersion } from '../../store/newer-version.js';
import { cosignatureFault } from './checkpoint.js';
import { type Home, toleratedRollback } from '../home/home.js';
import { readSeed } from '../home/files.js';
import { rememberDamage, rememberPass } from '../home/witness.js';
import { snapshotTables } from '../../state/stored.js';
import { temporaryDatabase } from '../../store/temporary.js';
import { allEntries } from '../home/upgrade.js';
import { type Head, readRow } from '../../journal/reader.js';

export interface VerifyHomeOptions {
  readonly deep: boolean;
  readonly against?: string | undefined;
  readonly expectHead?: string | undefined;
  /** Number of worker threads; by default as many as the machine runs at once. */
  readonly threads?: number | undefined;
  readonly onProgress?: (verified: number, total: number) => void;
  /** Returns the first entry, or approval, that the key alone does not vouch for: asked when `deep`. */
  readonly beyondKey?: (home: Home) => Promise<Refusal | null>;
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

type Failure = VerifyReport['failure'];
const integrity = (detail: string, sequence: number | null = null): Failure => ({ code: 'integrity', sequence, detail });
const asFailure = (refusal: Refusal | null): Failure =>
  refusal === null ? null : { code: refusal.code, sequence: null, detail: refusal.detail };

/** Names the command that repairs it as well. */
const asRepairable = (refusal: Refusal | null): Failure =>
  asFailure(refusal?.hint === undefined ? refusal : { ...refusal, detail: `${refusal.detail}; run: ${refusal.hint}` });

/**
 * Verifies the journal and reads only: a journal that fails is left unchanged.
 * @throws RefusalError when SQLite itself cannot read the file, or write its temporary ones
 */
export async function verifyHome(home: Home, options: VerifyHomeOptions): Promise<VerifyReport> {
  try {
    return await verifyAll(home, options);
  } catch (error) {
    throw isFull(error) ? new RefusalError(temporaryFull) : storageError(error, 'journal.sqlite3');
  }
}

/** Nothing is written but temporary files: what would take too much memory. */
const temporaryFull: Refusal = {
  code: 'storage_full',
  detail: 'no space left on the disk for the temporary files of the verification',
  hint: 'set TMPDIR to a directory with as much free space as the journal takes, and repeat the command',
};

async function verifyAll(home: Home, options: VerifyHomeOptions): Promise<VerifyReport> {
  const began = performance.now();
  const expected = options.expectHead === undefined ? null : parseHead(options.expectHead);
  const given = options.against === undefined ? null : readAgainst(home, options.against);
  const report = await verifyEntries(home, options);
  const [unknown] = report.unknown.first;
  if (unknown !== undefined && home.newer === null && report.failure === null)
    throw newerVersion(`entry ${unknown} was written by a newer version`, { sequence: unknown });
  const damage =
    fromJournal(report) ??
    asRepairable(home.faults.schema) ??
    (home.newer === null ? checkTables(home, options) : null) ??
    asFailure(home.faults.head) ??
    asFailure(home.faults.entries) ??
    asRepairable(home.faults.tables) ??
    asRepairable(home.damage.found()[0] ?? null);
  remember(home, damage);
  const failure =
    asFailure(given === null ? null : contradiction(home.db, report.head, home.signer.publicKey, given)) ??
    (toleratedRollback(home) === null ? asFailure(home.faults.witness) : null) ??
    damage ??
    (options.deep && home.newer === null ? asFailure((await options.beyondKey?.(home)) ?? null) : null) ??
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
          newer: { version: home.newer.version, count: report.unknown.count, entries: report.unknown.first },
        }),
  };
}

/** Notes the outcome beside the witness file, for the commands that follow. */
function remember({ newer, isReference, unwritable, world, writer }: Home, damage: Failure): void {
  if (newer !== null || isReference || unwritable !== null) return;
  const place = { world, origin: writer.origin };
  if (damage === null) return rememberPass(place);
  const { detail, sequence } = damage;
  const table = detail.endsWith('run: agent-cli rebuild') ? { table: 'tables' } : {};
  rememberDamage(place, { code: 'integrity', detail, facts: { ...(sequence === null ? {} : { sequence }), ...table } });
}

function warningsOf({ newer, older, db }: Home, report: JournalReport): readonly string[] {
  const { count, first } = report.unknown;
  const notes = [...backwardsNote(report), ...signatureNote(report)];
  if (older !== null && recordedDdls(db) === null)
    return [
      ...notes,
      `the tables of version ${older} were not compared; the next command other than verify and doctor rebuilds them`,
    ];
  if (newer === null) return notes;
  const some = count > 10 ? `${first.slice(0, 10).join(', ')} and more` : first.join(', ');
  const verified = count === 0 ? [] : [`${count} entries were verified but could not be interpreted (${some})`];
  return [...notes, ...verified, 'the tables were not compared: a newer version wrote this home'];
}

const backwardsNote = ({ timesBackwards }: JournalReport): readonly string[] =>
  timesBackwards === 0
    ? []
    : [`the clock went back ${timesBackwards === 1 ? 'once' : `${timesBackwards} times`}; only the sequence gives the order`];

/** A valid signature that this key does not make shows that another program has signed with it. */
function signatureNote({ otherSignatures }: JournalReport): readonly string[] {
  const { count, first: listed } = otherSignatures;
  const [first] = listed;
  if (first === undefined) return [];
  const entries = count === 1 ? `the signature of entry ${first} is` : `the signatures of ${count} entries are`;
  return [
    `${entries} valid, but not as this program makes them with identity.key${count === 1 ? '' : `; the first is entry ${first}`}`,
  ];
}

async function verifyEntries(
  home: Home,
  { deep, onProgress, threads = os.availableParallelism() }: VerifyHomeOptions,
): Promise<JournalReport> {
  const options = { deep, ...(onProgress === undefined ? {} : { onProgress }) };
  const { publicKey } = home.signer;
  if (home.newer !== null) return verifyOpened(home.db, publicKey, { ...options, interpret: true, checkpoints: 'any' });
  if (home.isReference) return verifyOpened(home.db, publicKey, { ...options, checkpoints: 'absent' });
  // With its key the home's own signatures are made again, which takes a third of the time of verifying them.
  const seed = deep ? readSeed(home.paths) : null;
  try {
    return await verifyJournal(home.db.name, publicKey, { ...options, threads, ...(seed === null ? {} : { seed }) });
  } finally {
    seed?.fill(0);
  }
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

const fromJournal = ({ failure }: JournalReport): Failure =>
  failure === null
    ? null
    : integrity(failure.sequence === 0 ? failure.detail : `entry ${failure.sequence}: ${failure.detail}`, failure.sequence);

function checkTables(home: Home, { deep }: VerifyHomeOptions): Failure {
  // Unless an older version wrote it, the schema was compared when the home was opened. An older one may have fewer projections.
  const ddls = home.older === null ? null : recordedDdls(home.db);
  const foreign = ddls === null ? null : foreignObject(home.db, ddls);
  if (foreign !== null) return integrity(`the database's schema differs from what agent-cli creates: ${foreign}`);
  const cosignature = cosignatureFault(home.db);
  if (cosignature !== null) return integrity(cosignature.detail, cosignature.size);
  const check = deep ? home.db.pragma('integrity_check', { simple: true }) : 'ok';
  if (check !== 'ok') return integrity(`SQLite finds the file damaged: ${String(check)}`);
  return checkState(home, deep);
}

/** Compares the snapshot, the rows and their indexes with the entries; where no snapshot is stored, and when `deep`, every table with a rebuild. */
function checkState({ db, signer, older, isReference }: Home, deep: boolean): Failure {
  if (isReference || (older !== null && recordedDdls(db) === null)) return null;
  return db.transaction(() => {
    const fault = snapshotFault({ db, publicKey: signer.publicKey, schema, deep });
    if (fault !== null && fault !== 'absent') return integrity(`${fault.detail}; run: agent-cli rebuild`, fault.sequence);
    const difference = indexDifference(db) ?? (deep || fault === 'absent' ? projectionDifference(db) : null);
    return difference === null ? null : integrity(difference);
  })();
}

/** Reads a checkpoint from a file that contains one, or from an export. */
function readAgainst(home: Home, file: string): Parameters<typeof contradiction>[3] {
  const text = readInputText(file, export_bytes_max);
  const note = text.startsWith('{') ? noteOfExport(text) : text;
  const checkpoint = note === null ? null : openCheckpoint(note, home.signer.publicKey);
  if (checkpoint !== null) return checkpoint;
  throw new RefusalError('verification_failed', `${file} holds no checkpoint that this home's key signed`);
}

function noteOfExport(text: string): string | null {
  const json = parseJson(text, { bigIntegers: 'round' });
  const document = isRefused(json) ? json : decode(exportCodec, json.right);
  return isRefused(document) ? null : (readProof(document.right.proof ?? '')?.checkpoint.note ?? null);
}

// Compares the tables of the projections with what the entries say.

/** Returns the first table of a projection that the journal has, which differs from a rebuild in a temporary database, row by row, or null. */
export function projectionDifference(db: Db): string | null {
  const rebuilt = temporaryDatabase();
  try {
    rebuilt.exec('CREATE TABLE projection(name TEXT PRIMARY KEY, version INTEGER NOT NULL, behind INTEGER NOT NULL) STRICT');
    rebuilt.exec('BEGIN');
    rebuildProjections(rebuilt, allEntries(db));
    // A home of an older version may lack projections; whether one of this version does was checked when it was opened.
    const recorded = new Set(projectionRows(db).map(({ name }) => name));
    const forget = rebuilt.prepare<[string]>('DELETE FROM projection WHERE name = ?');
    for (const { name } of projectors) if (!recorded.has(name)) forget.run(name);
    const compared = projectors
      .filter((projector) => projector !== snapshotTables && recorded.has(projector.name))
      .flatMap(({ tables }) => tables);
    for (const table of [...compared, 'projection']) {
      const fault = compareTable(db, rebuilt, table);
      if (fault !== null) return fault;
    }
    return null;
  } finally {
    rebuilt.close();
  }
}

/**
 * Returns the first table of a projection whose index does not lead to exactly its rows, or null. Who looks for a row by that index would miss it,
 * while a comparison of every row sees nothing of it.
 */
function indexDifference(db: Db): string | null {
  for (const table of projectors.flatMap(({ tables }) => tables)) {
    const hasIndex = db
      .prepare<[string], unknown>("SELECT 1 FROM sqlite_master WHERE type = 'index' AND tbl_name = ?")
      .get(table);
    if (hasIndex === undefined) continue;
    const message = db.prepare<[], string>(`PRAGMA integrity_check('${table}')`).pluck().get();
    if (message !== 'ok') return `an index of table ${table} does not lead to its rows; run: agent-cli rebuild`;
  }
  return null;
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

// The head that a journal is expected to hold: what `doctor` printed earlier, or elsewhere.

export type ExpectedHead = Readonly<ReturnType<typeof parseHead>>;

/** Reads `size:first-16-hex` or the 64 hex of a hash. @throws RefusalError `invalid` for anything else */
export function parseHead(text: string) {
  const short = /^([1-9][0-9]{0,15}):([0-9a-f]{16,64})$/.exec(text);
  if (short !== null) return { size: Number(short[1]), hash: short[2] ?? '' };
  if (/^[0-9a-f]{64}$/.test(text)) return { size: null, hash: text };
  throw new RefusalError(invalid('expect-head', 'must be 64 hexadecimal digits, or events:first-16-hex as doctor prints it'));
}

/** Returns null if the journal has that head, as its newest entry or as an earlier one that it has grown from. */
export function checkHeadOf(db: Db, head: Head, expected: ExpectedHead): VerifyReport['failure'] {
  const found =
    expected.size === null
      ? db.prepare<[string], { seq: number }>('SELECT seq FROM events NOT INDEXED WHERE hash = ?').get(expected.hash) !==
        undefined
      : readRow(db, expected.size)?.hash.startsWith(expected.hash) === true;
  if (found) return null;
  const isOlder = expected.size !== null && expected.size > head.size;
  const detail = isOlder
    ? `the journal ends at entry ${head.size}; the expected head has ${expected.size}`
    : 'the expected head is not an entry of this journal';
  return { code: isOlder ? 'rollback' : 'fork', sequence: null, detail };
}
