/**
 * What the snapshot must know of a table: how a stream's entries make its rows, which code a state has, and under which groups it can be found.
 * The tables declare it (src/tables); here their states are opaque.
 */
import { canonicalJson, canonicalOrNull } from '../base/canonical-json.js';
import { sha256 } from '../base/hash.js';
import { Recent } from '../base/recent.js';
import type { Entry } from '../codec/entry.js';
import type { Db } from '../store/database.js';

type Row = readonly (string | number | null)[];

export interface Family {
  /** The name of the table. */
  readonly table: string;
  /** Raised when the rows of a state become others. */
  readonly version: number;
  /** Returns the id of the thing whose stream has this name; null for a stream of another table. */
  readonly idOf: (stream: string) => string | null;
  /** Returns the state after an entry; the same when the entry changes nothing. The state before the first entry is null. */
  readonly evolve: (state: unknown, entry: Entry) => unknown;
  readonly rowsOf: (state: unknown) => readonly Row[];
  readonly stateOf: (rows: readonly Row[]) => unknown;
  /** Reads the stored rows, which anybody may have altered. */
  readonly read: (db: Db, id: string) => readonly Row[];
  /** The codes that states can have. */
  readonly codes: readonly string[];
  readonly codeOf: (state: unknown) => string;
  /** The groups to which a state belongs. A thing never leaves a group: what it was found by can still find it. */
  readonly groupsOf: (state: unknown) => readonly string[];
}

/** A stream that has no table. */
export const other_code = 'other';

/** Streams whose tables are remembered. */
const streams_known_max = 4_096;

/** The tables, and the numbers of their codes. */
export class Families {
  readonly codes: readonly string[];
  /** SHA-256 of everything on which the bytes of a snapshot depend besides the entries. */
  readonly digest: Buffer;
  private readonly numbers: ReadonlyMap<string, number>;
  private readonly known = new Recent<string, StreamTables>(streams_known_max);

  constructor(readonly all: readonly Family[]) {
    this.codes = [other_code, ...all.flatMap(({ codes }) => codes)];
    this.numbers = new Map(this.codes.map((code, i) => [code, i]));
    this.digest = sha256(canonicalJson([this.codes, all.map(({ table, version }) => [table, version])]));
  }

  /** The number of a code; -1 when no state has it. */
  numberOf(code: string): number {
    return this.numbers.get(code) ?? -1;
  }

  /** The tables in which a stream has rows. */
  of(stream: string): StreamTables {
    const known = this.known.get(stream);
    if (known !== undefined) return known;
    const tables = this.all.flatMap((family) => {
      const id = family.idOf(stream);
      return id === null ? [] : [{ family, id }];
    });
    const made = new StreamTables(this, stream, tables);
    this.known.set(stream, made);
    return made;
  }
}

/** The rows of one stream in its tables, in the order of its tables. */
export type TableRows = readonly (readonly Row[])[];

/** The states of one stream in its tables, in their order. */
export interface StreamStates {
  readonly states: readonly unknown[];
}

/** The tables of one stream. */
export class StreamTables {
  readonly names: readonly string[];

  constructor(
    private readonly families: Families,
    readonly stream: string,
    private readonly tables: readonly { readonly family: Family; readonly id: string }[],
  ) {
    this.names = tables.map(({ family }) => family.table);
  }

  readonly initial: StreamStates = { states: [] };

  after({ states }: StreamStates, entry: Entry): StreamStates {
    return { states: this.tables.map(({ family }, i) => family.evolve(states[i] ?? null, entry)) };
  }

  /** The number of the code that the stream has: that of its first table with a state. */
  codeOf({ states }: StreamStates): number {
    const i = this.tables.findIndex((_, at) => (states[at] ?? null) !== null);
    const code = this.tables[i]?.family.codeOf(states[i]) ?? other_code;
    return this.families.numberOf(code);
  }

  groupsOf({ states }: StreamStates): readonly string[] {
    return this.tables.flatMap(({ family }, i) => ((states[i] ?? null) === null ? [] : family.groupsOf(states[i])));
  }

  rowsOf({ states }: StreamStates): TableRows {
    return this.tables.map(({ family }, i) => ((states[i] ?? null) === null ? [] : family.rowsOf(states[i])));
  }

  /** Reads the rows as they are stored, which anybody may have altered. */
  storedRows(db: Db): TableRows {
    return this.tables.map(({ family, id }) => family.read(db, id));
  }

  /** Whether rows, which anybody may have altered, are those of the states. */
  haveRows(states: StreamStates, rows: TableRows): boolean {
    return this.rowsOf(states).every((own, i) => {
      const stored = rows[i] ?? [];
      const isSame = (row: Row, at: number): boolean =>
        row.length === stored[at]?.length && row.every((value, column) => value === stored[at]?.[column]);
      return own.length === stored.length && own.every(isSame);
    });
  }

  /** Rows as canonical JSON, `{"table":[[value, …], …], …}`: of texts, numbers and null, the tables in order of their names, it is the plain one. */
  textOf(rows: TableRows): string {
    return JSON.stringify(this.byTable(rows));
  }

  /** Returns the text of stored rows; null when a value is of a type that no row has. */
  storedTextOf(rows: TableRows): string | null {
    return canonicalOrNull(this.byTable(rows));
  }

  private byTable(rows: TableRows): Readonly<Record<string, readonly Row[]>> {
    const byTable = this.tables.map(({ family }, i) => [family.table, rows[i] ?? []] as const);
    return Object.fromEntries(byTable.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** Returns the rows of a text that `textOf` made. */
  rowsIn(text: string): TableRows {
    const rows = JSON.parse(text) as Readonly<Record<string, readonly Row[]>>;
    return this.tables.map(({ family }) => rows[family.table] ?? []);
  }

  /** Returns the states that rows hold, which were compared with their digest. */
  statesIn(rows: TableRows): StreamStates {
    return { states: this.tables.map(({ family }, i) => ((rows[i] ?? []).length === 0 ? null : family.stateOf(rows[i] ?? []))) };
  }
}

/** The digest of a stream's rows as of the entry `position`. @param text canonical JSON of the rows */
export const rowDigest = (stream: string, position: number, text: string): Buffer =>
  sha256(`agent-state/row/1\n${stream}\0${position}\n${text}`);

const history_bytes = 32;
const history_use = 'agent-state/history/1\n';
/** The history of a stream before its first entry. */
export const no_history: Buffer = Buffer.alloc(history_bytes);

/** The chain of hashes over the stream's entries. @param hash of the entry, hexadecimal */
export const nextHistory = (before: Buffer, sequence: number, hash: string): Buffer => {
  const end = historyInput.write(`${sequence}\n${hash}\n`, history_use.length + history_bytes, 'latin1');
  before.copy(historyInput, history_use.length);
  return sha256(historyInput.subarray(0, history_use.length + history_bytes + end));
};

const historyInput = Buffer.alloc(256);
historyInput.write(history_use, 'latin1');
