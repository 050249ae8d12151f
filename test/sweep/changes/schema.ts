/** Changes of the schema, and of what SQLite keeps beside the rows. */
import type { Db } from '../../../src/store/database.js';
import { inMemory, setSql } from '../alter.js';
import { bySql, type Change, type Homes } from '../change.js';

interface SchemaObject {
  readonly type: 'table' | 'index' | 'trigger' | 'view';
  readonly name: string;
  readonly tbl_name: string;
  readonly sql: string | null;
}

const group = 'schema altered';
const projected = ['control', 'invoice', 'mission', 'receipt', 'simulation', 'token', 'tool', 'wallet', 'witness', 'worker'];

const run =
  (sql: string) =>
  (db: Db): void =>
    void db.exec(sql);

/** The definition with something in it that SQLite takes for granted, or that changes what it means. */
function altered({ type, sql }: SchemaObject): string {
  if (type === 'trigger') return (sql ?? '').replace('BEGIN SELECT', 'BEGIN SELECT 1; SELECT');
  return type === 'index'
    ? `${sql} /* other */`
    : (sql ?? '').replace(' NOT NULL', ' NOT  NULL').replace('(id INTEGER', '(id  INTEGER');
}

function objectChanges(object: SchemaObject): readonly Change[] {
  const { type, name, tbl_name, sql } = object;
  if (sql === null) return [];
  const where = `${type} ${name}`;
  const isOfProjection = projected.includes(tbl_name) && type !== 'trigger';
  const dropped = isOfProjection ? 'projection dropped' : group;
  const rewritten = altered(object) === sql ? `${sql} ` : altered(object);
  return [
    // Without the table there is nothing that the other tables could be derived from.
    bySql({ group: dropped, kind: `${type} dropped`, where }, run(`DROP ${type} ${name}`)),
    bySql({ group, kind: `${type} rewritten`, where }, (db) => setSql(db, name, rewritten)),
    ...(type === 'table'
      ? [
          bySql({ group, kind: 'table renamed', where }, run(`ALTER TABLE ${name} RENAME TO ${name}_old`)),
          bySql({ group, kind: 'column added', where }, run(`ALTER TABLE ${name} ADD COLUMN more TEXT`)),
          bySql({ group, kind: 'constraints removed', where }, (db) =>
            setSql(db, name, sql.replace(/\) STRICT/, ')').replaceAll(' NOT NULL', '')),
          ),
          bySql({ group, kind: 'trigger added', where }, run(`CREATE TRIGGER quiet AFTER INSERT ON ${name} BEGIN SELECT 1; END`)),
          bySql({ group, kind: 'table replaced by a view', where }, (db) => {
            db.pragma('legacy_alter_table = ON');
            db.exec(`ALTER TABLE ${name} RENAME TO ${name}_old; CREATE VIEW ${name} AS SELECT * FROM ${name}_old`);
          }),
        ]
      : []),
    ...(type === 'index'
      ? [
          bySql({ group, kind: 'index made partial', where }, (db) => {
            setSql(db, name, `${sql.replace(/ WHERE .*/, '')} WHERE 0`);
            db.exec(`REINDEX ${name}`);
          }),
        ]
      : []),
  ];
}

const additions = {
  'a view': 'CREATE VIEW shadow AS SELECT * FROM events',
  'an index': 'CREATE INDEX more ON events(hash)',
  'a unique index': 'CREATE UNIQUE INDEX more ON events(hash)',
  'a partial index': 'CREATE INDEX more ON events(mission, seq) WHERE seq < 100',
  'an index on an expression': 'CREATE INDEX more ON events(length(body))',
  'a table': 'CREATE TABLE more(a)',
  'a table with the name of a journal': 'CREATE TABLE Events_2(seq, mission, body, hash, signature)',
  'a table whose name resembles those of SQLite': 'CREATE TABLE sqlitex_stat1(a)',
  'a virtual table': 'CREATE VIRTUAL TABLE words USING fts5(body)',
  'a trigger that deletes': 'CREATE TRIGGER quiet AFTER INSERT ON events BEGIN DELETE FROM mission; END',
  'a trigger that hides':
    "CREATE TRIGGER hush BEFORE INSERT ON mission WHEN NEW.goal GLOB 'secret*' BEGIN SELECT RAISE(IGNORE); END",
} as const;

