/** Archives that are whole ZIP files with manifests that agree, and lie in what they hold. Each is refused in its own words. */
import { deepStrictEqual, match, strictEqual } from 'node:assert';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256Hex } from '../../../src/base/bytes.js';
import { configText } from '../../../src/codec/config.js';
import { signCheckpoint } from '../../../src/journal/note.js';
import { rootAt } from '../../../src/journal/tree.js';
import type { Db } from '../../../src/store/database.js';
import { homeForEach, temporaryHome, type TemporaryHome } from '../../support/app/temporary-home.js';
import { type Alteration, altered, backup, grow, refusalOf, restore, takeApart, withHome, worldBeside } from './archives.js';

const homes = homeForEach(() => {
  const home = temporaryHome();
  grow(home, 4);
  return home;
});

/** An alteration of the archive, or SQL on its journal. */
type Attack = Alteration | string;

async function refusedWith(attack: Attack): Promise<readonly [string, string]> {
  const change: Alteration = typeof attack === 'string' ? { journal: (db) => db.exec(attack) } : attack;
  const home = homes.get();
  const { file } = await backup(home);
  const { code, detail } = await refusalOf(worldBeside(home), await altered(file, join(home.root, 'altered.zip'), change));
  return [code, detail];
}

/** Signs the checkpoint of an older size, as it was in the journal until the next transaction, or over another root. */
const checkpointOf = (size: number, root?: Buffer): string =>
  homes.get().with(({ db, signer, writer }) => signCheckpoint(signer, writer.origin, size, root ?? rootAt(db, 5, size)));

/** Moves the border between the salt and the bytes of the configuration, which the hash of both does not show. */
function resalt(db: Db, length: number): void {
  const both = Buffer.concat(db.prepare<[], [Buffer, Buffer]>('SELECT salt, bytes FROM blob').raw().get() ?? []);
  db.prepare('UPDATE blob SET salt = ?, bytes = ?').run(both.subarray(0, length), both.subarray(length));
}

/** A manifest that names another journal. */
const named = (changes: object): Alteration => ({ manifest: (m) => void Object.assign(m['@journal'] as object, changes) });
const withFile = (name: string, bytes: Buffer): Alteration => ({ members: (m) => m.set(name, bytes) });

/** Title, alteration, the words of its refusal; the code is `integrity`. */
const attacks: readonly (readonly [string, Attack, RegExp])[] = [
  [
    'a manifest that names another hash',
    { manifest: (m) => void (m['config.json'] = '0'.repeat(64)) },
    /^config\.json is not the one that the manifest names$/,
  ],
  [
    'a manifest that names another journal',
    { manifest: (m) => void (m['journal.sqlite3'] = '0'.repeat(64)) },
    /^journal\.sqlite3 is not the one that the manifest names$/,
  ],
  ['a manifest with spaces', { manifestText: (t) => t.replace('{', '{ ') }, /^the manifest is not in canonical form$/],
  ['a manifest with a newline at its end', { manifestText: (t) => `${t}\n` }, /^the manifest is not in canonical form$/],
  [
    'a manifest with a member twice',
    { manifestText: (t) => t.replace('"api.token":', `"api.token":"${'0'.repeat(64)}","api.token":`) },
    /^the manifest is not strict JSON: .*api\.token/,
  ],
  [
    'a manifest with an unknown member',
    { manifest: (m) => void (m['extra'] = 'x') },
    /^the manifest is not one of a backup: .*extra/,
  ],
  [
    'a manifest that lacks a member',
    { manifest: (m) => delete m['identity.key'] },
    /^the manifest is not one of a backup: .*identity\.key/,
  ],
  ['a manifest that is no JSON', { manifestText: () => 'PK' }, /^the manifest is not strict JSON/],
  [
    'a manifest that lacks the journal',
    { manifest: (m) => delete m['@journal'] },
    /^the manifest of an archive of this program must name its journal$/,
  ],
  ['a manifest with an older head', named({ events: 4 }), /^the manifest names the head 4:[0-9a-f]{16}, the journal has 5:/],
  ['a manifest with a newer head', named({ events: 6 }), /^the manifest names the head 6:/],
  ['a manifest with another root', named({ root: '0'.repeat(64) }), /names another root or checkpoint/],
  [
    'a series of which it is the only part',
    { manifest: (m) => void (m['@series'] = { number: 1, of: 1, first: 1, last: 5 }) },
    /^the manifest is not one of a backup: .*of/,
  ],
  ['another key', withFile('identity.key', randomBytes(32)), /^identity\.key is not the key of the journal beside it$/],
  ['a key that is too short', withFile('identity.key', randomBytes(31)), /^identity\.key has 31 bytes instead of 32$/],
  ['a token that is none', withFile('api.token', Buffer.from(`${'a'.repeat(42)}\n`)), /^api\.token is not 43 characters/],
  [
    'another configuration',
    {
      members: (m) =>
        m.set(
          'config.json',
          Buffer.from(configText({ ...JSON.parse(m.get('config.json')?.toString() ?? ''), max_evaluations: 77 })),
        ),
    },
    /^config\.json is not the configuration that the journal signs$/,
  ],
  ['a journal that is no database', withFile('journal.sqlite3', randomBytes(4_096)), /^journal\.sqlite3 is damaged/],
  ['an empty journal file', withFile('journal.sqlite3', Buffer.of()), /^journal\.sqlite3 is damaged: file is not a database$/],
  [
    'an altered entry',
    "UPDATE events SET body = replace(body, 'mission 1', 'mission X') WHERE seq = 2",
    /^entry 2: the stored bytes do not match their hash$/,
  ],
  [
    'an altered signature',
    `UPDATE events SET signature = '${'A'.repeat(86)}==' WHERE seq = 3`,
    /^entry 3: the signature does not verify$/,
  ],
  [
    'the newest entry cut off',
    'DELETE FROM events WHERE seq = 5',
    /^entry 4: the checkpoint of size 5 covers more entries than there are$/,
  ],
  [
    'the newest entry and its checkpoint cut off',
    'DELETE FROM events WHERE seq = 5; DELETE FROM checkpoint WHERE size = 5',
    /^entry 4: no checkpoint covers the newest entry$/,
  ],
  [
    'the newest entry cut off, with the checkpoint of the one before',
    {
      journal: (db) => {
        db.exec('DELETE FROM events WHERE seq = 5; DELETE FROM checkpoint');
        db.prepare('INSERT INTO checkpoint VALUES (4, ?)').run(checkpointOf(4));
      },
    },
    /^the manifest names the head 5:/,
  ],
  [
    'an entry missing in the middle',
    'DELETE FROM events WHERE seq = 3',
    /^journal\.sqlite3 holds rows that do not belong to a journal: .*sequence/,
  ],
  [
    'an entry twice',
    'INSERT INTO events SELECT 6, mission, body, hash, signature FROM events WHERE seq = 5',
    /^entry 6: the signed sequence is 5$/,
  ],
  ['no entries', 'DELETE FROM events; DELETE FROM checkpoint', /^the archive holds no entry$/],
  [
    'a checkpoint of another size',
    'INSERT INTO checkpoint SELECT 3, note FROM checkpoint',
    /^entry 3: the checkpoint of this size does not verify$/,
  ],
  [
    'an older checkpoint over another root',
    { journal: (db) => db.prepare('INSERT INTO checkpoint VALUES (3, ?)').run(checkpointOf(3, Buffer.alloc(32))) },
    /^entry 3: the checkpoint of size 3 signs another root$/,
  ],
  ['a blob altered', "UPDATE blob SET bytes = x'00'", /^entry 1: blob [0-9a-f]{16} does not match its hash$/],
  [
    'a blob that nothing names',
    `INSERT INTO blob VALUES ('${sha256Hex(`${'salt'.repeat(4)}x`)}', CAST('${'salt'.repeat(4)}' AS BLOB), CAST('x' AS BLOB))`,
    /^blob [0-9a-f]{16} belongs to no entry$/,
  ],
  ...[0, 15, 17].map((length): (typeof attacks)[number] => [
    `a salt of ${length} bytes, moved across the border of its blob`,
    { journal: (db) => resalt(db, length) },
    /^journal\.sqlite3 holds rows that do not belong to a journal: CHECK constraint failed: length\(salt\) = 16$/,
  ]),
  ['a blob cut out that is not erased', 'DELETE FROM blob', /^entry 1: blob [0-9a-f]{16} is missing$/],
];

