/** One change to a home, and what the generators know of the homes that they make changes for. */
import { join } from 'node:path';
import type { Db } from '../../src/store/database.js';
import { alterRows, onFile, setValue, type Key, type Value } from './alter.js';
import type { GroupName } from './groups.js';
import type { HomeName } from './homes.js';
import type { ProbeName } from './probes.js';

/** A copy of a home that is to be altered. */
export interface Place {
  readonly home: string;
  readonly witness: string;
  readonly journal: string;
}

export interface Change {
  /** Names the change; its random choices depend on the name alone. */
  readonly name: string;
  readonly group: GroupName;
  /** What is done, without the place: the fixed selection takes some of each kind. */
  readonly kind: string;
  /** The home that is altered; the main one by default. */
  readonly of?: HomeName;
  /** The home that the altered one must behave like, when nothing finds the change. */
  readonly like?: HomeName;
  /** Columns that are altered, as `table.column`. */
  readonly alters?: readonly string[];
  /** Commands that show or read what is altered, and so refuse it. */
  readonly shownBy?: readonly ProbeName[];
  /** A command that removes what is altered, as it is meant to: then `verify --deep` passes. */
  readonly removedBy?: ProbeName;
  readonly apply: (place: Place) => void;
}

export interface Homes {
  readonly root: string;
  readonly at: (name: HomeName) => Place;
  /** The database of the main home, for reading. */
  readonly db: Db;
}

export const placeIn = (folder: string): Place => ({
  home: join(folder, 'home'),
  witness: join(folder, 'witness'),
  journal: join(folder, 'home', 'journal.sqlite3'),
});

type Named = Pick<Change, 'group' | 'kind'> &
  Pick<Partial<Change>, 'of' | 'like' | 'alters' | 'shownBy' | 'removedBy'> & {
    /** Tells changes of one kind apart. */
    readonly where?: string;
  };

/** Returns a change whose name says all that is known of it. */
export const change = ({ where = '', ...named }: Named, apply: Change['apply']): Change => ({
  ...named,
  kind: `${named.group}: ${named.kind}`,
  name: `${named.group}: ${named.kind}${where === '' ? '' : `, ${where}`}`,
  apply,
});

/** Returns a change of rows; triggers and constraints are as before afterwards. */
export const ofRows = (named: Named, alter: (db: Db) => void): Change =>
  change(named, ({ journal }) => alterRows(journal, alter));

interface Cell {
  readonly table: string;
  readonly key: Key;
  readonly column: string;
  readonly value: Value;
}

export const ofCell = (named: Named, { table, key, column, value }: Cell): Change =>
  ofRows({ ...named, alters: [`${table}.${column}`] }, (db) => setValue(db, table, key, column, value));

/** Returns a change of the database as its owner may make it by SQL, also of its schema. */
export const bySql = (named: Named, alter: (db: Db) => void): Change => change(named, ({ journal }) => onFile(journal, alter));

export const valueAt = (db: Db, sql: string, ...values: readonly Value[]): Value =>
  db
    .prepare<Value[], Value>(sql)
    .pluck()
    .get(...values) ?? null;
