import * as fc from 'fast-check';
import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { measureCrowd, newCrowd, thinOut } from '../../src/engines/evolution/crowding.js';
import { newFronts, rankFronts } from '../../src/engines/evolution/fronts.js';

const settings = { numRuns: 200, seed: 5 };

type Rows = readonly (readonly number[])[];

/** Few values, so that ties, copies and single fronts are common; or many. */
const rowsOf = (m: number, n = 40): fc.Arbitrary<Rows> =>
  fc
    .oneof(fc.constant(1), fc.constant(3), fc.constant(1e6))
    .chain((top) =>
      fc.array(fc.array(fc.integer({ min: 0, max: top }), { minLength: m, maxLength: m }), { minLength: 1, maxLength: n }),
    );

const dominates = (a: readonly number[], b: readonly number[]): boolean =>
  a.every((x, k) => x <= b[k]!) && a.some((x, k) => x < b[k]!);

function ranksByDefinition(rows: Rows): number[] {
  const rank = rows.map(() => -1);
  for (let front = 0; rank.includes(-1); front++) {
    const left = rows.map((_, i) => i).filter((i) => rank[i] === -1);
    for (const i of left.filter((i) => !left.some((j) => dominates(rows[j]!, rows[i]!)))) rank[i] = front;
  }
  return rank;
}

function frontsOf(rows: Rows) {
  const m = rows[0]!.length;
  const fronts = newFronts(rows.length, m);
  rankFronts(fronts, Float64Array.from(rows.flat()), rows.length, m);
  return fronts;
}

const crowdingOf = (rows: Rows, front: number): Float64Array => {
  const m = rows[0]!.length;
  const crowding = new Float64Array(rows.length).fill(-1);
  measureCrowd(newCrowd(rows.length, m), frontsOf(rows), front, Float64Array.from(rows.flat()), m, crowding);
  return crowding;
};

describe('evolution: fronts', () => {
  for (const m of [1, 2, 3, 4]) {
    it(`are those of the definition with ${m} objectives, members in lexicographic order, copies marked`, () => {
      fc.assert(
        fc.property(rowsOf(m), (rows) => {
          const fronts = frontsOf(rows);
          const expected = ranksByDefinition(rows);
          assert.deepEqual([...fronts.rank], expected);
          assert.equal(fronts.count, Math.max(...expected) + 1);
          const text = rows.map((row) => JSON.stringify(row));
          text.forEach((row, i) => assert.equal(fronts.isCopy[i] === 1, text.indexOf(row) < i));
          const order = rows
            .map((_, i) => i)
            .sort(
              (a, b) => expected[a]! - expected[b]! || rows[a]!.map((x, k) => x - rows[b]![k]!).find((d) => d !== 0) || a - b,
            );
          assert.deepEqual([...fronts.members], order);
        }),
        settings,
      );
    });
  }

  it('take one front of 5000, 5000 fronts, and 5000 copies', () => {
    const n = 5000;
    const list = Array.from({ length: n }, (_, i) => i);
    for (const m of [2, 3]) {
      const rest = (i: number): number[] => (m === 3 ? [i % 7] : []);
      assert.equal(frontsOf(list.map((i) => [i, ...(m === 3 ? [0] : []), -i])).count, 1);
      assert.equal(frontsOf(list.map((i) => [i, i, ...(m === 3 ? [i] : [])])).count, n);
      assert.equal(frontsOf(list.map(() => [1, 2, ...rest(0)])).count, 1);
    }
  });

  it('treat −0 and 0 as equal and infinities as values', () => {
    assert.deepEqual(
      [
        ...frontsOf([
          [0, -0],
          [-0, 0],
          [Infinity, -Infinity],
          [Infinity, 0],
        ]).rank,
      ],
      [0, 0, 0, 1],
    );
  });
});