describe('restore: hostile archives', () => {
  for (const [title, change, words] of attacks) {
    it(title, async () => {
      const [code, detail] = await refusedWith(change);
      match(detail, words);
      strictEqual(code, 'integrity');
    });
  }

  it('refuses a missing file, a directory and a text', async () => {
    const home = homes.get();
    const world = worldBeside(home);
    writeFileSync(join(home.root, 'text'), 'hello');
    strictEqual((await refusalOf(world, join(home.root, 'missing.zip'))).code, 'not_found');
    strictEqual((await refusalOf(world, home.root)).code, 'invalid');
    strictEqual((await refusalOf(world, join(home.root, 'text'))).code, 'malformed');
  });

  it('refuses an archive one byte over the limit, and accepts one at the limit', async () => {
    const home = homes.get();
    const { file } = await backup(home);
    const members = await takeApart(file);
    const bytes = [...members.values()].reduce((sum, { length }) => sum + length, 0);
    strictEqual((await refusalOf(worldBeside(home), file, { bytes_max: bytes - 1 })).code, 'too_large');
    strictEqual((await restore(worldBeside(home), file, { bytes_max: bytes })).valid, true);
  });
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
    const journal = (db: Db): void => {
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
      const objects = (db: Db): unknown => db.prepare('SELECT type, name, sql FROM sqlite_master ORDER BY 1, 2').all();
      deepStrictEqual(
        withHome(world, ({ db }) => objects(db)),
        home.with(({ db }) => objects(db)),
      );
    });
  }

  it('refuses a signed configuration that is none', async () => {
    const home = homes.get();
    const bytes = Buffer.from('{"name":"x","unknown":1}');
    home.with(({ writer, paths }) => {
      writer.transact((tx) => {
        const signed = { config_hash: sha256Hex(bytes), config_blob: tx.putBlob(bytes), changed: [], erased: [] };
        tx.append('@control', { type: 'control.configured', document: { actor: 'operator', state: 'paused', ...signed } });
      });
      writeFileSync(paths.config, bytes);
    });
    const { file } = await backup(home);
    const { code, detail } = await refusalOf(worldBeside(home), file);
    match(`${code}: ${detail}`, /^integrity: config\.json of the archive is not a configuration: /);
  });

  it('restores a journal in WAL mode without a log beside it', async () => {
    const home = homes.get();
    const { file } = await backup(home);
    const change: Alteration = { journal: (db) => void db.pragma('journal_mode = WAL') };
    const world = worldBeside(home);
    strictEqual((await restore(world, await altered(file, join(home.root, 'wal.zip'), change))).restored.events, 5);
  });
});
