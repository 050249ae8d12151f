import assert from 'node:assert/strict';
import fc from 'fast-check';
import { sha256 } from '../../src/base/bytes.js';
import { RefusalError } from '../../src/base/refusal.js';
import type { PositionRecord } from '../../src/state/block.js';
import { groupSize, memberKey, nameKey, Names } from '../../src/state/names.js';
import { Positions } from '../../src/state/positions.js';
import { effort } from '../support/effort.js';

const recordOf = (code: number, count: number): PositionRecord => ({
  code,
  count,
  history: sha256(`history ${count}`),
  row: sha256(`row ${code} ${count}`),
});

/** The stored nodes of positions, with the tree that is read from them. */
class Kept {
  readonly nodes = new Map<string, Buffer>();
  root: Buffer | null = null;

  constructor(public size: number) {}

  read(): Positions {
    return new Positions((level, n) => this.nodes.get(`${level}/${n}`) ?? null, this.size, this.root);
  }

  change(size: number, changes: ReadonlyMap<number, PositionRecord | null>): void {
    const tree = this.read();
    tree.grow(size);
    for (const [position, record] of changes) tree.set(position, record);
    const { root, changed } = tree.seal();
    for (const { level, n, bytes } of changed) {
      if (bytes === null) this.nodes.delete(`${level}/${n}`);
      else this.nodes.set(`${level}/${n}`, bytes);
    }
    Object.assign(this, { size, root });
  }
}

/** Positions of a journal in which the streams' newest entries move to the end, batch by batch. */
const batches = fc.array(fc.array(fc.nat(40), { minLength: 1, maxLength: 700 }), { minLength: 1, maxLength: 8 });

describe('the positions of the newest entries', () => {
  it('have the same nodes whether they were moved or made at once, and yield every record', () => {
    fc.assert(
      fc.property(batches, (given) => {
        const kept = new Kept(1);
        const newest = new Map<number, number>();
        let size = 0;
        for (const streams of given) {
          const changes = new Map<number, PositionRecord | null>();
          for (const stream of streams) {
            const before = newest.get(stream);
            if (before !== undefined) changes.set(before, null);
            newest.set(stream, ++size);
            changes.set(size, recordOf(stream % 5, size));
          }
          kept.change(size, changes);
        }
        const whole = new Kept(size);
        const records = new Map([...newest].map(([stream, position]) => [position, recordOf(stream % 5, position)]));
        whole.change(size, records);
        assert.deepEqual(kept.root, whole.root);
        assert.deepEqual(kept.nodes, whole.nodes);
        const tree = kept.read();
        assert.equal(tree.size(), kept.nodes.size);
        for (const [position, record] of records) assert.deepEqual(tree.at(position), record);
        for (const oldestFirst of [false, true]) {
          for (const [before, after] of [
            [Number.POSITIVE_INFINITY, 0],
            [Math.ceil(size / 2), Math.floor(size / 4)],
          ] as const) {
            const expected = [...records].filter(([at, { code }]) => code < 3 && at < before && at > after);
            expected.sort(([a], [b]) => (oldestFirst ? a - b : b - a));
            const walked = [...tree.walk((code) => code < 3, { before, after, oldestFirst })].map(({ position }) => position);
            assert.deepEqual(
              walked,
              expected.map(([position]) => position),
            );
          }
        }
        for (let code = 0; code < 5; code++) {
          const count = [...records.values()].filter((record) => record.code === code).length;
          assert.equal(tree.counts().get(code) ?? 0, count);
        }
      }),
      { numRuns: 20 * effort },
    );
  });

  it('have more levels as the journal grows', () => {
    const kept = new Kept(1);
    for (const size of [1, 64, 65, 2_048, 2_049, 65_536, 65_537, 70_000]) kept.change(size, new Map([[size, recordOf(1, size)]]));
    const tree = kept.read();
    assert.deepEqual(
      [...tree.walk(() => true, { before: 70_001, after: 0, oldestFirst: true })].map(({ position }) => position),
      [1, 64, 65, 2_048, 2_049, 65_536, 65_537, 70_000],
    );
    assert.equal(tree.at(3), null);
  });

  it('refuse a node that is missing, changed, or moved', () => {
    const kept = new Kept(1);
    kept.change(
      5_000,
      new Map([
        [1, recordOf(1, 1)],
        [4_000, recordOf(2, 2)],
        [5_000, recordOf(2, 3)],
      ]),
    );
    for (const [key, bytes] of Array.from(kept.nodes)) {
      const read = (): unknown => [kept.read().at(1), kept.read().at(4_000), kept.read().at(5_000)];
      for (let at = 0; at < bytes.length; at += 7) {
        const changed = Buffer.from(bytes);
        changed[at] = (changed[at] ?? 0) ^ 1;
        kept.nodes.set(key, changed);
        assert.throws(read, RefusalError, `${key} byte ${at}`);
      }
      kept.nodes.delete(key);
      assert.throws(read, RefusalError, key);
      for (const other of Array.from(kept.nodes.values())) {
        kept.nodes.set(key, other);
        assert.throws(read, RefusalError, key);
      }
      kept.nodes.set(key, bytes);
      read();
    }
  });
});

