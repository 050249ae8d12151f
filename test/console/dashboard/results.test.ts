/** What pictures and tables take from a run's results. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { canonicalJson } from '../../../src/base/canonical-json.js';
import { decodeSettled } from '../../../src/codec/simulation.js';
import { unwrap } from '../../../src/base/refusal.js';
import { simulate } from '../../../src/engines/simulation/engine.js';
import {
  arranged,
  disruptionsOf,
  envelopeOf,
  examples,
  outcomeOf,
  shownName,
  type Path,
  segmentsOf,
} from '../../../src/console/dashboard/pure/results.js';
import { checkResultHash } from '../../../src/console/kit/hash.js';
import { sha256 } from '@noble/hashes/sha256';
import { bytesToHex } from '@noble/hashes/utils';

const path = (name: string, disrupted_year: number | null, ...energy: readonly number[]): Path => ({
  name,
  disrupted_year,
  energy,
});
const paths = [path('b', null, 5, 9), path('A', 2, 1, 3), path('c', 1, 2, 2), path('a2', 2, 1, 3)];

describe('dashboard: disruptions', () => {
  it('are the years in which the number of disrupted sectors grows', () => {
    const forecast = [1, 1, 4].map((affected, i) => ({ year: i + 1, affected }));
    assert.deepEqual(disruptionsOf(forecast), [
      { year: 1, count: 1 },
      { year: 3, count: 3 },
    ]);
    assert.deepEqual(disruptionsOf([]), []);
  });
});

describe('dashboard: the range of all sectors', () => {
  it('holds at each year the nearest ranks of 10, 50 and 90 %', () => {
    const many = Array.from({ length: 20 }, (_, i) => path(`s${i}`, null, 20 - i, i));
    assert.deepEqual(envelopeOf(many), { p10: [2, 1], p50: [10, 9], p90: [18, 17] });
  });
  it('is in order, and within the energies, for any sectors', () => {
    const energy = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(fc.array(energy, { minLength: 1, maxLength: 60 }), (energies) => {
        const { p10, p50, p90 } = envelopeOf(energies.map((value, i) => path(`s${i}`, null, value)));
        const sorted = [Math.min(...energies), p10[0], p50[0], p90[0], Math.max(...energies)] as number[];
        for (let i = 1; i < sorted.length; i++) assert.ok((sorted[i - 1] as number) <= (sorted[i] as number));
      }),
    );
  });
  it('is empty for no sector', () => assert.deepEqual(envelopeOf([]), { p10: [], p50: [], p90: [] }));
});

describe('dashboard: the list of sectors', () => {
  it('is in the requested order, equals as given', () => {
    assert.deepEqual(arranged(paths, '', 'given'), [0, 1, 2, 3]);
    assert.deepEqual(arranged(paths, '', 'disrupted'), [2, 1, 3, 0]);
    assert.deepEqual(arranged(paths, '', 'energy'), [0, 1, 3, 2]);
    assert.deepEqual(arranged(paths, '', 'name'), [1, 3, 0, 2]);
  });
  it('finds a part of a name in any case', () => {
    assert.deepEqual(arranged(paths, ' a', 'given'), [1, 3]);
    assert.deepEqual(arranged(paths, 'z', 'name'), []);
  });
  it('begins with sectors that go different ways', () => {
    assert.deepEqual(examples(paths, 8), [2, 1, 0]);
    const many = Array.from({ length: 100 }, (_, i) => path(`s${i}`, i + 1, i, i));
    assert.deepEqual(examples(many, 4), [0, 33, 66, 99]);
    assert.deepEqual(examples([], 8), []);
  });
});

describe('dashboard: the hash of an outcome', () => {
  const request = unwrap(decodeSettled({ seed: 7, entropy: 2, x0: 0.5, samples: 20 }));
  const outcome = simulate(request, ['main'], { checkpoint: () => undefined });
  const recorded = bytesToHex(sha256(canonicalJson(outcome)));
  const served: unknown = JSON.parse(
    JSON.stringify({ id: 'x', ...outcome, draws: {}, outcome_hash: recorded, created_at: '', journal: { seq: 3 } }),
  );
  it('is computed from what is served, without id, times and journal', () => {
    assert.deepEqual(checkResultHash(outcomeOf(served), recorded), { computed: recorded, recorded, equal: true });
  });
  it('is another one for another gene', () => {
    const forged = structuredClone(served) as { population: { genome: number[] }[] };
    forged.population[0]!.genome[0]! += 0.25;
    assert.equal(checkResultHash(outcomeOf(forged), recorded).equal, false);
  });
});

describe('dashboard: sectors as shown', () => {
  it('have an invisible name in quotation marks', () => {
    const cases = [
      ['energy', 'energy'],
      [' a ', ' a '],
      ['   ', '\u201c   \u201d'],
      ['\u3000\u0000\u202e', '\u201c\u3000\u0000\u202e\u201d'],
    ] as const;
    for (const [name, shown] of cases) assert.equal(shownName(name), shown);
  });
});

describe('dashboard: segments of an insight', () => {
  const entry = (year: number, runs: number) => ({ year, runs, capability: 0.5, min: 0.1, max: 0.9 });
  it('end where the number of runs changes; the first has the years that all runs share', () => {
    const entries = [entry(1, 3), entry(2, 3), entry(3, 2), entry(4, 1), entry(5, 1)];
    assert.deepEqual(
      segmentsOf(entries).map(({ runs, entries: years }) => [runs, years.map(({ year }) => year)]),
      [
        [3, [1, 2]],
        [2, [3]],
        [1, [4, 5]],
      ],
    );
    assert.deepEqual(segmentsOf([]), []);
  });
  it('hold every entry once, in order', () => {
    const falling = fc
      .array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 30 })
      .map((counts) => counts.toSorted((a, b) => b - a).map((runs, i) => entry(i + 1, runs)));
    fc.assert(
      fc.property(falling, (entries) => {
        const segments = segmentsOf(entries);
        assert.deepEqual(
          segments.flatMap((segment) => segment.entries),
          entries,
        );
        assert.equal(new Set(segments.map(({ runs }) => runs)).size, segments.length);
      }),
    );
  });
});
