/** All tables, and those of one stream: what the entries of a stream make in each of its tables is one state to the snapshot. */
import { canonicalJson, canonicalOrNull } from '../base/canonical-json.js';
import { sha256 } from '../base/bytes.js';
import type { Entry } from '../codec/entry.js';
import type { Db } from '../store/database.js';
import type { Row, Table } from './table.js';

/** The code of streams that have no table. */
export const other_code = 'other';

/** A code or a group as the snapshot names it: those of two tables differ. */
export const nameIn = ({ name }: Table, code: string): string => `${name}:${code}`;

/** The tables, and the numbers of their codes. */
export class Schema {
  readonly codes: readonly string[];
  /** SHA-256 of everything on which the bytes of a snapshot depend besides the entries. */
  readonly digest: Buffer;
  private readonly numbers: ReadonlyMap<string, number>;
  private readonly none = new StreamTables(this, []);
  private readonly some: readonly StreamTables[];

  constructor(readonly tables: readonly Table[]) {
    this.codes = [other_code, ...tables.flatMap((table) => table.codes.map((code) => nameIn(table, code)))];
    this.numbers = new Map(this.codes.map((code, i) => [code, i]));
    this.digest = sha256(canonicalJson([this.codes, tables.map(({ name, version }) => [name, version])]));
    const prefixes = [...new Set(tables.map(({ stream }) => stream.prefix))];
    this.some = prefixes.map(
      (prefix) =>
        new StreamTables(
          this,
          tables.filter(({ stream }) => stream.prefix === prefix),
        ),
    );
  }

  /** The number of a table's code; -1 when no state has it. */
  numberOf(table: Table, code: string): number {
    return this.numbers.get(nameIn(table, code)) ?? -1;
  }

  /** The tables in which a stream has rows: those that are declared for its name. */
  of(stream: string): StreamTables {
    return this.some.find(({ all }) => all[0]?.stream.idOf(stream) !== null) ?? this.none;
  }
}

/** The rows of one stream in its tables, in the order of its tables. */
export type TableRows = readonly (readonly Row[])[];

/** The states of one stream in its tables, in their order; null where it has none. */
export type StreamStates = readonly unknown[];

/** The tables of a stream, and of every other one with names of the same kind. */
export class StreamTables {
  /** The states before the first entry. */
  readonly initial: StreamStates;

  constructor(
    private readonly schema: Schema,
    readonly all: readonly Table[],
  ) {
    this.initial = all.map(() => null);
  }

  after(states: StreamStates, entry: Entry): StreamStates {
    return this.all.map((table, i) => table.after(states[i], entry));
  }

  stateIn<State>(table: Table<State>, states: StreamStates): State | null {
    // The table itself returned it.
    return (states[this.all.findIndex(({ name }) => name === table.name)] ?? null) as State | null;
  }

  /** The number of the code that the stream has: that of its first table with a state. */
  codeOf(states: StreamStates): number {
    const i = states.findIndex((state) => state !== null);
    const table = this.all[i];
    return table === undefined ? 0 : this.schema.numberOf(table, table.codeOf(states[i]));
  }

  groupsOf(states: StreamStates): readonly string[] {
    const namesIn = (table: Table, state: unknown): string[] => table.groupsOf(state).map((group) => nameIn(table, group));
    return this.all.flatMap((table, i) => (states[i] === null ? [] : namesIn(table, states[i])));
  }

  rowsOf(states: StreamStates): TableRows {
    return this.all.map((table, i) => (states[i] === null ? [] : table.rowsOf(states[i])));
  }

  /** Reads the rows as they are stored, which anybody may have altered. @throws RefusalError `integrity` when a table cannot be read */
  storedRows(db: Db, stream: string): TableRows {
    return this.all.map((table) => table.storedRows(db, table.stream.idOf(stream) ?? ''));
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
    const byTable = this.all.map(({ name }, i) => [name, rows[i] ?? []] as const);
    return Object.fromEntries(byTable.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** Returns the rows of a text that `textOf` made. */
  rowsIn(text: string): TableRows {
    const rows = JSON.parse(text) as Readonly<Record<string, readonly Row[]>>;
    return this.all.map(({ name }) => rows[name] ?? []);
  }

  /** Returns the states that rows hold, which were compared with their digest. */
  statesIn(rows: TableRows): StreamStates {
    return this.all.map((table, i) => table.stateOf(rows[i] ?? []));
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
