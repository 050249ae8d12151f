/** The checks before an outcome is recorded: what the engine makes passes, what is altered does not. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { canonicalJson } from '../../../src/base/canonical-json.js';
import { checkOutcome } from '../../../src/app/simulation/runs/outcome.js';
import { stepsOf } from '../../../src/app/simulation/runs/steps.js';
import { thread_stages, type RunEnd, type RunNews, no_workers } from '../../../src/app/simulation/runs/thread.js';
import type { SimulationOutcome } from '../../../src/codec/simulation-results.js';
import { atEffort } from '../../support/effort.js';
import { requestOf, run } from '../../support/app/simulation.js';

const nothing = (): void => undefined;
const sectors = [
  { name: '},{"genome":[1],"population":[],"request":', energy: 0.9, entropy: 2, growth: 0.02 },
  { name: 'é"\\', energy: 2, entropy: 1 },
  { name: 'c', energy: 1, entropy: 1.4 },
];
const document = { entropy: 2, horizon: 6, samples: 20, pop_size: 20, generations: 6, sectors };
const islands = ['a', 'b'];
const made = run(document, islands);
const task = { request: requestOf(document), islands };

type Writable<A> = { -readonly [K in keyof A]: A[K] extends object ? Writable<A[K]> : A[K] };
type Outcome = Writable<SimulationOutcome>;

/** What the checks say of an outcome that somebody altered. */
function faultOf(alter: (outcome: Outcome) => void): string | null {
  const outcome = structuredClone(made) as Outcome;
  alter(outcome);
  return checkOutcome(canonicalJson(outcome), task, nothing);
}

