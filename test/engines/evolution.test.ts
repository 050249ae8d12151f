import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { prng } from '../../src/base/prng.js';
import { admit, initialise, newEvolution, restore, snapshot, step } from '../../src/engines/evolution/evolution.js';
import { hypervolume } from '../../src/engines/evolution/hypervolume.js';
import type { Population, Problem } from '../../src/engines/evolution/problem.js';
import { convergence, dtlz2, evolve, normalised, settingsFor, zdt1, zdts } from './evolution-problems.js';

const hashOf = (population: Population): string => {
  const hash = createHash('sha256');
  for (const part of [population.variables, population.objectives, population.crowding]) {
    const view = new DataView(new ArrayBuffer(8 * part.length));
    part.forEach((x, i) => view.setFloat64(8 * i, x));
    hash.update(new Uint8Array(view.buffer));
  }
  return hash.update(population.rank.join()).digest('hex');
};

/** Returns the hypervolume by inclusion and exclusion: adds and subtracts the volumes that sets of points have in common. */
function inclusionExclusion(rows: readonly (readonly number[])[], reference: readonly number[]): number {
  let sum = 0;
  for (let set = 1; set < 1 << rows.length; set++) {
    const chosen = rows.filter((_, i) => (set >> i) & 1);
    const volume = reference.reduce((v, limit, k) => v * Math.max(0, limit - Math.max(...chosen.map((row) => row[k]!))), 1);
    sum += chosen.length % 2 === 1 ? volume : -volume;
  }
  return sum;
}

describe('evolution: hypervolume', () => {
  for (const m of [2, 3]) {
    it(`is that of inclusion and exclusion for ${m} objectives`, () => {
      const row = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: m, maxLength: m });
      fc.assert(
        fc.property(fc.array(row, { maxLength: 9 }), (rows) => {
          const reference = [8, 9, 8].slice(0, m);
          assert.equal(hypervolume(Float64Array.from(rows.flat()), reference), inclusionExclusion(rows, reference));
        }),
        { numRuns: 300, seed: 2 },
      );
    });
  }
});

describe('evolution', () => {
  it('gives the same bytes as ever', () => {
    const two = evolve(zdt1(), { population: 40, generations: 20, seed: 1 });
    assert.equal(hashOf(two), 'a542d7fdb8afc032fcb1b48b9a455a8903bc4ac9e6c5a098524be4f67ae85fb3');
    const three = evolve(dtlz2(7), { population: 21, generations: 20, seed: 1, labels: [3] });
    assert.equal(hashOf(three), '8f7e0d01659cec0f6b6f0a753601565f463e8488a37d83ba6c91e8c4170ca28c');
  });

  it('comes near to the fronts of ZDT and DTLZ2', () => {
    for (const zdt of zdts().filter(({ name }) => name !== 'ZDT4')) {
      const { objectives, rank } = evolve(zdt.problem, { population: 100, generations: 250, seed: 1 });
      const least = { ZDT1: 0.66, ZDT2: 0.327, ZDT3: 0.511, ZDT6: 0.388 }[zdt.name]!;
      assert.ok(hypervolume(normalised(objectives, zdt), [1, 1]) > least, zdt.name);
      assert.ok(convergence(objectives, zdt.front) < 0.01, zdt.name);
      assert.ok(rank.every((r) => r === 0));
    }
    const { objectives } = evolve(dtlz2(12), { population: 100, generations: 100, seed: 1 });
    assert.ok(hypervolume(objectives, [1.1, 1.1, 1.1]) > 0.65);
  });

  it('continues from a snapshot as it would have without', () => {
    const one = evolutionOf(dtlz2(5), 13);
    initialise(one, prng(4, 0));
    for (let epoch = 1; epoch < 6; epoch++) step(one, prng(4, epoch));
    let population: Population | null = null;
    for (let epoch = 0; epoch < 6; epoch++) {
      const next = evolutionOf(dtlz2(5), 13);
      if (population === null) initialise(next, prng(4, 0));
      else {
        restore(next, population);
        step(next, prng(4, epoch));
      }
      population = snapshot(next);
    }
    assert.deepEqual(population, snapshot(one));
  });

  it('admits immigrants that are better and keeps its size', () => {
    const evolution = evolutionOf(zdt1(3), 6);
    initialise(evolution, prng(1));
    const best = new Float64Array(3);
    admit(evolution, { variables: Float64Array.of(...best, 1, 1, 1), objectives: Float64Array.of(0, 1, 1, 9) });
    const after = snapshot(evolution);
    assert.equal(after.rank.length, 6);
    const rows = Array.from(after.rank, (_, i) => [...after.objectives.subarray(2 * i, 2 * i + 2)].join());
    assert.equal(after.rank[rows.indexOf('0,1')], 0);
    assert.throws(() => admit(evolution, { variables: new Float64Array(3), objectives: new Float64Array(1) }), RangeError);
    assert.throws(
      () => admit(evolution, { variables: new Float64Array(3), objectives: Float64Array.of(0, Number.NaN) }),
      RangeError,
    );
    assert.throws(() => restore(evolutionOf(zdt1(4), 6), after), RangeError);
  });

  it('keeps its objectives true to its variables, whatever the size', () => {
    for (const [n, population, generations] of [
      [1, 4, 1],
      [2, 2, 3],
      [2, 5, 4],
      [3, 10_000, 1],
    ] as const) {
      const problem = n === 1 ? line : zdt1(n);
      const result = evolve(problem, { population, generations, seed: 7 });
      assert.equal(result.rank.length, population);
      const out = new Float64Array(2);
      for (let i = 0; i < population; i++) {
        problem.evaluate(result.variables.slice(i * n, (i + 1) * n), out);
        assert.deepEqual([...result.objectives.subarray(2 * i, 2 * i + 2)], [...out]);
      }
    }
  });

  it('keeps one of each copy before two of any, and a full population of copies', () => {
    const steps: Problem = {
      ...line,
      evaluate: (x, out) => out.fill(Math.min(3, Math.floor(4 * x[0]!))).set([-Math.min(3, Math.floor(4 * x[0]!))], 1),
    };
    const { objectives } = evolve(steps, { population: 12, generations: 30, seed: 1 });
    assert.deepEqual(
      [...new Set(objectives.filter((_, i) => i % 2 === 0))].sort((a, b) => a - b),
      [0, 1, 2, 3],
    );
    const flat: Problem = { ...line, evaluate: (_, out) => void out.fill(1) };
    const same = evolve(flat, { population: 12, generations: 3, seed: 1 });
    assert.deepEqual(
      [...same.rank],
      Array.from({ length: 12 }, () => 0),
    );
  });

  it('refuses objectives that are not finite', () => {
    for (const value of [Number.NaN, Infinity])
      assert.throws(
        () => evolve({ ...line, evaluate: (_, out) => void out.fill(value) }, { population: 4, generations: 1, seed: 1 }),
        RangeError,
      );
  });
});

const evolutionOf = (problem: Problem, population: number) => newEvolution(problem, settingsFor(problem, population));

/** One variable: minimise x² and (x − 2)² in 0 … 1 (Schaffer 1985). */
const line: Problem = {
  lower: Float64Array.of(0),
  upper: Float64Array.of(1),
  objectives: 2,
  evaluate: (x, out) => {
    out[0] = x[0]! * x[0]!;
    out[1] = (x[0]! - 2) * (x[0]! - 2);
  },
};
