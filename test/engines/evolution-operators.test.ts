import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { pow } from '../../src/base/math.js';
import { type Prng, prng } from '../../src/base/prng.js';
import { drawParents, newMating } from '../../src/engines/evolution/mating.js';
import { powerOf, raise } from '../../src/engines/evolution/power.js';
import { cross, mutate, newVariation } from '../../src/engines/evolution/variation.js';

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
      const x = (random.unit() + 2 ** -53) * 2 ** (random.below(80) - 60);
      const list = Float64Array.of(x);
      raise(powerOf(1 / 21), list, 1);
      const exact = BigInt(x * 2 ** 200) << 1060n;
      const difference = BigInt(list[0]! * 2 ** 60) ** 21n - exact;
      const error = Number((difference << 60n) / exact) / 2 ** 60 / 21;
      assert.ok(Math.abs(error) < 4 * 2 ** -52, `${x}`);
    }
  });

  it('agree with pow for whole, broken, large and tiny arguments', () => {
    for (const y of [1, 2, 21, 64, 0.5, 1 / 3, 0.999, 1.5, 2.5, 1e-3]) {
      for (const x of [0, 1e-310, 1e-30, 0.3, 1, 1.0000001, 2, 7, 1e30]) {
        const list = Float64Array.of(x, x);
        raise(powerOf(y), list, 1);
        const expected = pow(x, y);
        const near = list[0] === expected || Math.abs(list[0]! / expected - 1) < 1e-12 * Math.max(1, y);
        assert.ok(near, `${x}^${y}: ${list[0]} for ${expected}`);
        assert.equal(list[1], x);
      }
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
  const operators = { crossover_probability: 1, crossover_index: 1, mutation_probability: 0.5, mutation_index: 1 };
  const variation = newVariation(Float64Array.of(0, 0), Float64Array.of(10, 10), operators);

  it('cross as worked out by hand (η 1, bounds 0 and 10, parents 2 and 6)', () => {
    // To 0: β = 1 + 2·2/4 = 2, α = 2 − 1/4; to 10: β = 1 + 2·4/4 = 3, α = 2 − 1/9. u = ¼: β_q = √(u·α).
    const genes = Float64Array.of(2, 5, 6, 5, 0, 0, 0, 0);
    cross(variation, genes, Int32Array.of(0, 1), 2, scripted(0, 0b0101, half / 2 - 0.5));
    const below = 4 - 2 * Math.sqrt(0.25 * 1.75);
    const above = 4 + 2 * Math.sqrt(0.25 * (2 - 1 / 9));
    [below, 5, above, 5].forEach((x, i) => assert.ok(Math.abs(genes[4 + i]! - x) < 1e-14, `${genes[4 + i]} for ${x}`));
    cross(variation, genes, Int32Array.of(0, 1), 2, scripted(0, 0b0111, half / 2 - 0.5));
    assert.ok(Math.abs(genes[4]! - above) < 1e-14 && Math.abs(genes[6]! - below) < 1e-14, 'children exchanged');
  });

  it('mutate as worked out by hand (η 1, bounds 0 and 10)', () => {
    // Gap draws: the first passes no gene, the second one; u = ⅛ at 4: √(¼ + ¾·0.6²) − 1 of 10.
    const genes = Float64Array.of(4, 4, 4, 4);
    const skip = Array.from({ length: 64 }, (_, i) => (i === 0 ? 0.75 : 0.375) * 2 ** 32);
    mutate(variation, genes, 0, 1, scripted(...skip, half / 4 - 0.5));
    const moved = 4 + 10 * (Math.sqrt(0.25 + 0.75 * 0.36) - 1);
    [moved, 4, 4, 4].forEach((x, i) => assert.ok(Math.abs(genes[i]! - x) < 1e-14, `${genes[i]} for ${x}`));
  });

  it('keep to the bounds, leave fixed variables and mutate at their rate', () => {
    const [lower, upper] = [Float64Array.of(-1e9, 0, 3), Float64Array.of(1e9, 1e-9, 3)];
    const wild = newVariation(lower, upper, {
      ...operators,
      crossover_index: 0,
      mutation_index: 0.5,
      mutation_probability: 0.25,
    });
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