/** Objects whose names or types only writable_schema allows. */
const smuggled: Readonly<Record<string, string>> = {
  'a trigger with a name of SQLite': `INSERT INTO sqlite_master VALUES ('trigger', 'sqlite_more', 'events', 0,
     'CREATE TRIGGER sqlite_more AFTER INSERT ON events BEGIN SELECT 1; END')`,
  'a second row for a table': "INSERT INTO sqlite_master SELECT * FROM sqlite_master WHERE name = 'blob'",
  'a view with the name of statistics': `INSERT INTO sqlite_master VALUES ('view', 'sqlite_stat1', 'sqlite_stat1', 0,
     'CREATE VIEW sqlite_stat1 AS SELECT 1')`,
};

/** Gives an index the rows of another one; its name and its definition stay. */
export function exchangeRows(db: Db, { name, tbl_name }: Pick<SchemaObject, 'name' | 'tbl_name'>, condition: string): void {
  const columns = db.prepare<[string], string>('SELECT name FROM pragma_index_info(?)').pluck().all(name).join();
  db.exec(`CREATE INDEX other ON ${tbl_name}(${columns})${condition}`);
  const rootOf = db.prepare<[string], number>('SELECT rootpage FROM sqlite_master WHERE name = ?').pluck();
  const [own, others] = [rootOf.get(name), rootOf.get('other')];
  db.pragma('writable_schema = ON');
  const setRoot = db.prepare('UPDATE sqlite_master SET rootpage = ? WHERE name = ?');
  setRoot.run(others, name);
  setRoot.run(own, 'other');
  db.pragma('writable_schema = RESET');
  db.exec('DROP INDEX other');
}

const signed = ['events', 'blob'];

/** Makes every query that uses the index miss a row. */
function indexChanges(db: Db, index: SchemaObject): readonly Change[] {
  const { name, tbl_name, sql } = index;
  const isOfProjection = projected.includes(tbl_name);
  if (!isOfProjection && !signed.includes(tbl_name)) return [];
  const scope = / WHERE (.*)/.exec(sql ?? '')?.[1] ?? 'true';
  const rows = db.prepare<[], number>(`SELECT rowid FROM ${tbl_name} WHERE ${scope} ORDER BY rowid`).pluck().all();
  const chosen = isOfProjection ? [rows.at(-1)] : [rows[0], rows[Math.floor(rows.length / 2)], rows.at(-1)];
  const group = isOfProjection ? 'row hidden' : 'entry hidden';
  return [...new Set(chosen)].map((row) =>
    bySql({ group, kind: tbl_name, where: `row ${row} of ${name}` }, (db) =>
      exchangeRows(db, index, ` WHERE (${scope}) AND rowid <> ${row}`),
    ),
  );
}

const layouts: Readonly<Record<string, (db: Db) => void>> = {
  VACUUM: run('VACUUM'),
  ANALYZE: run('ANALYZE'),
  'a page size of 8192': run('PRAGMA journal_mode = DELETE; PRAGMA page_size = 8192; VACUUM; PRAGMA journal_mode = WAL'),
  'automatic vacuum': run('PRAGMA journal_mode = DELETE; PRAGMA auto_vacuum = FULL; VACUUM; PRAGMA journal_mode = WAL'),
  'a rollback journal': run('PRAGMA journal_mode = DELETE'),
  'user_version and application_id': run('PRAGMA user_version = 7; PRAGMA application_id = 7'),
  'freed pages': run('CREATE TABLE more AS SELECT body FROM events; DROP TABLE more'),
  REINDEX: run('REINDEX'),
};

export function schemaChanges({ db }: Homes): readonly Change[] {
  const objects = db.prepare<[], SchemaObject>('SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name').all();
  return [
    ...objects.flatMap(objectChanges),
    ...Object.entries(additions).map(([kind, sql]) => bySql({ group, kind: `${kind} added` }, run(sql))),
    ...Object.entries(smuggled).map(([kind, sql]) =>
      bySql({ group, kind: `${kind} added` }, (db) => {
        db.pragma('writable_schema = ON');
        db.exec(sql);
      }),
    ),
    ...objects.filter(({ type }) => type === 'index').flatMap((index) => indexChanges(db, index)),
    ...Object.entries(layouts).map(([kind, alter]) => bySql({ group: 'file layout', kind }, alter)),
  ];
}

/** Whether every row can be read without an index, and is as in the other file. */
export function sameRows(file: string, other: string): boolean {
  try {
    return dump(file) === dump(other);
  } catch {
    // Unreadable: not the same.
    return false;
  }
}

const dump = (file: string): string =>
  inMemory(file, (db) => {
    const objects = db.prepare<[], SchemaObject>('SELECT type, name, sql FROM sqlite_master ORDER BY type, name').all();
    const rows = objects
      .filter(({ type }) => type === 'table')
      .map(({ name }) => db.prepare(`SELECT * FROM ${name} NOT INDEXED`).raw().all());
    return JSON.stringify([objects, rows]);
  });
