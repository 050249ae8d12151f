/** A simulation's request: every default, every bound, and no coercion. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { canonicalJson } from '../../src/base/canonical-json.js';
import { isRefused, unwrap } from '../../src/base/refusal.js';
import { decode } from '../../src/codec/kit.js';
import { decodeSettled, settled, simulationInput } from '../../src/codec/simulation.js';

const faults = (document: unknown): readonly string[] => {
  const result = decode(simulationInput, document);
  return isRefused(result) ? (result.left.errors ?? []).map(({ path, message }) => `${path}: ${message}`) : [];
};
const taken = (document: unknown): boolean => faults(document).length === 0;

describe('a simulation request', () => {
  it('has the defaults for {}', () => {
    assert.deepEqual(settled(unwrap(decode(simulationInput, {})), 9), {
      horizon: 5,
      pop_size: 6,
      generations: 3,
      mut_rate: 0.1,
      xover_rate: 0.5,
      curve: 'logistic',
      k: null,
      x0: null,
      energy: 1,
      entropy: 1,
      num_sectors: 6,
      seed: 9,
      samples: 0,
      sectors: null,
    });
  });

  it('takes bare names as sectors, an empty list as none, null and k = 0 as absent', () => {
    const of = (document: unknown) => settled(unwrap(decode(simulationInput, document)), 9);
    assert.deepEqual(of({ sectors: ['a', { name: 'b', energy: 2, growth: -1 }] }).sectors, [
      { name: 'a', energy: 1, entropy: 1, growth: 0.05 },
      { name: 'b', energy: 2, entropy: 1, growth: -1 },
    ]);
    assert.deepEqual(of({ sectors: [], k: 0, x0: null, seed: 3 }), { ...of({}), seed: 3 });
    assert.equal(of({ k: -0 }).k, null);
    assert.equal(of({ x0: 0 }).x0, 0);
  });

  const integers: readonly (readonly [string, number, number])[] = [
    ['horizon', 1, 200],
    ['pop_size', 2, 10_000],
    ['generations', 1, 10_000],
    ['num_sectors', 1, 1_000],
    ['samples', 0, 2_000],
    ['seed', 0, 4_294_967_295],
  ];
  /** The least of all others, so that no product is too large. */
  const small = { horizon: 1, pop_size: 2, generations: 1, num_sectors: 1 };
  for (const [field, min, max] of integers) {
    it(`requires an integer from ${min} to ${max} for ${field}`, () => {
      for (const value of [min, max]) assert.ok(taken({ ...small, [field]: value }), String(value));
      const message = `${field}: must be an integer from ${min} to ${max}`;
      for (const value of [min - 1, max + 1, 2.5, '3', true, [3], {}, NaN, Infinity, null])
        assert.deepEqual(faults({ ...small, [field]: value }), [message], JSON.stringify(value));
    });
  }

  const numbers: readonly (readonly [string, number, number])[] = [
    ['mut_rate', 0, 1],
    ['xover_rate', 0, 1],
    ['energy', 0, 1e12],
    ['entropy', 0, 1e12],
  ];
  for (const [field, min, max] of numbers) {
    it(`requires a number from ${min} to ${max} for ${field}`, () => {
      for (const value of [min, max, 0.5]) assert.ok(taken({ [field]: value }), String(value));
      for (const value of [-1e-9, max * 1.0001, '1', true, null, NaN, Infinity, -Infinity])
        assert.deepEqual(faults({ [field]: value }), [`${field}: must be a number from ${min} to ${max}`], String(value));
    });
  }

  it('takes any finite k and x0, and no other curve', () => {
    for (const field of ['k', 'x0']) {
      for (const value of [null, 0, -1e308, 1e308, 5e-324]) assert.ok(taken({ [field]: value }));
      for (const value of ['1', true, NaN, Infinity, -Infinity, {}])
        assert.deepEqual(faults({ [field]: value }), [`${field}: must be a number`]);
    }
    assert.deepEqual(faults({ curve: 'cubic' }), ['curve: must be one of logistic, linear, exponential']);
    assert.deepEqual(faults({ curve: 'Linear' }), ['curve: must be one of logistic, linear, exponential']);
  });

  it('names each fault of its sectors', () => {
    assert.deepEqual(faults({ sectors: [{ name: 'a', colour: 1 }, {}, 'x'.repeat(101), '', 5] }), [
      'sectors[0].colour: unknown member',
      'sectors[1].name: required',
      'sectors[2]: must have 1 to 100 characters, has 101',
      'sectors[3]: must have 1 to 100 characters, has 0',
      'sectors[4]: must be a name or an object',
    ]);
    assert.deepEqual(
      faults({
        sectors: [
          { name: 'a', energy: -1 },
          { name: 'b', entropy: 1e13 },
          { name: 'c', growth: -1.1 },
          { name: 'd', growth: 11 },
        ],
      }),
      [
        'sectors[0].energy: must be a number from 0 to 1000000000000',
        'sectors[1].entropy: must be a number from 0 to 1000000000000',
        'sectors[2].growth: must be a number from -1 to 10',
        'sectors[3].growth: must be a number from -1 to 10',
      ],
    );
    assert.deepEqual(faults({ sectors: ['a', { name: 'a' }] }), ['sectors[1].name: names a sector twice']);
    assert.deepEqual(faults({ sectors: ['a', 'a'] }), ['sectors[1]: names a sector twice']);
    assert.deepEqual(faults({ sectors: Array.from({ length: 1_001 }, (_, i) => `s${i}`) }), [
      'sectors: must have 0 to 1000 items, has 1001',
    ]);
    assert.deepEqual(faults({ sectors: 'a' }), ['sectors: must be an array']);
  });

  it('bounds its population and its work', () => {
    assert.ok(taken({ pop_size: 1_000, num_sectors: 1_000, generations: 1 }));
    assert.deepEqual(faults({ pop_size: 1_001, num_sectors: 1_000 }), ['pop_size: times 1000 sectors is more than 1000000']);
    assert.deepEqual(faults({ pop_size: 10_000, sectors: Array.from({ length: 101 }, (_, i) => `s${i}`) }), [
      'pop_size: times 101 sectors is more than 1000000',
    ]);
    const largest = { pop_size: 10_000, generations: 10_000, num_sectors: 1, horizon: 100 };
    assert.ok(taken(largest));
    assert.deepEqual(faults({ ...largest, horizon: 101 }), [
      'generations: pop_size × generations × sectors × horizon is 10100000000, more than 10000000000',
    ]);
  });

  it('refuses unknown members, and what is not an object', () => {
    assert.deepEqual(faults({ Horizon: 5, popsize: 6 }), ['Horizon: unknown member', 'popsize: unknown member']);
    for (const value of [null, [], 'x', 1, undefined]) assert.deepEqual(faults(value), [': must be an object']);
  });

  it('reads back unchanged once it is settled and written', () => {
    const given = fc.record({
      horizon: fc.integer({ min: 1, max: 200 }),
      k: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
      x0: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
      mut_rate: fc.double({ min: 0, max: 1, noNaN: true }),
      sectors: fc.option(fc.uniqueArray(fc.string({ minLength: 1, maxLength: 20 }), { maxLength: 5 })),
    });
    fc.assert(
      fc.property(given, fc.integer({ min: 0, max: 4_294_967_295 }), (document, seed) => {
        const request = settled(unwrap(decode(simulationInput, document)), seed);
        const text = canonicalJson(request);
        assert.equal(canonicalJson(unwrap(decodeSettled(JSON.parse(text)))), text);
      }),
    );
    assert.equal(isRefused(decodeSettled({})), true);
  });
});
