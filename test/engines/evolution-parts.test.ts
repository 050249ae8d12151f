import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { pow } from '../../src/base/math.js';
import { type Prng, prng } from '../../src/base/prng.js';
import { measureCrowd, newCrowd, thinOut } from '../../src/engines/evolution/crowding.js';
import { newFronts, rankFronts } from '../../src/engines/evolution/fronts.js';
import { drawParents, newMating } from '../../src/engines/evolution/evolution.js';
import { raise, takeRoots } from '../../src/engines/evolution/power.js';
import { cross, mutate, newVariation } from '../../src/engines/evolution/variation.js';

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

const columnsOf = (rows: Rows): 2 | 3 => (rows[0]!.length === 2 ? 2 : 3);

function frontsOf(rows: Rows) {
  const m = columnsOf(rows);
  const fronts = newFronts(rows.length, m);
  rankFronts(fronts, Float64Array.from(rows.flat()), rows.length, m);
  return fronts;
}

const crowdingOf = (rows: Rows): number[] => {
  const m = rows[0]!.length;
  const crowding = new Float64Array(rows.length).fill(-1);
  measureCrowd(newCrowd(rows.length, m), frontsOf(rows), 0, Float64Array.from(rows.flat()), m, crowding);
  return [...crowding];
};

describe('evolution: fronts', () => {
  for (const m of [2, 3]) {
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
  const large = 1.7e308;
  const cases: readonly (readonly [does: string, of: string, expected: readonly number[]])[] = [
    ['is the sum of the gaps as shares of the extents', '0 8, 1 4, 3 2, 4 0', [Infinity, 3 / 4 + 6 / 8, 3 / 4 + 4 / 8, Infinity]],
    [
      'is so for three objectives, in the first front only',
      '0 2 4, 1 0 5, 2 4 0, 0.5 1 4.5, 4 4 4',
      [Infinity, Infinity, Infinity, 1 / 2 + 2 / 4 + 1 / 5, -1],
    ],
    ['gives copies 0', '0 2, 0 2, 1 1, 1 1, 2 0', [Infinity, 0, 2, 0, Infinity]],
    ['gives copies alone 0', '1 1, 1 1', [Infinity, 0]],
    ['adds nothing for an objective without extent', '5 0 2, 5 1 1, 5 2 0', [Infinity, 2, Infinity]],
    ['stays a number for the largest objectives', `-${large} ${large}, 0 0, ${large} -${large}`, [Infinity, 2, Infinity]],
  ];
  for (const [does, of, expected] of cases)
    it(does, () => assert.deepEqual(crowdingOf(of.split(', ').map((row) => row.split(' ').map(Number))), expected));

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

describe('evolution: tournament', () => {
  it('lets each individual of an even population compete twice, and the better one win', () => {
    const rank = Int32Array.of(0, 0, 1, 1, 2, 2);
    const crowding = Float64Array.of(Infinity, 1, 3, 2, 1, 0);
    for (let seed = 0; seed < 50; seed++) {
      const mating = newMating(6);
      drawParents(mating, rank, crowding, prng(seed));
      const { parents, contenders } = mating;
      assert.deepEqual(
        [...contenders].sort((a, b) => a - b),
        [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5],
      );
      for (let i = 0; i < 6; i++) assert.equal(parents[i], Math.min(contenders[2 * i]!, contenders[2 * i + 1]!));
    }
  });
});

describe('evolution: powers', () => {
  it('lie within 4 units of the last place of the root for an exponent of 1/21', () => {
    const random = prng(3);
    for (let i = 0; i < 2000; i++) {
      const x = (1 + random.unit()) * 2 ** (random.below(80) - 60);
      const list = Float64Array.of(x);
      takeRoots(list, 1);
      const exact = BigInt(x * 2 ** 200) << 1060n;
      const difference = BigInt(list[0]! * 2 ** 60) ** 21n - exact;
      const error = Number((difference << 60n) / exact) / 2 ** 60 / 21;
      assert.ok(Math.abs(error) < 4 * 2 ** -52, `${x}`);
    }
  });

  it('agree with pow for an exponent of 21', () => {
    for (const x of [0, 0.3, 1, 1.0000001, 2, 7]) {
      const list = Float64Array.of(x, x);
      raise(list, 1);
      const expected = pow(x, 21);
      assert.ok(list[0] === expected || Math.abs(list[0]! / expected - 1) < 2.1e-11, `${x}^21: ${list[0]} for ${expected}`);
      assert.equal(list[1], x);
    }
  });
});

/** Draws the given numbers of 32 bits. */
const scripted = (...drawn: readonly number[]): Prng => {
  const left = [...drawn];
  return { uint32: () => left.shift()!, below: () => 0, unit: () => 0 };
};
const half = 2 ** 31;

describe('evolution: operators', () => {
  const variation = newVariation(Float64Array.of(0, 0), Float64Array.of(10, 10), {
    crossover_probability: 1,
    mutation_probability: 0.5,
  });
  const root = (x: number): number => x ** (1 / 21);

  it('cross as worked out by hand (η 20, bounds 0 and 10, parents 2 and 6)', () => {
    // To 0: β = 1 + 2·2/4 = 2, α = 2 − 2^-21; to 10: β = 1 + 2·4/4 = 3, α = 2 − 3^-21. u = ¼: β_q = (u·α)^(1/21).
    const genes = Float64Array.of(2, 5, 6, 5, 0, 0, 0, 0);
    cross(variation, genes, Int32Array.of(0, 1), 2, scripted(0, 0b0101, half / 2 - 0.5));
    const below = 4 - 2 * root(0.25 * (2 - 2 ** -21));
    const above = 4 + 2 * root(0.25 * (2 - 3 ** -21));
    [below, 5, above, 5].forEach((x, i) => assert.ok(Math.abs(genes[4 + i]! - x) < 1e-14, `${genes[4 + i]} for ${x}`));
    cross(variation, genes, Int32Array.of(0, 1), 2, scripted(0, 0b0111, half / 2 - 0.5));
    assert.ok(Math.abs(genes[4]! - above) < 1e-14 && Math.abs(genes[6]! - below) < 1e-14, 'children exchanged');
  });

  it('mutate as worked out by hand (η 20, bounds 0 and 10)', () => {
    // Gap draws: the first passes no gene, the second one; u = ⅛ at 4: (¼ + ¾·0.6^21)^(1/21) − 1 of 10.
    const genes = Float64Array.of(4, 4, 4, 4);
    const skip = Array.from({ length: 64 }, (_, i) => (i === 0 ? 0.75 : 0.375) * 2 ** 32);
    mutate(variation, genes, 0, 1, scripted(...skip, half / 4 - 0.5));
    const moved = 4 + 10 * (root(0.25 + 0.75 * 0.6 ** 21) - 1);
    [moved, 4, 4, 4].forEach((x, i) => assert.ok(Math.abs(genes[i]! - x) < 1e-14, `${genes[i]} for ${x}`));
  });

  it('keep to the bounds, leave fixed variables and mutate at their rate', () => {
    const [lower, upper] = [Float64Array.of(-1e9, 0, 3), Float64Array.of(1e9, 1e-9, 3)];
    const wild = newVariation(lower, upper, { crossover_probability: 1, mutation_probability: 0.25 });
    const random = prng(9);
    const genes = new Float64Array(3 * 2002).map((_, i) => lower[i % 3]! + random.unit() * (upper[i % 3]! - lower[i % 3]!));
    const before = genes.slice();
    mutate(wild, genes, 2, 2002, random);
    const changed = genes.reduce((count, x, i) => count + (x === before[i] ? 0 : 1), 0);
    assert.ok(changed > 900 && changed < 1100, `${changed} of 4000 that can`);
    for (let row = 0; row + 4 <= 2002; row += 4) cross(wild, genes, Int32Array.of(row, row + 1), row + 2, random);
    genes.forEach((x, i) => assert.ok(x >= lower[i % 3]! && x <= upper[i % 3]!));
  });
});
