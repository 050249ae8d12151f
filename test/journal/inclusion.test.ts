import assert from 'node:assert/strict';
import Database from 'better-sqlite3';
import { describe, it } from 'mocha';
import { sha256, sha256Hex } from '../../src/base/hash.js';
import { confirmed_tiles_max } from '../../src/base/limits.js';
import { RefusalError } from '../../src/base/result.js';
import { Inclusion } from '../../src/journal/inclusion.js';
import { rootOfLeaves } from '../../src/journal/merkle.js';
import { leafOf, Tree } from '../../src/journal/tree.js';
import type { Db } from '../../src/store/database.js';

type Given = Parameters<Inclusion['requireIncluded']>[0];

/** Entry number `sequence`. Nothing here checks signatures singly, so any 64 bytes will do. */
function entry(sequence: number, text = `entry ${sequence}`): Given {
  const bytes = sha256(`signature ${sequence}`);
  return { sequence, text, hash: sha256Hex(text), signature: Buffer.concat([bytes, bytes]).toString('base64') };
}

const leaf = ({ hash, signature }: Given): Buffer => leafOf(hash, signature);

/** The tables of a journal of `size` entries, in memory. */
function journalOf(size: number): Db {
  const db = new Database(':memory:');
  db.exec('CREATE TABLE events(seq INTEGER PRIMARY KEY, body TEXT, hash TEXT, signature TEXT)');
  db.exec('CREATE TABLE tile(level INTEGER, n INTEGER, hashes BLOB NOT NULL, PRIMARY KEY(level, n)) WITHOUT ROWID');
  const insert = db.prepare('INSERT INTO events VALUES (?, ?, ?, ?)');
  const tree = new Tree();
  db.transaction(() => {
    for (let sequence = 1; sequence <= size; sequence++) {
      const { text, hash, signature } = entry(sequence);
      insert.run(sequence, text, hash, signature);
      tree.append(leafOf(hash, signature));
    }
    tree.store(db);
  })();
  return db;
}

const size = 66_100;
/** Read by all tests: each changes a copy. */
const large = journalOf(size);
const copy = (): Db => new Database(large.serialize());
const opened = (db: Db, entries = size): Inclusion => new Inclusion(db, Tree.load(db, entries));

const refuses = (inclusion: Inclusion, given: Given, detail: RegExp): void =>
  assert.throws(
    () => inclusion.requireIncluded(given),
    (error) => {
      assert.ok(error instanceof RefusalError);
      assert.deepEqual([error.refusal.code, error.refusal.facts?.['sequence']], ['integrity', given.sequence]);
      assert.match(error.refusal.detail, detail);
      return true;
    },
  );

const tileAt = (db: Db, level: number, n: number): Buffer =>
  db.prepare<[number, number], Buffer>('SELECT hashes FROM tile WHERE level = ? AND n = ?').pluck().get(level, n) ??
  Buffer.alloc(0);

/** Puts a hash into a stored tile; returns the tile's new root. */
function putHash(db: Db, level: number, index: number, hash: Buffer): Buffer {
  const n = Math.floor(index / 256);
  const hashes = tileAt(db, level, n);
  hash.copy(hashes, (index % 256) * 32);
  db.prepare('UPDATE tile SET hashes = ? WHERE level = ? AND n = ?').run(hashes, level, n);
  return rootOfLeaves(hashes);
}

