import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { leafHash } from '../../src/journal/merkle.js';
import { countTiles, formatBundle, leavesOfBundle, tilePath, tilesOf } from '../../src/journal/tiles.js';
import { effort } from '../support/effort.js';

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

  it('are listed for 0, 1 and 256 entries', () => {
    assert.deepEqual([...tilesOf(0)], []);
    assert.deepEqual([...tilesOf(1)], [{ level: 0, n: 0, width: 1 }]);
    assert.deepEqual(
      [...tilesOf(256)],
      [
        { level: 0, n: 0, width: 256 },
        { level: 1, n: 0, width: 1 },
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
