import assert from 'node:assert/strict';
import { sha256Hex } from '../../src/base/hash.js';
import { signerFromSeed } from '../../src/journal/keys.js';
import { originOf, readCheckpoint, signCheckpoint } from '../../src/journal/note.js';
import { latestNote } from '../../src/journal/reader.js';
import { rootAt } from '../../src/journal/tree.js';
import type { Db } from '../../src/store/database.js';
import type { TemporaryHome } from '../support/temporary-home.js';
import { signerOf } from './reference-journal.js';
import { newest } from './rich-home.js';
import { exec, finds, middle, redefine, type Case } from './whole-check-suite.js';

const missionAt = (db: Db, seq: number): string =>
  db.prepare<[number], string>('SELECT mission FROM events WHERE seq = ?').pluck().get(seq) ?? '';
const hashAt = (db: Db, seq: number): string =>
  db.prepare<[number], string>('SELECT hash FROM events WHERE seq = ?').pluck().get(seq) ?? '';

/** Returns a row at `seq` that the key signed: the entry at `like`, after the entry with the hash `previous`. */
function signedRow(db: Db, home: TemporaryHome, like: number, seq: number, previous = hashAt(db, seq - 1)): readonly unknown[] {
  const body = (db.prepare<[number], string>('SELECT body FROM events WHERE seq = ?').pluck().get(like) ?? '')
    .replace(/"previous":"[0-9a-f]{64}"/, `"previous":"${previous}"`)
    .replace(/"sequence":[0-9]+/, `"sequence":${seq}`);
  const hash = sha256Hex(body);
  return [seq, missionAt(db, like), body, hash, signerOf(home).sign(Buffer.from(hash, 'hex')).toString('base64')];
}
finds('the check of a whole journal: rows', [
  { name: 'the first is gone', change: exec('DELETE FROM events WHERE seq = 1'), sequence: 1, detail: /missing/ },
  { name: 'one is gone', change: exec(`DELETE FROM events WHERE seq = ${middle}`), sequence: middle, detail: /missing/ },
  { name: 'the newest is gone', change: exec(`DELETE FROM events WHERE seq = ${newest}`), sequence: newest, detail: /missing/ },
  { name: 'all are gone', change: exec('DELETE FROM events'), sequence: 1, detail: /missing/ },
  ...[-1, 0].map(
    (seq): Case => ({
      name: `a copy at ${seq}`,
      change: exec(`INSERT INTO events SELECT ${seq}, mission, body, hash || ' ', signature FROM events WHERE seq = ${middle}`),
      sequence: seq,
      detail: /not positive|signature does not verify/,
    }),
  ),
  {
    name: `a copy at ${10 ** 12}`,
    change: exec(
      `INSERT INTO events SELECT ${10 ** 12}, mission, body, hash || ' ', signature FROM events WHERE seq = ${middle}`,
    ),
    sequence: 10 ** 12,
    detail: /signature does not verify/,
  },
  {
    name: 'one more that the key signed',
    change: (db, home) => db.prepare('INSERT INTO events VALUES (?, ?, ?, ?, ?)').run(...signedRow(db, home, newest, newest + 1)),
    sequence: newest + 1,
    detail: /no checkpoint covers it/,
  },
  {
    name: 'two are exchanged',
    change: exec(
      `UPDATE events SET seq = -1 WHERE seq = 300; UPDATE events SET seq = 300 WHERE seq = 301; UPDATE events SET seq = 301 WHERE seq = -1`,
    ),
    sequence: 300,
    detail: /signed sequence is 301/,
  },
  {
    name: 'one that the key signed after another one',
    change: (db, home) => {
      const row = signedRow(db, home, 2, 2, 'ab'.repeat(32));
      db.exec('DELETE FROM events WHERE seq = 2');
      db.prepare('INSERT INTO events VALUES (?, ?, ?, ?, ?)').run(...row);
    },
    sequence: 2,
    detail: /does not follow the entry before it/,
  },
  {
    name: 'another one that the key signed in the place of the newest',
    change: (db, home) => {
      const row = signedRow(db, home, 2, newest);
      db.exec(`DELETE FROM events WHERE seq = ${newest}`);
      db.prepare('INSERT INTO events VALUES (?, ?, ?, ?, ?)').run(...row);
    },
    sequence: newest,
    detail: /signs another root/,
  },
]);

finds('the check of a whole journal: its checkpoint', [
  { name: 'none', change: exec('DELETE FROM checkpoint'), sequence: newest, detail: /no checkpoint of this key/ },
  {
    name: 'only an older one',
    change: (db, home) => {
      const signer = signerOf(home);
      const note = signCheckpoint(signer, originOf(signer.publicKey, null), newest - 1, rootAt(db, newest, newest - 1));
      db.prepare('UPDATE checkpoint SET size = ?, note = ?').run(newest - 1, note);
    },
    sequence: newest,
    detail: /no checkpoint covers it/,
  },
  {
    name: 'one of a greater size',
    change: exec(`INSERT INTO checkpoint SELECT 1000000000000, note FROM checkpoint WHERE size = ${newest}`),
    sequence: newest,
    detail: /no checkpoint of this key/,
  },
  {
    name: 'one of another key',
    change: (db) => {
      const other = signerFromSeed(Buffer.alloc(32, 9));
      const root = readCheckpoint(latestNote(db)?.note ?? '')?.root ?? Buffer.alloc(32);
      sealAs(db, signCheckpoint(other, originOf(other.publicKey, null), newest, root));
    },
    sequence: newest,
    detail: /no checkpoint of this key/,
  },
  {
    name: 'one that this key signed over another root',
    change: (db, home) => {
      const signer = signerOf(home);
      sealAs(db, signCheckpoint(signer, originOf(signer.publicKey, null), newest, Buffer.alloc(32, 1)));
    },
    sequence: newest,
    detail: /signs another root/,
  },
]);

const sealAs = (db: Db, note: string): void => void db.prepare(`UPDATE checkpoint SET note = ? WHERE size = ${newest}`).run(note);

function reindexAs(db: Db, definition: string): void {
  const sql = db.prepare<[], string>("SELECT sql FROM sqlite_master WHERE name = 'events_mission'").pluck().get() ?? '';
  redefine(db, 'events_mission', definition);
  db.exec('REINDEX events_mission');
  redefine(db, 'events_mission', sql);
}

finds('the check of a whole journal: an index', [
  {
    name: 'that hides an entry',
    change: (db) => {
      const mission = missionAt(db, middle);
      reindexAs(db, `CREATE INDEX events_mission ON events(mission, seq) WHERE seq <> ${middle}`);
      assert.equal(db.prepare('SELECT seq FROM events WHERE mission = ?').get(mission), undefined);
    },
    sequence: middle,
    detail: /row 330 missing from index events_mission/,
  },
  {
    name: 'with an entry in another stream',
    change: (db) => {
      const mission = missionAt(db, middle);
      const at = `CASE seq WHEN ${middle} THEN '@control' ELSE mission END`;
      reindexAs(db, `CREATE INDEX events_mission ON events(${at}, seq)`);
      assert.equal(db.prepare('SELECT seq FROM events WHERE mission = ?').get(mission), undefined);
    },
    sequence: middle,
    detail: /row 330 missing from index events_mission/,
  },
]);
