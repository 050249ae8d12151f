/** How sure disruptions are: probabilities and quantiles over draws, each with its own sector paths. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { drawnCapabilities } from '../../src/engines/simulation/draws.js';
import { pathOf, scenarioOf } from '../../src/engines/simulation/scenario.js';
import { effort } from '../support/effort.js';
import { requestOf, run } from '../support/app/simulation.js';

const sector = fc.record({
  energy: fc.double({ min: 0, max: 3, noNaN: true }),
  entropy: fc.double({ min: 0, max: 4, noNaN: true }),
  growth: fc.double({ min: -0.3, max: 0.3, noNaN: true }),
});
const request = fc.record({
  horizon: fc.integer({ min: 1, max: 12 }),
  curve: fc.constantFrom('logistic', 'linear', 'exponential'),
  x0: fc.constantFrom(null, 0.4),
  spread: fc.constantFrom(0.5, 1, 4),
  samples: fc.constantFrom(0, 20, 100),
  seed: fc.integer({ min: 0, max: 1_000 }),
  sectors: fc.array(sector, { minLength: 1, maxLength: 5 }).map((all) => all.map((each, i) => ({ name: `n${i}`, ...each }))),
});

describe('the disruptions of a simulation over its draws', () => {
  it('are the shares and counts of the paths of each draw', () => {
    fc.assert(
      fc.property(request, (document) => {
        const outcome = run(document);
        const scenario = scenarioOf(requestOf(document));
        const { horizon, sectors } = scenario;
        const draws = Math.max(64, document.samples);
        const rows = drawnCapabilities(scenario, draws);
        const years = Array.from({ length: draws }, (_, j) =>
          sectors.map(
            (each) => pathOf({ ...scenario, capability: rows.slice(j * horizon, (j + 1) * horizon) }, each).disrupted_year,
          ),
        );
        for (let y = 1; y <= horizon; y++) {
          const by = (year: number | null | undefined): boolean => typeof year === 'number' && year <= y;
          for (const i of sectors.keys()) {
            const share = years.filter((draw) => by(draw[i])).length / draws;
            assert.ok(Math.abs((outcome.sectors[i]?.probability[y - 1] ?? Number.NaN) - share) < 1e-11);
          }
          const counts = years.map((draw) => draw.filter(by).length);
          const { affected_p05, affected_p50, affected_p95 } = outcome.forecast[y - 1]!;
          for (const [value, part] of [
            [affected_p05, 0.05],
            [affected_p50, 0.5],
            [affected_p95, 0.95],
          ] as const) {
            assert.ok(counts.filter((count) => count <= value).length >= part * draws, 'at least this share is not above it');
            assert.ok(counts.filter((count) => count < value).length < part * draws, 'and fewer are below');
          }
        }
      }),
      { numRuns: 30 * effort },
    );
  });

  it('are those of the central curve without spread', () => {
    const { forecast, sectors } = run({
      horizon: 8,
      entropy: 2,
      x0: 0.5,
      spread: 0,
      samples: 20,
      sectors: ['a', { name: 'b', entropy: 1.5 }],
    });
    for (const { year, affected, affected_p05, affected_p95, capability, p05, p95 } of forecast) {
      assert.deepEqual([affected_p05, affected_p95, p05, p95], [affected, affected, capability, capability], `year ${year}`);
      for (const { disrupted_year, probability } of sectors)
        assert.equal(probability[year - 1], disrupted_year !== null && disrupted_year <= year ? 1 : 0);
    }
  });

  it('take a wider interval with more spread', () => {
    const width = (spread: number): number => {
      const last = run({ horizon: 5, num_sectors: 6, entropy: 1.3, x0: 0.5, spread, samples: 500 }).forecast[2]!;
      return (last.p95 ?? 0) - (last.p05 ?? 0);
    };
    assert.ok(width(0.5) < width(1) && width(1) < width(2));
  });

  it('are refused a number of draws that says nothing, and a spread beyond its limit', () => {
    assert.equal(requestOf({}).spread, undefined, 'it is left out where it is not given');
    assert.deepEqual(run({ horizon: 3 }).forecast, run({ horizon: 3, spread: 1 }).forecast);
    for (const document of [{ samples: 1 }, { samples: 19 }, { samples: 2_001 }, { spread: 4.1 }, { spread: -1 }])
      assert.throws(() => requestOf(document), /samples|spread/, JSON.stringify(document));
  });
});