class KeptNames {
  readonly nodes = new Map<string, Buffer>();
  root: Buffer | null = null;

  read(): Names {
    return new Names((path) => this.nodes.get(path) ?? null, this.root);
  }

  add(names: Iterable<readonly [Buffer, number]>): void {
    const trie = this.read();
    for (const [key, sequence] of names) trie.add(key, sequence);
    const { root, changed } = trie.seal();
    for (const { path, bytes } of changed) this.nodes.set(path, bytes);
    this.root = root;
  }
}

describe('the names that exist', () => {
  it('have the same nodes in whatever order they were added, and prove that others do not exist', () => {
    const names = Array.from({ length: 3_000 }, (_, i) => [nameKey('stream', `name ${i}`), i + 1] as const);
    const [kept, whole] = [new KeptNames(), new KeptNames()];
    for (let at = 0; at < names.length; at += 250) kept.add(names.slice(at, at + 250));
    whole.add(names.toReversed());
    assert.deepEqual(kept.root, whole.root);
    assert.deepEqual(kept.nodes, whole.nodes);
    const trie = kept.read();
    assert.equal(trie.size(), kept.nodes.size);
    for (const [key, sequence] of names) assert.equal(trie.get(key), sequence);
    assert.equal(trie.get(nameKey('stream', 'name 3000')), null);
    assert.equal(trie.get(nameKey('group', 'name 1')), null);
  });

  it('count the members of a group', () => {
    for (const size of [0, 1, 2, 3, 7, 8, 100, 129]) {
      const kept = new KeptNames();
      kept.add(Array.from({ length: size }, (_, i) => [memberKey('of', i + 1), i + 1] as const));
      assert.equal(groupSize(kept.read(), 'of'), size);
      for (let i = 1; i <= size; i++) assert.equal(groupSize(kept.read(), 'of', i), i - 1);
      assert.equal(groupSize(kept.read(), 'other'), 0);
    }
  });

  it('refuse a node that is missing, changed, or moved', () => {
    const kept = new KeptNames();
    const names = Array.from({ length: 400 }, (_, i) => [nameKey('stream', String(i)), i + 1] as const);
    kept.add(names);
    const read = (): unknown => {
      const trie = kept.read();
      return names.map(([key]) => trie.get(key));
    };
    for (const [path, bytes] of Array.from(kept.nodes)) {
      const changed = Buffer.from(bytes);
      changed[bytes.length - 1] = (changed[bytes.length - 1] ?? 0) ^ 1;
      kept.nodes.set(path, changed);
      assert.throws(read, RefusalError, path);
      kept.nodes.delete(path);
      assert.throws(read, RefusalError, path);
      kept.nodes.set(path, path === '' ? Buffer.alloc(1) : kept.nodes.get('')!);
      assert.throws(read, RefusalError, path);
      kept.nodes.set(path, bytes);
      read();
    }
  });
});
