import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { Database } from '../../src/store/sqlite.js';
import { sha256, sha256Hex } from '../../src/base/bytes.js';
import { confirmed_tiles_max, Inclusion } from '../../src/journal/inclusion.js';
import { RefusalError } from '../../src/base/refusal.js';
import {
  consistencyPath,
  emptyRoot,
  inclusionPath,
  isConsistent,
  rangeRoot,
  rootFromInclusion,
  rootOfLeaves,
  sameBytes,
} from '../../src/journal/merkle.js';
import { leafOf, Tree } from '../../src/journal/tree.js';
import type { Db } from '../../src/store/database.js';
import { effort } from '../support/effort.js';
import { packageRoot } from '../support/package-root.js';
import { leafNumber, leavesTo, naivePath, naiveProof, naiveRoot, readerOf } from './naive-tree.js';

type Vector<Numbers extends string, Hashes extends string> = Readonly<
  Record<Numbers, number> & Record<Hashes | 'name', string> & { proof: readonly string[] | null; wantErr: boolean }
>;
interface Vectors {
  readonly consistency: readonly Vector<'size1' | 'size2', 'root1' | 'root2'>[];
  readonly inclusion: readonly Vector<'leafIdx' | 'treeSize', 'root' | 'leafHash'>[];
}

const file = join(packageRoot(import.meta.url), 'test', 'vectors', 'rfc6962', 'rfc6962-proofs.json');
const vectors = JSON.parse(readFileSync(file, 'utf8')) as Vectors;
const bytes = (text: string | null): Buffer => Buffer.from(text ?? '', 'base64');

describe('RFC 6962 vectors of transparency-dev/merkle', () => {
  it('verify inclusion', () => {
    assert.equal(vectors.inclusion.length, 98);
    for (const { name, leafIdx, treeSize, root, leafHash, proof, wantErr } of vectors.inclusion) {
      const computed = rootFromInclusion(bytes(leafHash), leafIdx, treeSize, (proof ?? []).map(bytes));
      assert.equal(computed !== null && sameBytes(computed, bytes(root)), !wantErr, name);
    }
  });

  it('verify consistency', () => {
    assert.equal(vectors.consistency.length, 98);
    for (const { name, size1, size2, root1, root2, proof, wantErr } of vectors.consistency) {
      assert.equal(isConsistent(size1, size2, (proof ?? []).map(bytes), bytes(root1), bytes(root2)), !wantErr, name);
    }
  });
});

const most = 600;
const leaves = leavesTo(most);
const roots = Array.from({ length: most + 1 }, (_, n) => naiveRoot(leaves.slice(0, n)));
const rootOf = (size: number): Buffer => roots[size]!;
const read = readerOf(leaves);

