/** The reference agent's own rules: its results pass, and no number that a rule covers can be another. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { parseJsonNode } from '../../src/base/json.js';
import { unwrap } from '../../src/base/refusal.js';
import { decode } from '../../src/codec/kit.js';
import { workCodec } from '../../src/kinds/request.js';
import type { Work } from '../../src/kinds/works.js';
import { PythonSum } from '../../src/kinds/forecast/reference.js';
import { verifyReference } from '../../src/kinds/reference.js';
import { mutations } from './mutations.js';
import { allocation, forecasts, research, schedule } from './reference-cases.js';

const workOf = (work: unknown): Work => unwrap(decode(workCodec, work));

/** Why a result's text is refused, or null. */
function faultOf(work: unknown, text: string): string | null {
  const { passed, failure } = verifyReference(workOf(work), {
    node: unwrap(parseJsonNode(text, { bigIntegers: 'round' })),
    text,
  });
  assert.equal(passed, failure === null);
  return failure;
}
const judge = (work: unknown, result: unknown): string | null => faultOf(work, JSON.stringify(result));

/** The paths at which some change of one value passes. */
const unnoticed = (work: unknown, result: unknown): string[] => [
  ...new Set([...mutations(result)].filter(({ value }) => judge(work, value) === null).map(({ path }) => path)),
];

const forecastWork = (text: string): unknown => ({ kind: 'forecast', ...(JSON.parse(text) as object) });

describe("the reference agent's rules: forecasts", () => {
  for (const { policy, work, plain, compensated } of forecasts) {
    it(`pass a forecast by ${policy} with either of Python's sums`, () => {
      assert.notEqual(plain, compensated);
      assert.match(plain, new RegExp(`"policy":"${policy}"`));
      assert.equal(faultOf(forecastWork(work), plain), null);
      assert.equal(faultOf(forecastWork(work), compensated), null);
    });

    it(`detect any other number, text or member of a forecast by ${policy}`, () => {
      const result: unknown = JSON.parse(plain);
      assert.deepEqual(unnoticed(forecastWork(work), result), ['.limits', '.method']);
    });
  }

  it('refuse a mixture of the two sums within a result', () => {
    const given = forecasts.find(({ policy }) => policy === 'mean');
    assert.ok(given !== undefined);
    const mixed = given.plain.replace('9.598466295609152', '9.598466295609153');
    assert.notEqual(mixed, given.plain);
    assert.equal(faultOf(forecastWork(given.work), mixed), 'training_scores is not what its observations give');
  });

  it('accept floats written as integers, and integers as floats', () => {
    const { work, plain } = forecasts[3]!;
    assert.equal(faultOf(forecastWork(work), plain.replace('"improvement":0.0', '"improvement":0')), null);
    assert.equal(faultOf(forecastWork(work), plain.replace('"train_count":10', '"train_count":10.0')), null);
  });

  it('refuse a season that must be detected', () => {
    const { work, plain } = forecasts[0]!;
    const auto = { ...(forecastWork(work) as object), season: 'auto' };
    assert.equal(faultOf(auto, plain), 'the season must be a number');
  });
});

describe("Python's sum", () => {
  const sum = (kind: 'plain' | 'compensated', values: readonly number[]): number => {
    const running = new PythonSum(kind);
    for (const value of values) running.add(value);
    return running.value;
  };

  it('keeps with compensation what plain additions lose', () => {
    const tenths = Array.from({ length: 10 }, () => 0.1);
    assert.deepEqual([sum('plain', tenths), sum('compensated', tenths)], [0.9999999999999999, 1]);
    assert.equal(sum('plain', [1, 1e100, 1, -1e100]), 0);
    assert.equal(sum('compensated', [1, 1e100, 1, -1e100]), 2);
    assert.equal(sum('compensated', [1e308, 1e308, -1e308]), Infinity);
    assert.equal(sum('compensated', []), 0);
  });

  it('is exact for integers in both kinds', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -(2 ** 40), max: 2 ** 40 }), { maxLength: 100 }), (values) => {
        const exact = Number(values.reduce((all, value) => all + BigInt(value), 0n));
        return sum('plain', values) === exact && sum('compensated', values) === exact;
      }),
    );
  });
});

