/** Archives whose database has a schema of its own making: nothing of it ever runs. */
import { deepStrictEqual, match, ok, strictEqual } from 'node:assert';
import { mkdtempSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { sha256Hex } from '../../../src/base/hash.js';
import { atEffort } from '../../support/effort.js';
import { homeForEach, temporaryHome, type TemporaryHome } from '../../support/temporary-home.js';
import { altered, backup, grow, refusalOf, restore, withHome, worldBeside, type Alteration } from './archives.js';

const homes = homeForEach(() => {
  const home = temporaryHome();
  grow(home, 4);
  return home;
});

/** What a crafted schema tries; restoring must either refuse it or take the rows alone. */
const schemas: readonly (readonly [string, string, RegExp | null])[] = [
  ['a trigger on events', 'CREATE TRIGGER t AFTER INSERT ON events BEGIN DELETE FROM events; END', null],
  ['a view of another name', "CREATE VIEW v AS SELECT load_extension('/tmp/x')", null],
  ['an index on an expression', 'CREATE INDEX i ON events(abs(seq), hex(body))', null],
  ['a second table', 'CREATE TABLE mission(id TEXT PRIMARY KEY, state TEXT)', null],
  [
    'events as a view',
    'ALTER TABLE events RENAME TO e; CREATE VIEW events AS SELECT * FROM e',
    /^journal\.sqlite3 has no plain table events$/,
  ],
  ['a generated column', 'ALTER TABLE events ADD COLUMN extra TEXT AS (hex(zeroblob(100000000)))', null],
  [
    'events with a generated body',
    `ALTER TABLE events RENAME TO e; CREATE TABLE events(seq INTEGER PRIMARY KEY, mission, hash, signature, body TEXT AS (hex(zeroblob(400000000))))`,
    /^the archive holds no entry$/,
  ],
  ['a column that no row has', 'ALTER TABLE events ADD COLUMN extra TEXT', null],
  [
    'a column that a row has',
    'ALTER TABLE events ADD COLUMN extra TEXT; UPDATE events SET extra = 1 WHERE seq = 2',
    /^journal\.sqlite3 has a table events with other columns$/,
  ],
  [
    'a view whose name differs in case, which SQLite takes for the table',
    `PRAGMA writable_schema = ON;
     INSERT INTO sqlite_master SELECT type, name, tbl_name, rootpage, '' FROM sqlite_master WHERE name = 'events';
     UPDATE sqlite_master SET type = 'view', name = 'Events', tbl_name = 'Events', rootpage = 0,
       sql = 'CREATE VIEW Events AS SELECT 1 AS seq, 2 AS mission, 3 AS body, 4 AS hash, 5 AS signature'
     WHERE rowid = (SELECT min(rowid) FROM sqlite_master WHERE name = 'events')`,
    null,
  ],
  [
    'two tables of one name',
    "PRAGMA writable_schema = ON; INSERT INTO sqlite_master SELECT * FROM sqlite_master WHERE name = 'events'",
    /^journal\.sqlite3 is damaged: its schema holds two objects named events$/,
  ],
  [
    'a virtual table',
    'DROP TABLE blob; CREATE VIRTUAL TABLE blob USING fts5(hash, salt, bytes)',
    /^entry 1: blob [0-9a-f]{16} is missing$/,
  ],
  [
    'a value that is a blob',
    'ALTER TABLE events RENAME TO e; CREATE TABLE events(seq INTEGER PRIMARY KEY, mission, body, hash, signature); INSERT INTO events SELECT seq, mission, CAST(body AS BLOB), hash, signature FROM e',
    /a body in events that is not text/,
  ],
  [
    'a sequence that is a text',
    "ALTER TABLE events RENAME TO e; CREATE TABLE events(seq TEXT, mission, body, hash, signature); INSERT INTO events SELECT 'x' || seq, mission, body, hash, signature FROM e",
    /^journal\.sqlite3 holds a seq in events that is not its row number$/,
  ],
  [
    'an endless body',
    "UPDATE events SET body = printf('%.*c', 5000000, 'x') WHERE seq = 1",
    /^journal\.sqlite3 holds a value in events that is too long$/,
  ],
];

describe('restore: a hostile schema', () => {
  const restoredOf = async (home: TemporaryHome, sql: string): Promise<string> => {
    const { file } = await backup(home);
    const journal = (db: Database.Database): void => {
      db.unsafeMode();
      db.exec(sql);
    };
    return altered(file, join(home.root, 'altered.zip'), { journal });
  };
  for (const [title, sql, words] of schemas) {
    it(title, async () => {
      const home = homes.get();
      const file = await restoredOf(home, sql);
      const world = worldBeside(home);
      if (words !== null) {
        const { code, detail } = await refusalOf(world, file);
        match(detail, words);
        return strictEqual(code, 'integrity');
      }
      strictEqual((await restore(world, file)).restored.events, 5);
      const objects = (db: Database.Database): unknown =>
        db.prepare('SELECT type, name, sql FROM sqlite_master ORDER BY 1, 2').all();
      deepStrictEqual(
        withHome(world, ({ db }) => objects(db)),
        home.with(({ db }) => objects(db)),
      );
    });
  }

  it('restores a journal in WAL mode without a log beside it', async () => {
    const home = homes.get();
    const { file } = await backup(home);
    const change: Alteration = { journal: (db) => void db.pragma('journal_mode = WAL') };
    const world = worldBeside(home);
    strictEqual((await restore(world, await altered(file, join(home.root, 'wal.zip'), change))).restored.events, 5);
  });
});

describe('restore: a flipped bit of the journal', () => {
  it('is refused or changes nothing, whichever byte of the snapshot is altered', async () => {
    const home = homes.get();
    const { file } = await backup(home);
    const before = home.with(({ writer }) => writer.head.hash);
    const size = readFileSync(file).length;
    let refused = 0;
    const count = atEffort(30, 2_000);
    for (let at = 0; at < count; at++) {
      const change: Alteration = {
        members: (members) => {
          const bytes = Buffer.from(members.get('journal.sqlite3') ?? '');
          const offset = Math.floor((at * bytes.length) / count) + (at % 7);
          bytes[offset] = (bytes[offset] ?? 0) ^ (1 << (at % 8));
          members.set('journal.sqlite3', bytes);
        },
      };
      const scratch = mkdtempSync(join(home.root, 'flip-'));
      const world = worldBeside(home, `${scratch.slice(home.root.length + 1)}/home`);
      try {
        const report = await restore(world, await altered(file, join(scratch, 'flipped.zip'), change));
        strictEqual(report.restored.head, before);
      } catch (error) {
        ok(error instanceof Error && 'refusal' in error, `byte ${at}: ${String(error)}`);
        deepStrictEqual(readdirSync(scratch), ['flipped.zip']);
        refused++;
      }
    }
    ok(refused > count / 6, `${refused} refused of ${count}, ${size} bytes`);
  });
});

/** Bodies whose hash fits and whose signature cannot: what follows the hash is checked too. */
const bodies: readonly (readonly [string, (body: string) => string, RegExp])[] = [
  ['an unpaired surrogate', (b) => b.replace('mission 4', '\\ud800'), /^entry 5: /],
  ['a number that overflows', (b) => b.replace('"version":1', '"version":1e999'), /^entry 5: /],
  ['nesting without end', (b) => b.replace('"jobs":[]', `"jobs":${'['.repeat(80)}${']'.repeat(80)}`), /^entry 5: /],
  ['spaces', (b) => b.replace('{', '{ '), /^entry 5: the stored bytes are not in canonical form$/],
  ['another sequence', (b) => b.replace('"sequence":5', '"sequence":6'), /^entry 5: the signed sequence is 6$/],
  ['another stream', (b) => b.replace('"mission":"0', '"mission":"1'), /^entry 5: the stream is not the signed one$/],
  ['another predecessor', (b) => b.replace(/"previous":"./, '"previous":"g'), /^entry 5: /],
  ['no JSON', () => 'hello', /^entry 5: the body is not JSON|^entry 5: the body is not a JSON object$/],
];

describe('restore: an entry with a forged body', () => {
  for (const [title, bend, words] of bodies) {
    it(title, async () => {
      const home = homes.get();
      const { file } = await backup(home);
      const journal = (db: Database.Database): void => {
        const body = String(db.prepare('SELECT body FROM events WHERE seq = 5').pluck().get());
        ok(bend(body) !== body, 'the body is as it was');
        db.prepare('UPDATE events SET body = ?, hash = ? WHERE seq = 5').run(bend(body), sha256Hex(bend(body)));
      };
      const { code, detail } = await refusalOf(worldBeside(home), await altered(file, join(home.root, 'bent.zip'), { journal }));
      match(detail, words);
      strictEqual(code, 'integrity');
    });
  }
});