describe('the Merkle tree against RFC 6962 word for word', () => {
  it(`has the root of every size from 0 to ${most}`, () => {
    const tree = new Tree();
    assert.deepEqual(tree.root(), emptyRoot());
    assert.deepEqual(emptyRoot(), rootOf(0));
    assert.deepEqual(rootOfLeaves(Buffer.alloc(0)), rootOf(0));
    leaves.forEach((leaf, i) => {
      tree.append(leaf);
      assert.equal(tree.size, i + 1);
      assert.ok(tree.root().equals(rootOf(i + 1)), `size ${i + 1}`);
      assert.ok(rangeRoot(read, 0, i + 1).equals(rootOf(i + 1)), `size ${i + 1}`);
      assert.ok(rootOfLeaves(Buffer.concat(leaves.slice(0, i + 1))).equals(rootOf(i + 1)), `size ${i + 1}`);
    });
  });

  it('has the inclusion path of every index of the sizes up to 40', () => {
    for (let size = 1; size <= 40; size++) {
      for (let index = 0; index < size; index++) {
        const path = inclusionPath(read, index, size);
        assert.deepEqual(path, naivePath(index, leaves.slice(0, size)));
        assert.deepEqual(rootFromInclusion(leafNumber(index), index, size, path), rootOf(size));
      }
    }
  });

  it('has the consistency proof of every pair of the sizes up to 40', () => {
    for (let size = 1; size <= 40; size++) {
      for (let old = 1; old <= size; old++) {
        const path = consistencyPath(read, old, size);
        assert.deepEqual(path, naiveProof(old, leaves.slice(0, size)));
        assert.equal(isConsistent(old, size, path, rootOf(old), rootOf(size)), true, `${old} to ${size}`);
      }
    }
  });

  it('refuses consistency with the empty tree or with a larger one', () => {
    assert.equal(isConsistent(0, 5, [], rootOf(0), rootOf(5)), false);
    assert.equal(isConsistent(0, 0, [], rootOf(0), rootOf(0)), false);
    assert.equal(isConsistent(6, 5, [], rootOf(6), rootOf(5)), false);
    assert.equal(isConsistent(5, 5, [], rootOf(4), rootOf(5)), false);
  });

  const place = fc
    .integer({ min: 2, max: most })
    .chain((size) => fc.tuple(fc.integer({ min: 0, max: size - 1 }), fc.constant(size)));

  it('refuses inclusion with a wrong index, size, leaf or sibling', () => {
    fc.assert(
      fc.property(place, fc.nat(), fc.nat(255), ([index, size], pick, bit) => {
        const path = inclusionPath(read, index, size);
        const leads = (leaf: Buffer, i: number, n: number, p: readonly Buffer[]): boolean => {
          const root = rootFromInclusion(leaf, i, n, p);
          return root !== null && root.equals(rootOf(size));
        };
        const leaf = leafNumber(index);
        assert.deepEqual(path, naivePath(index, leaves.slice(0, size)));
        assert.ok(leads(leaf, index, size, path));
        assert.ok(!leads(leaf, (index + 1 + (pick % (size - 1))) % size, size, path));
        assert.ok(!leads(leaf, index, size * 2 + 1, path));
        assert.ok(!leads(leaf, size, size, path));
        assert.ok(!leads(leaf, -1, size, path));
        assert.ok(!leads(flipped(leaf, bit), index, size, path));
        assert.ok(!leads(leaf, index, size, path.slice(1)));
        assert.ok(!leads(leaf, index, size, path.slice(0, -1)));
        assert.ok(!leads(leaf, index, size, [...path, leaf]));
        const at = pick % path.length;
        assert.ok(!leads(leaf, index, size, path.with(at, flipped(path[at]!, bit))));
      }),
      { numRuns: 100 * effort },
    );
  });

  it('refuses consistency with another root, size or node', () => {
    fc.assert(
      fc.property(place, fc.nat(), fc.nat(255), ([index, size], pick, bit) => {
        const old = Math.max(index, 1);
        const path = consistencyPath(read, old, size);
        assert.deepEqual(path, naiveProof(old, leaves.slice(0, size)));
        assert.ok(isConsistent(old, size, path, rootOf(old), rootOf(size)));
        assert.ok(!isConsistent(old, size, path, flipped(rootOf(old), bit), rootOf(size)));
        assert.ok(!isConsistent(old, size, path, rootOf(old), flipped(rootOf(size), bit)));
        assert.ok(!isConsistent(size, old, path, rootOf(size), rootOf(old)));
        assert.ok(!isConsistent(old, size, [...path, rootOf(old)], rootOf(old), rootOf(size)));
        assert.ok(!isConsistent(old, size, path.slice(1), rootOf(old), rootOf(size)));
        const at = pick % path.length;
        assert.ok(!isConsistent(old, size, path.with(at, flipped(path[at]!, bit)), rootOf(old), rootOf(size)));
      }),
      { numRuns: 100 * effort },
    );
  });
});

/** A copy with one of its 256 bits changed. */
function flipped(hash: Buffer, bit: number): Buffer {
  const copy = Buffer.from(hash);
  const at = Math.floor(bit / 8);
  copy[at] = (copy[at] ?? 0) ^ (1 << (bit % 8));
  return copy;
}

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
});