describe('the inclusion of single entries', () => {
  it('holds for every entry at the borders of tiles, in journals of one to three levels', () => {
    const borders = [1, 2, 255, 256, 257, 512, 513, 700, 65_280, 65_536, 65_537, 65_792, 65_793, size];
    for (const entries of [1, 255, 256, 257, 700]) {
      const inclusion = opened(journalOf(entries), entries);
      for (const sequence of borders.filter((border) => border <= entries)) inclusion.requireIncluded(entry(sequence));
      refuses(inclusion, entry(entries + 1), /no checkpoint covers it/);
    }
    const inclusion = opened(large);
    for (const sequence of borders) inclusion.requireIncluded(entry(sequence));
  });

  it('holds for more tiles than are kept, in any order', () => {
    const inclusion = opened(large);
    for (let tile = 0; tile <= confirmed_tiles_max; tile++) inclusion.requireIncluded(entry(tile * 256 + 1));
    for (let tile = confirmed_tiles_max; tile >= 0; tile--) inclusion.requireIncluded(entry(tile * 256 + 256));
  });

  it('fails for an entry with another text, hash, signature or sequence, in every kind of tile', () => {
    const inclusion = opened(large);
    for (const sequence of [9, 65_530, 65_600, size]) {
      const other = entry(sequence + (sequence === size ? -1 : 1));
      refuses(inclusion, { ...entry(sequence), text: other.text }, /stored bytes do not match their hash/);
      refuses(inclusion, { ...entry(sequence), hash: other.hash }, /stored bytes do not match their hash/);
      refuses(inclusion, entry(sequence, 'another'), /does not contain it/);
      refuses(inclusion, { ...entry(sequence), signature: other.signature }, /does not contain it/);
      refuses(inclusion, { ...entry(sequence), signature: `${other.signature} ` }, /does not contain it/);
      refuses(inclusion, { ...other, sequence }, /does not contain it/);
    }
    for (const sequence of [0, -1, size + 1, 10 ** 12, 1.5])
      refuses(inclusion, { ...entry(1), sequence }, /no checkpoint covers it/);
  });

  it('fails for bytes of a text that are not UTF-8', () => {
    const text = 'a \ufffd b';
    const db = new Database(':memory:');
    db.exec('CREATE TABLE events(seq INTEGER PRIMARY KEY, body TEXT, hash TEXT, signature TEXT)');
    db.exec('CREATE TABLE tile(level INTEGER, n INTEGER, hashes BLOB)');
    const given = entry(1, text);
    db.prepare('INSERT INTO events VALUES (1, ?, ?, ?)').run(text, given.hash, given.signature);
    opened(db, 1).requireIncluded(given);
    db.prepare('UPDATE events SET body = CAST(? AS TEXT)').run(Buffer.from('6120f0bfbd2062', 'hex'));
    assert.equal(db.prepare('SELECT body FROM events').pluck().get(), text);
    refuses(opened(db, 1), given, /stored bytes do not match their hash/);
  });

  it('fails where a tile is missing, short or altered, and only there', () => {
    for (const sql of [
      'DELETE FROM tile WHERE level = 0 AND n = 3',
      'UPDATE tile SET hashes = substr(hashes, 1, 8160) WHERE level = 0 AND n = 3',
      'UPDATE tile SET hashes = hashes || zeroblob(32) WHERE level = 0 AND n = 3',
      'UPDATE tile SET hashes = substr(hashes, 1, 8160) || zeroblob(32) WHERE level = 0 AND n = 3',
    ]) {
      const db = copy();
      db.exec(sql);
      const inclusion = opened(db);
      refuses(inclusion, entry(800), /does not contain it/);
      inclusion.requireIncluded(entry(768));
      inclusion.requireIncluded(entry(1_025));
    }
  });

  it('fails for a forged entry whose tiles were altered alike, however far up', () => {
    const forged = entry(800, 'forged');
    const db = copy();
    const first = putHash(db, 0, forged.sequence - 1, leaf(forged));
    refuses(opened(db), forged, /does not contain it/);
    putHash(db, 1, 3, first);
    refuses(opened(db), forged, /does not contain it/);
  });

  it('reads a tile once', () => {
    const db = copy();
    const inclusion = opened(db);
    inclusion.requireIncluded(entry(800));
    db.exec('DELETE FROM tile WHERE n IN (3, 4)');
    inclusion.requireIncluded(entry(801));
    refuses(inclusion, entry(1_025), /does not contain it/);
  });
});
