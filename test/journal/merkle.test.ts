import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, it } from 'mocha';
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
import { Tree } from '../../src/journal/tree.js';
import { effort } from '../support/effort.js';
import { packageRoot } from '../support/package-root.js';
import { leafNumber, leavesTo, naivePath, naiveProof, naiveRoot, readerOf } from './naive-tree.js';

interface Vectors {
  readonly consistency: readonly {
    readonly name: string;
    readonly size1: number;
    readonly size2: number;
    readonly root1: string;
    readonly root2: string;
    readonly proof: readonly string[] | null;
    readonly wantErr: boolean;
  }[];
  readonly inclusion: readonly {
    readonly name: string;
    readonly leafIdx: number;
    readonly treeSize: number;
    readonly root: string;
    readonly leafHash: string;
    readonly proof: readonly string[] | null;
    readonly wantErr: boolean;
  }[];
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