describe('the checks of an outcome', () => {
  it('pass what the engine makes', () => {
    assert.equal(
      faultOf(() => undefined),
      null,
    );
  });

  it('find what is altered', () => {
    const first = (o: Outcome) => o.population[0]!;
    const cases: [string, (o: Outcome) => void][] = [
      ['the outcome belongs to another request', (o) => (o.request.horizon = 7)],
      ['the outcome belongs to other islands', (o) => (o.islands = ['a', 'c'])],
      ['the seed is not the one of the request', (o) => (o.seed = 1)],
      ['the hypervolume is negative', (o) => (o.hypervolume = -1)],
      ['2 sectors are told of, not 3', (o) => (o.sectors.length = 2)],
      ['the forecast has 5 years, not 6', (o) => (o.forecast.length = 5)],
      ['year 2 of the forecast is called 3', (o) => (o.forecast[1]!.year = 3)],
      ['the capability of year 1 is not that of the curve', (o) => (o.forecast[0]!.capability -= 1e-6)],
      ['year 6 tells of 0 affected sectors, the sectors of 2', (o) => (o.forecast[5]!.affected = 0)],
      ['the quantiles of year 1 are not in order', (o) => (o.forecast[0]!.p05 = 1)],
      ['year 3 has 4 quantiles', (o) => delete (o.forecast[2] as { p50?: number }).p50],
      ['sector 2 is not called c', (o) => (o.sectors[2]!.name = 'd')],
      ['sector 1 has 5 years', (o) => (o.sectors[1]!.energy.length = 5)],
      ['the energy of sector 0 in year 2 is another', (o) => (o.sectors[0]!.energy[1]! += 1e-6)],
      ['the population has 19 individuals, not 20', (o) => (o.population.length = 19)],
      ['the genome of individual 0 has 2 genes', (o) => (first(o).genome.length = 2)],
      ['a gene of individual 0 is not in 0 to 1', (o) => (first(o).genome[0] = 1.5)],
      ['the effectiveness of individual 0 is not what its genome gives', (o) => (first(o).effectiveness += 1e-6)],
      ['the complexity of individual 0 is not what its genome gives', (o) => (first(o).complexity += 1e-6)],
      ['individual 1 is out of order', (o) => (first(o).rank = 3)],
      ['the risk of individual 1 is not what its genome gives', (o) => (o.population[1]!.risk += 1e-3)],
    ];
    for (const [fault, alter] of cases) assert.equal(faultOf(alter), fault);
    const shifted = faultOf((o) => {
      for (const [i, entry] of o.forecast.entries()) entry.affected = i === 0 ? 1 : entry.affected;
      o.sectors[0]!.disrupted_year = o.sectors[0]!.disrupted_year === 1 ? 2 : 1;
    });
    assert.match(shifted ?? '', /affected sectors|disrupted in year/);
    const flattened = faultOf((o) => o.population.forEach((one) => (one.rank = 0)));
    assert.match(flattened ?? '', /out of order|dominated by one of its own rank/);
    const apart = faultOf((o) => o.population.forEach((one, i) => (one.rank = i)));
    assert.match(apart ?? '', /is dominated by none of the rank before/);
  });

  it('find a text that is no outcome or not canonical', () => {
    const text = canonicalJson(made);
    assert.match(checkOutcome('{}', task, nothing) ?? '', /^engine: /);
    assert.equal(checkOutcome(text.replace('"year":1}', '"year":1.0}'), task, nothing), 'the outcome is not canonical JSON');
    assert.equal(checkOutcome(text.replace('"rank":0', '"rank":-0'), task, nothing), 'the outcome is not canonical JSON');
    assert.match(checkOutcome(text.replace('"rank":0', '"rank":"0"'), task, nothing) ?? '', /^population\[0\]\.rank: /);
  });

  it('pass whatever the engine makes of any request', () => {
    const amount = fc.oneof(fc.constantFrom(0, 1, 0.5, 1e12), fc.double({ min: 0, max: 3, noNaN: true }));
    const steep = fc.constantFrom(null, 0, 1, -3, 10, 1e-9, 1e308, -1e308, 50, 400);
    const any = fc.record({
      horizon: fc.integer({ min: 1, max: 20 }),
      pop_size: fc.integer({ min: 4, max: 30 }),
      generations: fc.integer({ min: 1, max: 7 }),
      curve: fc.constantFrom('logistic', 'linear', 'exponential'),
      samples: fc.constantFrom(0, 20, 37),
      k: steep,
      x0: fc.constantFrom(null, 0, 0.5, -2, 1e300),
      mut_rate: fc.constantFrom(0, 0.3, 1),
      sectors: fc.uniqueArray(
        fc.record({
          name: fc.string({ minLength: 1, maxLength: 20 }),
          energy: amount,
          entropy: amount,
          growth: fc.constantFrom(0, -1, 10, 0.05, -0.5),
        }),
        { minLength: 1, maxLength: 5, selector: ({ name }) => name },
      ),
    });
    fc.assert(
      fc.property(any, fc.nat(), (given, seed) => {
        const text = canonicalJson(run(given, ['a', 'b'], seed));
        assert.equal(checkOutcome(text, { request: requestOf(given, seed), islands: ['a', 'b'] }, nothing), null);
      }),
      { numRuns: 150 },
    );
  });
});

describe('the steps of a run', () => {
  const watch = { mustStop: () => false, checkpoint: nothing, isBackground: false };

  it('show life at every genome that is computed or valued, in the largest population too', async () => {
    const request = requestOf({ entropy: 2, pop_size: 10_000, num_sectors: atEffort(10, 100), generations: 1, horizon: 2 });
    const signs: Record<string, number> = {};
    let alive = 0;
    const steps = stepsOf(
      { request, islands: ['main'], groups: [], workers: no_workers },
      { ...watch, alive: () => alive++, tell: nothing },
    );
    for (const stage of thread_stages) {
      alive = 0;
      await steps.next();
      signs[stage] = alive;
    }
    // Writing takes a moment and shows none.
    const least = { research: 1, strategy: 20_000, market: 10_000, safety: 10_000 };
    for (const [stage, count] of Object.entries(least)) assert.ok((signs[stage] ?? 0) >= count, `${stage}: ${signs[stage] ?? 0}`);
  });

  it('write the bytes that one call does', async () => {
    const told: RunNews[] = [];
    const steps = stepsOf(
      { ...task, groups: [], workers: no_workers },
      { ...watch, alive: nothing, tell: (news) => void told.push(news) },
    );
    let last: RunEnd | null = null;
    for (const _ of thread_stages) last = (await steps.next()).value;
    assert.ok(last?.type === 'answered' && last.text === canonicalJson(made));
    assert.deepEqual(told[0], { type: 'years', affected: made.forecast.map(({ affected }) => affected) });
  });
});
