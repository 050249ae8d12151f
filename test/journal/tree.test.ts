import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Database } from '../../src/store/sqlite.js';
import { sha256 } from '../../src/base/bytes.js';
import {
  consistencyPath,
  inclusionPath,
  isConsistent,
  leafHash,
  rangeRoot,
  rootFromInclusion,
} from '../../src/journal/merkle.js';
import { countTiles, formatBundle, leavesOfBundle, tilePath, tilesOf } from '../../src/journal/tiles.js';
import { leafOf, nodeReader, rootAt, Tree } from '../../src/journal/tree.js';
import type { Db } from '../../src/store/database.js';
import { effort } from '../support/effort.js';
import { naiveRoot } from './naive-tree.js';
import { refused } from '../support/refused.js';

interface Row {
  readonly hash: string;
  readonly signature: string;
}

const rowNumber = (i: number): Row => {
  const hash = sha256(`entry ${i}`);
  return { hash: hash.toString('hex'), signature: Buffer.concat([hash, hash]).toString('base64') };
};

/** Tables of a journal's shape in memory, which a tree is grown in and its tiles are stored in. */
class Growing {
  readonly db: Db = new Database(':memory:');
  readonly tree = new Tree();
  readonly leaves: Buffer[] = [];
  private readonly insert;

  constructor() {
    this.db.exec('CREATE TABLE events(seq INTEGER PRIMARY KEY, hash TEXT NOT NULL, signature TEXT NOT NULL)');
    this.db.exec('CREATE TABLE tile(level INTEGER, n INTEGER, hashes BLOB NOT NULL, PRIMARY KEY(level, n)) WITHOUT ROWID');
    this.insert = this.db.prepare('INSERT INTO events VALUES (?, ?, ?)');
  }

  /** Appends up to `size`, storing the tiles `every` so many entries, as transactions of that many would. */
  growTo(size: number, every: number): void {
    this.db.exec('BEGIN');
    for (let i = this.tree.size; i < size; i++) {
      const { hash, signature } = rowNumber(i);
      const leaf = leafOf(hash, signature);
      this.insert.run(i + 1, hash, signature);
      this.leaves.push(leaf);
      this.tree.append(leaf);
      if (this.tree.size % every === 0) this.tree.store(this.db);
    }
    this.tree.store(this.db);
    this.db.exec('COMMIT');
  }
}

/** What `Tree.load` must rebuild: the root, and the hashes from which later tiles grow. */
const shapeOf = (tree: Tree): unknown => [tree.size, tree.root(), [0, 1, 2, 3].map((level) => tree.lastTile(level))];

describe('the tree over the borders of its tiles', () => {
  const sizes = [1, 2, 254, 255, 256, 257, 511, 512, 513, 767, 768, 1000, 65_279, 65_280, 65_535, 65_536, 65_537, 65_792];
  const growing = new Growing();

  for (const size of sizes) {
    it(`has the root of RFC 6962 at size ${size}: grown, loaded again and read from the tables`, () => {
      growing.growTo(size, 100);
      const expected = naiveRoot(growing.leaves);
      assert.ok(growing.tree.root().equals(expected));
      assert.deepEqual(shapeOf(Tree.load(growing.db, size)), shapeOf(growing.tree));
      assert.ok(rootAt(growing.db, size, size).equals(expected));
    });
  }

  it('returns earlier roots from the tables of a larger tree', () => {
    const { db, leaves } = growing;
    for (const size of [0, 1, 255, 256, 257, 300, 65_280, 65_536, 65_537, 65_700, leaves.length])
      assert.deepEqual(rootAt(db, leaves.length, size), naiveRoot(leaves.slice(0, size)), `size ${size}`);
  });

  it('returns proofs from the tables that verify', () => {
    const { db, leaves } = growing;
    const size = leaves.length;
    const read = nodeReader(db, size);
    const root = rangeRoot(read, 0, size);
    for (const index of [0, 1, 255, 256, 511, 32_768, 65_279, 65_535, 65_536, size - 1]) {
      assert.deepEqual(rootFromInclusion(leaves[index]!, index, size, inclusionPath(read, index, size)), root, `index ${index}`);
    }
    for (const old of [1, 255, 256, 257, 32_768, 65_535, 65_536, 65_537, size - 1, size]) {
      assert.ok(isConsistent(old, size, consistencyPath(read, old, size), rootAt(db, size, old), root), `old size ${old}`);
    }
  });

  it('grows after loading like a tree that was never stored', () => {
    for (const from of [255, 256, 300, 511, 767]) {
      const start = new Growing();
      start.growTo(from, 1);
      const loaded = Tree.load(start.db, from);
      for (let i = from; i < from + 300; i++) loaded.append(leafOf(rowNumber(i).hash, rowNumber(i).signature));
      start.growTo(from + 300, 7);
      assert.deepEqual(shapeOf(loaded), shapeOf(start.tree), `from ${from}`);
      loaded.store(start.db);
      assert.deepEqual(shapeOf(Tree.load(start.db, from + 300)), shapeOf(start.tree), `from ${from}`);
    }
  });

  it('stores the same tiles however many entries a transaction had', () => {
    const tables = [1, 3, 256, 1_000_000].map((every) => {
      const grown = new Growing();
      grown.growTo(1_100, every);
      return grown.db.prepare('SELECT level, n, hex(hashes) AS hashes FROM tile ORDER BY level, n').all();
    });
    for (const rows of tables) assert.deepEqual(rows, tables[0]);
    assert.deepEqual(
      (tables[0] as { level: number; n: number; hashes: string }[]).map(({ level, n, hashes }) => [level, n, hashes.length / 64]),
      [
        [0, 0, 256],
        [0, 1, 256],
        [0, 2, 256],
        [0, 3, 256],
        [1, 0, 4],
      ],
    );
  });

  it('refuses missing and short tables as damaged', () => {
    const damage = (sql: string): (() => Tree) => {
      const grown = new Growing();
      grown.growTo(700, 100);
      grown.db.exec(sql);
      return () => Tree.load(grown.db, 700);
    };
    const isDamage = refused('integrity');
    assert.doesNotThrow(damage('SELECT 1'));
    assert.throws(damage('DELETE FROM tile WHERE level = 1'), isDamage);
    assert.throws(damage('UPDATE tile SET hashes = substr(hashes, 1, 32) WHERE level = 1'), isDamage);
    assert.throws(damage('DELETE FROM events WHERE seq = 650'), isDamage);
    assert.throws(damage("UPDATE events SET signature = 'AAAA' WHERE seq = 650"), isDamage);
    assert.throws(damage("UPDATE events SET hash = 'ff' WHERE seq = 650"), isDamage);
  });
});

