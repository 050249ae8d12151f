/** Changing any single request field that applies changes the population. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { canonicalJson } from '../../src/base/canonical-json.js';
import { run } from '../support/simulation.js';
import { atEffort } from '../support/effort.js';

const between = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const sector = fc.record({ energy: between(0.2, 2), entropy: between(0.5, 3), growth: between(0.01, 0.2) });
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
    fc.array(sector, { minLength: 2, maxLength: 5 }).map((all) => all.map((one, i) => ({ ...one, name: `n${i}` }))),
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
  const all: Record<string, object> = { pop_size: { pop_size: 44 }, generations: { generations: 22 } };
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

  it('changes it from the defaults too', () => {
    const from = { ...size, seed: 5 };
    const before = canonicalJson(run(from).population);
    const all: Readonly<Record<string, unknown>> = {
      horizon: 6,
      pop_size: 44,
      generations: 22,
      mut_rate: 0.11,
      xover_rate: 0.55,
      curve: 'linear',
      k: 11,
      x0: 0.1,
      energy: 1.1,
      entropy: 1.1,
      num_sectors: 7,
      seed: 6,
      sectors: ['a'],
    };
    for (const [field, value] of Object.entries(all))
      assert.notEqual(canonicalJson(run({ ...from, [field]: value }).population), before, field);
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
