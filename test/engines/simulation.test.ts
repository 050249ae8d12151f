/** The simulation against measured tables, against its definitions, and against itself. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as path from 'node:path';
import fc from 'fast-check';
import { canonicalJson } from '../../src/base/canonical-json.js';
import { newEvolution, restore, snapshot } from '../../src/engines/evolution/evolution.js';
import { simulate } from '../../src/engines/simulation/engine.js';
import { epoch_generations, evolveEpoch, islandSizes, migrate, newIslands } from '../../src/engines/simulation/islands.js';
import { modelOf, problemOf } from '../../src/engines/simulation/model.js';
import { pathOf, scenarioOf } from '../../src/engines/simulation/scenario.js';
import { atEffort } from '../support/effort.js';
import { packageRoot } from '../support/package-root.js';
import { disruptionYears, plainWorth, requestOf, run } from '../support/app/simulation.js';
import { membersOf } from '../support/lists.js';

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
      assert.deepEqual(membersOf(run(request).forecast, 'affected'), affected);
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
  it('reports every generation once, and stops when its checkpoint throws', () => {
    const generations: number[] = [];
    const watch = {
      checkpoint: (done: number) => assert.ok(done >= 0 && done <= 1),
      onGeneration: (generation: number) => void generations.push(generation),
    };
    simulate(requestOf({ horizon: 3, curve: 'linear', energy: 0.5, generations: 12, pop_size: 8 }), ['a', 'b'], watch);
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

  it('is finite at the ends of every bound', () => {
    const huge = { name: 'a', energy: 1e12, entropy: 1e12, growth: 10 };
    for (const document of [
      { horizon: 200, sectors: [huge, { name: 'b', energy: 0, entropy: 1e12, growth: -1 }] },
      { k: 1e308, x0: -1e308, spread: 4 },
      { k: -1e308, x0: 1e308, curve: 'exponential', samples: 20 },
      { k: 5e-324, curve: 'exponential', samples: 20 },
      { k: -5e-324, samples: 20 },
      { k: Number.MAX_VALUE, x0: 0.2, curve: 'exponential', samples: 20 },
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

const request = requestOf({ pop_size: 31, generations: 10, entropy: 2, curve: 'linear' });
const modelNow = () => {
  const scenario = scenarioOf(request);
  return modelOf(
    scenario,
    scenario.sectors.map((sector) => pathOf(scenario, sector)),
  );
};

describe('islands', () => {
  it('share the population, and the first ones have one more', () => {
    assert.deepEqual(islandSizes(31, 3), [11, 10, 10]);
    assert.deepEqual(islandSizes(6, 1), [6]);
    assert.equal(run({ pop_size: 31 }, ['a', 'b', 'c']).population.length, 31);
  });

  it('are part of the outcome: other names in number give other populations', () => {
    const document = { pop_size: 30, generations: 12, entropy: 2 };
    const one = run(document, ['main']);
    const two = run(document, ['a', 'b']);
    assert.deepEqual(two.islands, ['a', 'b']);
    assert.notEqual(canonicalJson(one.population), canonicalJson(two.population));
    assert.equal(canonicalJson(two), canonicalJson(run(document, ['a', 'b'])));
  });

  it('evolve apart, backwards and from snapshots to the same bytes', () => {
    const model = modelNow();
    const [forward, backward] = [newIslands(model, request, 3), newIslands(model, request, 3)];
    const settings = { seed: request.seed, generations: epoch_generations };
    for (const epoch of [0, 1]) {
      if (epoch > 0) {
        migrate(forward);
        migrate(backward);
      }
      for (const [place, island] of forward.entries()) evolveEpoch(island, { ...settings, place, epoch }, () => undefined);
      for (const place of [2, 1, 0]) {
        // As another thread would: made again from what it was sent.
        const probabilities = { crossover_probability: request.xover_rate, mutation_probability: request.mut_rate };
        const elsewhere = newEvolution(problemOf(modelNow()), { population: backward[place]!.size, ...probabilities });
        if (epoch > 0) restore(elsewhere, snapshot(backward[place]!));
        evolveEpoch(elsewhere, { ...settings, place, epoch }, () => undefined);
        restore(backward[place]!, snapshot(elsewhere));
      }
      assert.deepEqual(backward.map(snapshot), forward.map(snapshot));
    }
  });

  it('send their two best to the next one, the last to the first', () => {
    const islands = newIslands(modelNow(), request, 3);
    for (const [place, island] of islands.entries())
      evolveEpoch(island, { seed: 1, place, epoch: 0, generations: 1 }, () => undefined);
    const before = islands.map(snapshot);
    migrate(islands);
    const rows = ({ variables }: (typeof before)[0]): string[] =>
      Array.from({ length: variables.length / 6 }, (_, i) => variables.subarray(i * 6, i * 6 + 6).join());
    for (const [i, island] of islands.entries()) {
      const own = new Set(rows(before[i]!));
      const arrived = rows(snapshot(island)).filter((row) => !own.has(row));
      const source = new Set(rows(before[(i + 2) % 3]!));
      assert.ok(arrived.length <= 2 && arrived.every((row) => source.has(row)), `island ${i}`);
    }
  });
});

const between = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const mildSector = fc.record({ energy: between(0.2, 2), entropy: between(0.5, 3), growth: between(0.01, 0.2) });
const base = fc.record({
  horizon: fc.integer({ min: 3, max: 12 }),
  curve: fc.constantFrom('logistic', 'linear', 'exponential'),
  // A tenth of a small rate may fall between all of a run's random numbers: of 400 pairs, three in a hundred are 12.
  mut_rate: between(0.1, 0.8),
  xover_rate: between(0.3, 0.8),
  k: between(2, 10),
  x0: between(0.1, 0.5),
  energy: between(0.2, 2),
  entropy: between(0.5, 3),
  num_sectors: fc.integer({ min: 2, max: 9 }),
  seed: fc.integer({ min: 1, max: 3_500_000_000 }),
  sectors: fc.option(
    fc.array(mildSector, { minLength: 2, maxLength: 5 }).map((all) => all.map((one, i) => ({ ...one, name: `n${i}` }))),
  ),
});
type Base = typeof base extends fc.Arbitrary<infer A> ? A : never;

const more = (value: number): number => (Number.isInteger(value) ? value + Math.max(1, Math.round(value / 10)) : value * 1.1);
const size = { pop_size: 40, generations: 20 };

/** Requests that differ from the base in one field that applies, by a tenth. */
function changes(from: Base): Readonly<Record<string, object>> {
  const isLinear = from.curve === 'linear';
  const fields: (keyof Base)[] = ['horizon', 'mut_rate', 'xover_rate', 'seed'];
  if (!isLinear) fields.push('k', 'x0');
  if (from.sectors === null) fields.push('energy', 'entropy', 'num_sectors');
  // Half as many generations more: in 7 of 12,500 runs no child of generations 21 and 22 was better than its parents.
  const all: Record<string, object> = { pop_size: { pop_size: 44 }, generations: { generations: 30 } };
  for (const field of fields) all[field] = { [field]: more(from[field] as number) };
  all['curve'] = { curve: isLinear ? 'logistic' : 'linear' };
  for (const [i, one] of (from.sectors ?? []).entries()) {
    for (const field of ['energy', 'entropy', 'growth'] as const) {
      const changed = { ...one, [field]: one[field] * 1.1 };
      all[`sectors[${i}].${field}`] = { sectors: from.sectors!.map((other, j) => (i === j ? changed : other)) };
    }
  }
  return all;
}

describe('every request field that applies', () => {
  it('changes the population, by a tenth at 40 × 20', () => {
    fc.assert(
      fc.property(base, (from) => {
        const before = canonicalJson(run({ ...size, ...from }).population);
        for (const [field, change] of Object.entries(changes(from)))
          assert.notEqual(canonicalJson(run({ ...size, ...from, ...change }).population), before, field);
      }),
      { numRuns: atEffort(15, 200) },
    );
  });

  it('has no effect where it does not apply; samples change the quantiles and not the population', () => {
    const from = { ...size, samples: 20 };
    const before = run(from);
    const after = run({ ...from, samples: 22 });
    assert.notDeepEqual(after.forecast, before.forecast);
    assert.deepEqual(after.population, before.population);
    const same = (document: object, change: object): void =>
      assert.deepEqual(run({ ...document, ...change }).population, run(document).population);
    same({ ...size, curve: 'linear' }, { k: 3, x0: 0.4 });
    same({ ...size, sectors: ['a', 'b'] }, { energy: 2, entropy: 2, num_sectors: 9 });
    same(size, { k: 0, x0: null, sectors: [] });
  });
});