describe('tile paths', () => {
  for (const [level, n, width, path] of [
    [0, 0, 256, 'tile/0/000'],
    [0, 5, 256, 'tile/0/005'],
    [1, 999, 256, 'tile/1/999'],
    [2, 1_000, 256, 'tile/2/x001/000'],
    [0, 1_234_067, 256, 'tile/0/x001/x234/067'],
    [0, 1_234_067, 1, 'tile/0/x001/x234/067.p/1'],
    [0, 70_000_000, 255, 'tile/0/x070/x000/000.p/255'],
    ['entries', 273, 112, 'tile/entries/273.p/112'],
  ] as const) {
    it(path, () => assert.equal(tilePath(level, n, width), path));
  }
});

describe('the tiles of a tree', () => {
  it("are those of the specification's example for 70 000 entries", () => {
    const tiles = [...tilesOf(70_000)];
    const count = (level: number, full: boolean): number =>
      tiles.filter((tile) => tile.level === level && (tile.width === 256) === full).length;
    assert.deepEqual(
      [0, 1, 2, 3].map((level) => [count(level, true), count(level, false)]),
      [
        [273, 1],
        [1, 1],
        [0, 1],
        [0, 0],
      ],
    );
    assert.deepEqual(
      tiles.filter(({ width }) => width < 256),
      [
        { level: 0, n: 273, width: 112 },
        { level: 1, n: 1, width: 17 },
        { level: 2, n: 0, width: 1 },
      ],
    );
  });

  it('are as many as counted, and as wide as the formula says', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 300_000 }), (size) => {
        const tiles = [...tilesOf(size)];
        assert.equal(tiles.length, countTiles(size));
        for (const { level, n, width } of tiles) {
          const partial = Math.floor(size / 256 ** level) % 256;
          const isLast = n === Math.floor(size / 256 ** (level + 1));
          assert.equal(width, isLast ? partial : 256);
          assert.notEqual(width, 0);
        }
      }),
      { numRuns: 50 * effort },
    );
  });
});

describe('entry bundles', () => {
  const entries = fc.array(fc.uint8Array({ minLength: 32, maxLength: 32 }), { maxLength: 256 });

  it('have a 2-byte length before each entry, and hash to its leaf', () => {
    fc.assert(
      fc.property(entries, (all) => {
        const bundle = formatBundle(all);
        assert.equal(bundle.toString('hex'), all.map((entry) => `0020${Buffer.from(entry).toString('hex')}`).join(''));
        assert.deepEqual(leavesOfBundle(bundle), Buffer.concat(all.map((entry) => leafHash(entry))));
      }),
      { numRuns: 20 * effort },
    );
  });

  it('are refused with another length or prefix', () => {
    const bundle = formatBundle([Buffer.alloc(32, 1), Buffer.alloc(32, 2)]);
    assert.equal(leavesOfBundle(bundle.subarray(0, -1)), null);
    assert.equal(leavesOfBundle(Buffer.concat([bundle, Buffer.of(0)])), null);
    for (const at of [0, 1, 34, 35]) {
      const other = Buffer.from(bundle);
      other[at] = 33;
      assert.equal(leavesOfBundle(other), null);
    }
  });
});
