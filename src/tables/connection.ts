/**
 * What is known of a connection to a journal: the key that signs its entries, whether damage is tolerated, and the rows that were
 * compared with their streams. A row that has not changed since, on a stream that has no newer entry, is not compared again.
 */
import type { Statement } from 'better-sqlite3';
import type { Entry } from '../codec/entry.js';
import type { Event } from '../codec/event.js';
import { readHead } from '../journal/reader.js';
import type { Row, Table } from './table.js';
import type { Db } from '../store/database.js';
import { refusingDamage, type Damage } from './damage.js';

/** Rows of a table that a connection remembers as compared. */
const rows_known_max = 1_024;
/** Entries of a journal whose streams a command visits to find rows that are missing or too many. */
const all_rows_entries_max = 10_000;

/** A state that was computed from signed entries, and the rows that hold it. */
export interface Known<State> {
  readonly state: State | null;
  readonly rows: readonly Row[];
  /** Sequence of the stream's newest entry; 0 when it has none. */
  readonly last: number;
  /** Whether the stream has entries after that one. */
  isStale: boolean;
  /** Those entries, when this connection appended all of them; null when they have to be read. */
  added: Entry[] | null;
}

/** A table whatever its state, as a key. */
type AnyTable = Pick<Table<never, Event>, 'name'> & { readonly stream: { readonly idOf: (name: string) => string | null } };

interface Remembered<State, A extends Event> extends Table<State, A> {
  /** The number of its rows that are remembered. */
  readonly known_max?: number;
}

/** More new entries than this are not followed one by one. */
const new_entries_max = 1_000;

export class Connection {
  publicKey: Buffer | null = null;
  damage: Damage = refusingDamage;
  private readonly statements = new Map<string, Statement<unknown[], Row>>();
  private readonly tables = new Map<AnyTable, Map<string, Known<unknown>>>();
  private readonly inSnapshot: <A>(read: () => A) => A;
  /** Changes when another connection commits. */
  private readonly version: Statement<[], unknown>;
  private readonly newest: Statement<[], unknown>;
  private seen: unknown = null;
  /** The newest entry when new ones were marked last. */
  private head = { seq: 0, hash: '' };
  /** Whether the snapshot in which this is read has been looked at: nothing changes until it ends. */
  private isFresh = false;

  constructor(private readonly db: Db) {
    this.version = db.prepare<[], unknown>('PRAGMA data_version').pluck();
    this.newest = db.prepare<[], unknown>('SELECT hash FROM events WHERE seq = (SELECT max(seq) FROM events)').pluck();
    this.inSnapshot = db.transaction((read: () => unknown) => read()) as <A>(read: () => A) => A;
  }

  /** Returns what `read` returns, which sees one state of the database: rows and entries of the same moment. It must not write. */
  snapshot<A>(read: () => A): A {
    if (this.isFresh) return read();
    const current = (): A => {
      this.refresh();
      this.isFresh = true;
      try {
        return read();
      } finally {
        this.isFresh = false;
      }
    };
    return this.db.inTransaction ? current() : this.inSnapshot(current);
  }

  /** Returns a statement whose rows are arrays, prepared once. */
  statement(sql: string): Statement<unknown[], Row> {
    const known = this.statements.get(sql) ?? this.db.prepare<unknown[], Row>(sql).raw();
    this.statements.set(sql, known);
    return known;
  }

  knownOf<State, A extends Event>(table: Table<State, A>, id: string): Known<State> | undefined {
    // A table's map holds only states of that table.
    return this.tables.get(table)?.get(id) as Known<State> | undefined;
  }

  keep<State, A extends Event>(table: Remembered<State, A>, id: string, known: Known<State>): void {
    const all = this.tables.get(table) ?? new Map<string, Known<unknown>>();
    this.tables.set(table, all);
    all.delete(id);
    all.set(id, known);
    const [oldest] = all.keys();
    if (all.size > (table.known_max ?? rows_known_max) && oldest !== undefined) all.delete(oldest);
  }

  forget<State, A extends Event>(table: Table<State, A>, id: string): void {
    this.tables.get(table)?.delete(id);
  }

  /** Marks the stream of an entry that this connection appends. Another one's entry between the two is found by `refresh`. */
  appended(entry: Entry): void {
    if (entry.previous !== this.head.hash) return;
    for (const known of this.knownOn(entry.stream)) {
      if (!known.isStale) known.added = [];
      known.isStale = true;
      known.added?.push(entry);
    }
    this.head = { seq: entry.sequence, hash: entry.hash };
  }

  private *knownOn(stream: string): Generator<Known<unknown>> {
    for (const [table, known] of this.tables) {
      const id = table.stream.idOf(stream);
      const one = id === null ? undefined : known.get(id);
      if (one !== undefined) yield one;
    }
  }

  /**
   * Marks the streams of new entries. Everything is forgotten after a commit of another connection, which may have altered entries
   * too, and after an undone transaction, whose entries may have been others.
   */
  private refresh(): void {
    const version = this.version.get();
    if (version !== this.seen) return this.restart(version);
    if (this.newest.get() === this.head.hash) return;
    const rows = this.statement(since).all(this.head.seq, new_entries_max);
    const [first, ...added] = rows;
    if (first === undefined || rows.length === new_entries_max || first[1] !== this.head.hash) return this.restart(version);
    for (const [seq, hash, name] of added) {
      for (const known of this.knownOn(String(name))) {
        known.isStale = true;
        known.added = null;
      }
      this.head = { seq: Number(seq), hash: String(hash) };
    }
  }

  private restart(version: unknown): void {
    this.tables.clear();
    const { size: seq, hash } = readHead(this.db);
    this.head = { seq, hash };
    this.seen = version;
  }
}

const since = 'SELECT seq, hash, mission FROM events WHERE seq >= ? ORDER BY seq LIMIT ?';

const connections = new WeakMap<Db, Connection>();

export function connectionOf(db: Db): Connection {
  const known = connections.get(db) ?? new Connection(db);
  connections.set(db, known);
  return known;
}

/** Returns whether damage was found and is tolerated: then only the signed entries say what a table should hold. */
export const isDamaged = (db: Db): boolean => connectionOf(db).damage.found().length > 0;

/** Returns whether the journal is so small that all of its streams may be visited. */
export const isSmall = (db: Db): boolean => readHead(db).size <= all_rows_entries_max;
