/** The simulation against measured tables, against its definitions, and against itself. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as path from 'node:path';
import fc from 'fast-check';
import { canonicalJson } from '../../src/base/canonical-json.js';
import { simulate } from '../../src/engines/simulation/engine.js';
import { packageRoot } from '../support/package-root.js';
import { disruptionYears, plainWorth, requestOf, run } from '../support/simulation.js';

interface Table {
  readonly tolerance: number;
  readonly cases: readonly {
    readonly request: { readonly horizon?: number };
    readonly capability?: readonly number[];
    readonly affected?: readonly number[];
  }[];
}
const table = (name: string): Table =>
  JSON.parse(
    readFileSync(path.join(packageRoot(import.meta.url), 'test', 'vectors', 'simulation', `${name}.json`), 'utf8'),
  ) as Table;

const near = (actual: number, expected: number, what: string): void => {
  const room = 1e-9 * Math.max(1, Math.abs(expected));
  assert.ok(Math.abs(actual - expected) <= room, `${what}: ${actual} is not ${expected}`);
};

describe('conformance of the simulation', () => {
  const { tolerance, cases } = table('capability');
  for (const [i, { request, capability = [] }] of cases.entries()) {
    it(`reaches the capability of case ${i + 1}: ${JSON.stringify(request)}`, () => {
      const { forecast } = run(request);
      assert.deepEqual(
        forecast.map(({ year }) => year),
        capability.map((_, y) => y + 1),
      );
      for (const [y, expected] of capability.entries())
        assert.ok(Math.abs(forecast[y]!.capability - expected) <= tolerance, `year ${y + 1}: ${forecast[y]!.capability}`);
    });
  }
  for (const { request, affected } of table('disruption').cases) {
    it(`disrupts the sectors of ${JSON.stringify(request)}`, () => {
      assert.deepEqual(
        run(request).forecast.map((entry) => entry.affected),
        affected,
      );
    });
  }

  it('warns when no sector can be disrupted', () => {
    assert.match(run({}).warnings.join(), /^no sector can be disrupted under these inputs/);
    assert.deepEqual(run({ entropy: 1.2 }).warnings, []);
    assert.match(run({ entropy: 0 }).warnings.join(), /^no sector has entropy/);
    assert.match(run({ curve: 'linear', entropy: 1.2 }).warnings.join(), /^no sector is disrupted within the horizon/);
    assert.match(run({ curve: 'linear', entropy: 2, k: 3 }).warnings.join(), /k and x0 do not apply/);
    assert.match(run({ sectors: [{ name: 'a', entropy: 2 }], energy: 3 }).warnings.join(), /not used beside a list/);
  });
});

const sector = fc.record({
  energy: fc.double({ min: 0.1, max: 3, noNaN: true }),
  entropy: fc.double({ min: 0.1, max: 4, noNaN: true }),
  growth: fc.double({ min: -0.3, max: 0.3, noNaN: true }),
});
const sectors = fc.array(sector, { minLength: 1, maxLength: 6 }).map((all) => all.map((one, i) => ({ ...one, name: `n${i}` })));
const scenario = fc.record({
  horizon: fc.integer({ min: 1, max: 12 }),
  curve: fc.constantFrom('logistic', 'linear', 'exponential'),
  k: fc.double({ min: 1, max: 12, noNaN: true }),
  x0: fc.double({ min: -0.2, max: 0.6, noNaN: true }),
  sectors,
  pop_size: fc.integer({ min: 2, max: 9 }),
  generations: fc.integer({ min: 1, max: 4 }),
});

describe('the population', () => {
  it('is worth what the definitions say, genome by genome', () => {
    fc.assert(
      fc.property(scenario, (document) => {
        const { population, request } = run(document);
        assert.equal(population.length, document.pop_size);
        for (const { genome, ...worth } of population) {
          const expected = plainWorth(request, genome);
          near(worth.effectiveness, expected.effectiveness, 'effectiveness');
          near(worth.risk, expected.risk, 'risk');
          near(worth.complexity, expected.complexity, 'complexity');
        }
      }),
      { numRuns: 60 },
    );
  });

  it('is ranked by dominance, best first', () => {
    const { population } = run({
      pop_size: 60,
      generations: 4,
      sectors: ['a', 'b', { name: 'c', entropy: 3 }, { name: 'd', entropy: 2 }],
    });
    const dominates = (a: (typeof population)[0], b: (typeof population)[0]): boolean =>
      a.effectiveness >= b.effectiveness &&
      a.risk <= b.risk &&
      a.complexity <= b.complexity &&
      (a.effectiveness > b.effectiveness || a.risk < b.risk || a.complexity < b.complexity);
    for (const one of population) {
      const isFront = !population.some((other) => dominates(other, one));
      assert.equal(one.rank === 0, isFront);
    }
    assert.deepEqual(
      population.map(({ rank }) => rank),
      population.map(({ rank }) => rank).toSorted((a, b) => a - b),
    );
  });

  it('has no effect and no risk but the energies without entropy', () => {
    for (const { effectiveness, risk } of run({ entropy: 0, horizon: 2 }).population) {
      assert.equal(effectiveness, 0);
      assert.equal(risk, -(1.05 + 1.1025) / 2);
    }
  });
});

describe('a run', () => {
  it('gives the same bytes with the same seed, and others with another seed', () => {
    const document = { pop_size: 40, generations: 20, entropy: 2, samples: 20 };
    assert.equal(canonicalJson(run(document)), canonicalJson(run(document)));
    assert.notEqual(canonicalJson(run(document).population), canonicalJson(run(document, ['main'], 43).population));
  });

  it('reports every year and every generation once, and stops when its checkpoint throws', () => {
    const years: number[][] = [];
    const generations: number[] = [];
    const watch = {
      checkpoint: (done: number) => assert.ok(done >= 0 && done <= 1),
      onYear: (year: number, affected: number) => void years.push([year, affected]),
      onGeneration: (generation: number) => void generations.push(generation),
    };
    simulate(requestOf({ horizon: 3, curve: 'linear', energy: 0.5, generations: 12, pop_size: 8 }), ['a', 'b'], watch);
    assert.deepEqual(years, [
      [1, 0],
      [2, 6],
      [3, 6],
    ]);
    assert.deepEqual(
      generations,
      Array.from({ length: 12 }, (_, i) => i + 1),
    );
    let left = 5;
    const stop = (): void => {
      if (--left === 0) throw new Error('stop');
    };
    assert.throws(() => simulate(requestOf({ generations: 10_000 }), ['main'], { checkpoint: stop }), /^Error: stop$/);
    assert.equal(left, 0);
  });

  it('keeps quantiles in order, around a forecast that samples do not change', () => {
    const plain = run({ horizon: 8, x0: 0.5 });
    const sampled = run({ horizon: 8, x0: 0.5, samples: 500 });
    for (const [i, { p05, p25, p50, p75, p95, ...entry }] of sampled.forecast.entries()) {
      assert.deepEqual(entry, plain.forecast[i]);
      const all = [0, p05!, p25!, p50!, p75!, p95!, 1];
      assert.deepEqual(
        all,
        all.toSorted((a, b) => a - b),
      );
      assert.ok(p05! < p95!);
    }
    assert.deepEqual(sampled.population, plain.population);
  });

  it('has one sample as every quantile', () => {
    for (const { p05, p25, p50, p75, p95 } of run({ samples: 1 }).forecast)
      assert.deepEqual([p05, p25, p75, p95], [p50, p50, p50, p50]);
  });

  it('is finite at the ends of every bound', () => {
    const huge = { name: 'a', energy: 1e12, entropy: 1e12, growth: 10 };
    for (const document of [
      { horizon: 200, sectors: [huge, { name: 'b', energy: 0, entropy: 1e12, growth: -1 }] },
      { k: 1e308, x0: -1e308 },
      { k: -1e308, x0: 1e308, curve: 'exponential', samples: 3 },
      { k: 5e-324, curve: 'exponential', samples: 3 },
      { k: -5e-324, samples: 3 },
      { k: Number.MAX_VALUE, x0: 0.2, curve: 'exponential', samples: 3 },
      { mut_rate: 0, xover_rate: 0, pop_size: 2, generations: 1, num_sectors: 1 },
      { mut_rate: 1, xover_rate: 1, pop_size: 3, generations: 6, num_sectors: 40 },
    ]) {
      const outcome = run(document);
      canonicalJson(outcome);
      for (const { capability } of outcome.forecast) assert.ok(capability >= 0 && capability <= 1, JSON.stringify(document));
    }
    const beyond = run({ horizon: 200, sectors: [huge, { name: 'b', energy: 0, entropy: 1e12, growth: 10 }] });
    assert.equal(
      beyond.hypervolume === null,
      beyond.warnings.some((text) => text.startsWith('the hypervolume is beyond')),
    );
  });

  it('names disruption years as its own paths say', () => {
    const document = {
      horizon: 10,
      curve: 'linear',
      sectors: [
        { name: 'a', entropy: 2 },
        { name: 'b', energy: 9 },
      ],
    };
    const years = disruptionYears(requestOf(document));
    assert.deepEqual(years, [8, null]);
    assert.deepEqual(
      run(document).sectors.map(({ name, disrupted_year }) => [name, disrupted_year]),
      [
        ['a', 8],
        ['b', null],
      ],
    );
    const { energy } = run(document).sectors[0]!;
    assert.deepEqual(energy.slice(8), [energy[7], energy[7]]);
  });
});