describe("the reference agent's rules: schedules", () => {
  it('pass a schedule, and detect any other number, machine, job or measure of it', () => {
    assert.equal(judge(schedule.work, schedule.result), null);
    const covered = unnoticed(schedule.work, schedule.result).filter((path) => /^\.(?:operations|makespan|tardiness)/.test(path));
    assert.deepEqual(
      covered,
      schedule.result.operations.map((_, i) => `.operations[${i}].+`),
    );
  });

  it('require start and end as integers', () => {
    const text = JSON.stringify(schedule.result);
    assert.equal(faultOf(schedule.work, text.replace('"start":0', '"start":0.0')), 'operations[0].start must be an integer');
    assert.equal(faultOf(schedule.work, text.replace('"end":3', '"end":3e0')), 'operations[0].end must be an integer');
    assert.equal(faultOf(schedule.work, text.replace('"start":0', '"start":false')), 'operations[0].start must be a number');
  });

  it('report each broken rule in its own words', () => {
    const { operations } = schedule.result;
    const changed = (i: number, change: object): unknown => ({
      ...schedule.result,
      operations: operations.map((entry, k) => (k === i ? { ...entry, ...change } : entry)),
    });
    for (const [i, change, words] of [
      [1, { start: 2, end: 4 }, 'operation 1 of job a starts before 3'],
      [2, { start: 2, end: 6 }, 'operation 0 of job b overlaps another on machine saw'],
      [2, { machine: 'oven' }, 'operation 0 of job b is on another machine than saw'],
      [2, { end: 8 }, 'operation 0 of job b does not take 4'],
      [4, { operation: 0 }, 'operation 0 of job c is listed twice'],
      [4, { operation: 2 }, 'operation 1 of job c is missing'],
      [0, { start: -1, end: 2 }, 'operation 0 of job a starts before 0'],
    ] as const)
      assert.equal(judge(schedule.work, changed(i, change)), words);
    const more = { ...schedule.result, operations: [...operations, { ...operations[0], job: 'z' }] };
    assert.equal(judge(schedule.work, more), "operation 0 of job z is none of the mission's");
    assert.equal(judge(schedule.work, { ...schedule.result, tardiness: 2 }), 'tardiness is not that of the operations, 1');
    assert.equal(judge(schedule.work, { ...schedule.result, operations: {} }), 'operations must be a list');
    assert.equal(judge(schedule.work, []), 'operations is missing');
  });
});

describe("the reference agent's rules: allocations", () => {
  it('pass an allocation, and detect any other sum or selected item of it', () => {
    assert.equal(judge(allocation.work, allocation.result), null);
    const covered = unnoticed(allocation.work, allocation.result).filter((path) => /^\.(?:cost|value|risk|selected)/.test(path));
    assert.deepEqual(covered, []);
  });

  it('report each broken rule in its own words', () => {
    for (const [change, words] of [
      [{ selected: ['roof', 'gate'] }, 'selected[1] names no item of the mission'],
      [{ selected: ['roof', 'roof'] }, 'selected holds an item twice'],
      [{ selected: ['roof', 'fence'] }, 'cost is not the sum over the selected items, 11'],
      [{ selected: ['roof', 'fence'], cost: 11, value: 14, risk: 3 }, 'cost is above the budget'],
      [{ cost: true }, 'cost must be a number'],
      [{ cost: undefined }, 'cost is missing'],
      [{ evaluations: 2 ** 53 }, 'it holds an integer beyond 2^53 - 1'],
    ] as const)
      assert.equal(judge(allocation.work, { ...allocation.result, ...change }), words);
    const strict = { ...allocation.work, max_risk: 3 };
    assert.equal(judge(strict, allocation.result), 'risk is above max_risk');
    assert.equal(judge({ ...allocation.work, budget: 9.5 }, allocation.result), 'budget is not an integer');
  });

  it('check sums to the last unit, and set no limit without max_risk', () => {
    const items = [1e12, 1e12 - 1, 3].map((cost, i) => ({ id: `i${i}`, cost, value: cost, risk: 10_000 }));
    const work = { kind: 'allocation', budget: 1e13, items };
    const result = { selected: ['i0', 'i1', 'i2'], cost: 2e12 + 2, value: 2e12 + 2, risk: 30_000 };
    assert.equal(judge(work, result), null);
    assert.match(judge(work, { ...result, value: 2e12 + 1 }) ?? '', /^value is not the sum/);
    assert.equal(faultOf(work, JSON.stringify(result).replace('30000', '30000.0')), null);
    assert.match(faultOf(work, JSON.stringify(result).replace('30000', '30000.5')) ?? '', /^risk is not the sum/);
  });
});

describe("the reference agent's rules: research and code", () => {
  it('pass a research result, and require each quote to be in its source word for word', () => {
    assert.equal(judge(research.work, research.result), null);
    const [first] = research.result.findings;
    const finding = (change: object): unknown => ({ ...research.result, findings: [{ ...first, ...change }] });
    for (const [change, words] of [
      [{ quote: 'High water is at seven.' }, 'findings[0].quote is not in source tides'],
      [{ quote: '' }, 'findings[0].quote is not in source tides'],
      [{ quote: 'high water is at six.' }, 'findings[0].quote is not in source tides'],
      [{ source_id: 'sun' }, 'findings[0].source_id names no source of the mission'],
      [{ claim: '' }, 'findings[0].claim must have 1 to 3000 characters'],
      [{ claim: 'x'.repeat(3_001) }, 'findings[0].claim must have 1 to 3000 characters'],
      [{ claim: 7 }, 'findings[0].claim must be a text'],
    ] as const)
      assert.equal(judge(research.work, finding(change)), words);
    assert.equal(judge(research.work, finding({ claim: '\u{1f30a}'.repeat(3_000) })), null, 'characters are code points');
  });

  it('require 1 to 20 findings', () => {
    const findings = (n: number): unknown => ({ findings: Array.from({ length: n }, () => research.result.findings[0]) });
    assert.equal(judge(research.work, findings(20)), null);
    for (const n of [0, 21]) assert.equal(judge(research.work, findings(n)), `findings must hold 1 to 20 entries, not ${n}`);
  });

  it('do not verify code', () => {
    const work = { kind: 'code', heldout: [{ args: [], expected: 1 }] };
    assert.match(judge(work, { passed: 1 }) ?? '', /would have to run again/);
  });
});