describe('evolution: crowding distance', () => {
  it('is the sum of the gaps as shares of the extents', () => {
    assert.deepEqual(
      [
        ...crowdingOf(
          [
            [0, 8],
            [1, 4],
            [3, 2],
            [4, 0],
          ],
          0,
        ),
      ],
      [Infinity, 3 / 4 + 6 / 8, 3 / 4 + 4 / 8, Infinity],
    );
    const three = [
      [0, 2, 4],
      [1, 0, 5],
      [2, 4, 0],
      [0.5, 1, 4.5],
      [4, 4, 4],
    ];
    assert.deepEqual([...crowdingOf(three, 0)], [Infinity, Infinity, Infinity, 1 / 2 + 2 / 4 + 1 / 5, -1]);
  });

  it('gives copies 0 and adds nothing for an objective without extent', () => {
    assert.deepEqual(
      [
        ...crowdingOf(
          [
            [0, 2],
            [0, 2],
            [1, 1],
            [1, 1],
            [2, 0],
          ],
          0,
        ),
      ],
      [Infinity, 0, 2, 0, Infinity],
    );
    assert.deepEqual(
      [
        ...crowdingOf(
          [
            [1, 1],
            [1, 1],
          ],
          0,
        ),
      ],
      [Infinity, 0],
    );
    assert.deepEqual(
      [
        ...crowdingOf(
          [
            [5, 0, 2],
            [5, 1, 1],
            [5, 2, 0],
          ],
          0,
        ),
      ],
      [Infinity, 2, Infinity],
    );
  });

  it('stays a number for the largest objectives', () => {
    const large = 1.7e308;
    assert.deepEqual(
      [
        ...crowdingOf(
          [
            [-large, large],
            [0, 0],
            [large, -large],
          ],
          0,
        ),
      ],
      [Infinity, 2, Infinity],
    );
  });

  for (const m of [2, 3]) {
    it(`thins out a front of ${m} objectives like removing the worst one by one and measuring again`, () => {
      const places = fc.uniqueArray(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 30 });
      fc.assert(
        fc.property(places, fc.nat(29), (xs, wish) => {
          const room = Math.min(wish + 1, xs.length);
          const rows = xs.map((x) => (m === 2 ? [x, -x] : [x, (37 * x) % 61, -x - ((37 * x) % 61)]));
          const objectives = Float64Array.from(rows.flat());
          const crowd = newCrowd(rows.length, m);
          const crowding = new Float64Array(rows.length);
          measureCrowd(crowd, frontsOf(rows), 0, objectives, m, crowding);
          thinOut(crowd, objectives, m, crowding, room);
          const left = thinnedByDefinition(rows, room);
          assert.deepEqual([...crowd.list.subarray(0, crowd.size)].sort(ascending), left.sort(ascending));
        }),
        settings,
      );
    });
  }
});

const ascending = (a: number, b: number): number => a - b;

function thinnedByDefinition(rows: Rows, room: number): number[] {
  let order = rows.map((_, i) => i);
  const orders = rows[0]!.map((_, k) => (order = order.toSorted((a, b) => rows[a]![k]! - rows[b]![k]!)));
  let left = order;
  const distance = (p: number): number =>
    orders.reduce((sum, all, k) => {
      const kept = all.filter((q) => left.includes(q));
      const [low, high] = [kept[kept.indexOf(p) - 1], kept[kept.indexOf(p) + 1]];
      if (low === undefined || high === undefined) return Infinity;
      return sum + (rows[high]![k]! - rows[low]![k]!) / (rows[all.at(-1)!]![k]! - rows[all[0]!]![k]!);
    }, 0);
  while (left.length > room) {
    const distances = new Map(left.map((p) => [p, distance(p)]));
    const worst = left.toSorted((a, b) =>
      distances.get(a) === distances.get(b) ? b - a : distances.get(a)! - distances.get(b)!,
    )[0];
    left = left.filter((p) => p !== worst);
  }
  return left;
}
