import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { canonicalJson } from '../../src/base/canonical-json.js';
import { prng } from '../../src/base/prng.js';
import { price_periods_max } from '../../src/kinds/schedule/constants.js';
import { lowerBound } from '../../src/kinds/schedule/engine/bounds.js';
import { dispatchOrder } from '../../src/kinds/schedule/engine/construct.js';
import { scheduleEngine } from '../../src/kinds/schedule/engine/engine.js';
import { loadOrder, newPlan, valueOf as valueOfPlan } from '../../src/kinds/schedule/engine/plan.js';
import { Prover } from '../../src/kinds/schedule/engine/prover.js';
import { shopOf } from '../../src/kinds/schedule/engine/shop.js';
import type { ScheduleResult } from '../../src/kinds/schedule/result.js';
import { scheduleSize } from '../../src/kinds/schedule/size.js';
import { verifySchedule } from '../../src/kinds/schedule/verify/verify.js';
import type { TimedWork } from '../../src/kinds/schedule/work.js';
import { atEffort } from '../support/effort.js';
import { mutations } from './mutations.js';
import { anyWork, inputOf, instances, optimumOf, solve, valueOf, workOf } from './schedule-cases.js';

const published = (name: string): { work: TimedWork; optimum: number } => {
  const instance = instances().find((one) => one.name === name)!;
  return { work: workOf(instance.rows), optimum: instance.optimum };
};

const passes = (work: TimedWork): void => {
  const input = inputOf(work);
  const { result } = solve(input);
  const verification = verifySchedule(input, result);
  assert.equal(verification.failure, null);
  assert.equal(verification.passed, true);
  const says = verification.checks.includes('optimal by search, not certified: recompute to confirm');
  assert.equal(says, result.optimality_proven === 'search');
};

describe('schedule engine', () => {
  for (const name of ['ft06', 'la01', 'la02', 'la03', 'la04', 'la05', 'la06', 'la16']) {
    it(`reaches the published optimum of ${name}`, () => {
      const { work, optimum } = published(name);
      const input = inputOf(work, { population: 20, effort: { max_evaluations: 600 } });
      const { result } = solve(input);
      assert.equal(result.makespan, optimum);
      assert.equal(result.optimality_proven, result.lower_bound === optimum ? 'bound' : false);
    });
  }

  it('comes close on ft10 with a fiftieth of the default effort', () => {
    const { work, optimum } = published('ft10');
    const { result } = solve(inputOf(work, { population: 8, effort: { max_evaluations: 200 } }));
    assert.ok(result.makespan <= optimum * 1.02, `${result.makespan}`);
  });

  it('finds the optimum of tiny shops, makespan and tardiness, and its bound never exceeds it', () => {
    fc.assert(
      fc.property(anyWork({ jobs: 3, operations: 3, machines: 3, duration_min: 0 }), (work) => {
        const { result } = solve(inputOf(work, { effort: { max_evaluations: 20 } }));
        const optimum = optimumOf(work);
        assert.ok(result.lower_bound <= optimum, 'bound');
        assert.equal(valueOf(work, result), optimum);
      }),
      { numRuns: atEffort(60, 150), seed: 7 },
    );
  });

  it('passes its verifier on any shop, repeated machines included', () => {
    fc.assert(fc.property(anyWork({ jobs: 8, operations: 7, machines: 4 }), passes), { numRuns: atEffort(80, 200), seed: 7 });
    fc.assert(fc.property(anyWork({ jobs: 6, operations: 7, machines: 4, duration_min: 0 }), passes), {
      numRuns: atEffort(40, 100),
      seed: 7,
    });
  });

  it('holds no machine for an operation that takes no time', () => {
    const job = (id: string, ...durations: number[]): TimedWork['jobs'][number] => ({
      id,
      operations: durations.map((duration, k) => ({ machine: `m${k}`, duration })),
      release: 1,
      weight: 1,
    });
    const work = { ...workOf([]), jobs: [job('a', 0, 4, 0, 0), job('b', 0, 0, 4, 0), { ...job('c', 8), release: 0 }] };
    const { result } = solve(inputOf(work));
    assert.deepEqual(
      result.operations.map(({ machine, start, end }) => [machine, start, end]),
      [
        ['m0', 1, 1],
        ['m1', 1, 5],
        ['m2', 5, 5],
        ['m3', 5, 5],
        ['m0', 1, 1],
        ['m1', 1, 1],
        ['m2', 1, 5],
        ['m3', 5, 5],
        ['m0', 0, 8],
      ],
    );
    assert.deepEqual([result.makespan, result.optimality_proven, result.utilisation['m3']], [8, 'bound', 0]);
    passes(work);
    for (const { path, value } of mutations(result.operations))
      assert.equal(verifySchedule(inputOf(work), { ...result, operations: value }).passed, false, `accepted an altered ${path}`);
  });

  it('is no worse than the dispatcher and stays within the effort', () => {
    fc.assert(
      fc.property(anyWork({ jobs: 8, operations: 6, machines: 3 }), fc.integer({ min: 1, max: 3 }), (work, evaluations) => {
        const { result, iterations } = solve(inputOf(work, { effort: { max_evaluations: evaluations } }));
        assert.ok(valueOf(work, result) <= result.baseline && result.improvement >= 0);
        assert.ok(iterations !== null && iterations <= result.iterations_max && iterations === result.iterations);
        assert.ok(result.iterations_max >= 100 * evaluations && result.iterations_max <= 150 * evaluations);
      }),
      { numRuns: 60, seed: 7 },
    );
  });

  it('handles the extremes', () => {
    const one = workOf([[0, 5]]);
    assert.equal(solve(inputOf(one)).result.makespan, 5);
    passes(workOf([[0, 5, 0, 6, 0, 7]]));
    passes(workOf(Array.from({ length: 30 }, (_, j) => [0, j + 1])));
    passes(workOf(Array.from({ length: 12 }, (_, j) => [0, 3, 0, j + 1, 0, 2])));
    const tight = workOf([
      [0, 5, 1, 5],
      [1, 5, 0, 5],
    ]);
    const noSlack = { ...tight, objective: 'weighted_tardiness' as const, jobs: tight.jobs.map((job) => ({ ...job, due: 10 })) };
    const { result } = solve(inputOf(noSlack));
    assert.deepEqual([result.tardiness, result.gap, result.optimality_proven], [0, 0, 'bound']);
    passes({ ...noSlack, jobs: noSlack.jobs.map((job) => ({ ...job, release: 1_000_000_000, due: 0, weight: 10_000 })) });
  });

  it('ends soon where nothing can be moved', () => {
    const work = workOf(
      [
        [0, 5, 0, 5],
        [1, 5, 1, 5],
      ],
      { objective: 'weighted_tardiness' },
    );
    passes({ ...work, jobs: work.jobs.map((job) => ({ ...job, due: 1 })) });
  });
});

describe('schedule warm start', () => {
  it('takes up an earlier solution and never falls behind it', () => {
    const { work } = published('la16');
    const first = solve(inputOf(work, { effort: { max_evaluations: 500 } }));
    const again = solve(inputOf(work, { seed: 1, effort: { max_evaluations: 1 }, warm_start: first.solution }));
    assert.ok(again.result.makespan <= first.result.makespan);
  });

  it('ignores what does not fit', () => {
    const { work } = published('ft06');
    const plain = canonicalJson(solve(inputOf(work)));
    const short = { sequence: [0, 1, 2] };
    const wrong = { sequence: Array.from({ length: 36 }, () => 0) };
    const odd = { sequence: Array.from({ length: 36 }, (_, i) => (i === 0 ? 0.5 : i % 6)) };
    for (const warm_start of [null, 7, 'x', [], {}, { sequence: null }, short, wrong, odd, { sequence: [-1, 99] }]) {
      assert.equal(canonicalJson(solve(inputOf(work, { warm_start }))), plain);
    }
  });
});

describe('schedule checkpoints', () => {
  it('are a bounded amount of work apart in a large shop', () => {
    const random = prng(1);
    const rows = Array.from({ length: 80 }, () =>
      Array.from({ length: 50 }, (_, k) => [(k * 7 + random.below(2)) % 50, 1 + random.below(99)]).flat(),
    );
    const plain = workOf(rows);
    const late = {
      ...plain,
      objective: 'weighted_tardiness' as const,
      jobs: plain.jobs.map((job, j) => ({ ...job, due: 40 * j })),
    };
    const shop = shopOf(late);
    const plan = newPlan(shop);
    loadOrder(plan, dispatchOrder(shop));
    let weights = 0;
    const bound = lowerBound(shopOf({ ...late, jobs: late.jobs.map((job, j) => ({ ...job, weight: 1 + j })) }), () => weights++);
    assert.ok(bound > 0 && weights === 80);
    let [last, most] = [0, 0];
    const prover = new Prover(shop, 0, 1_000_000, (units) => {
      assert.ok(units >= last);
      most = Math.max(most, units - last);
      last = units;
    });
    prover.tighten(valueOfPlan(plan));
    prover.price(plan);
    assert.ok(most <= 2 * 2 * 80 * price_periods_max, `${most} units`);
    const seen: number[] = [];
    scheduleEngine.run(inputOf(plain, { effort: { max_evaluations: 10 } }), (done) => seen.push(done));
    const steps = seen.slice(1, -1).map((done, i) => done - (seen[i] ?? 0));
    assert.ok(seen.length > 20 && steps.every((step) => step < 0.1), `${seen.length} checkpoints, ${Math.max(...steps)}`);
  });
});

describe('schedule result size', () => {
  const bytes = (value: unknown): number => Buffer.byteLength(canonicalJson(value));

  it('never exceeds its bound', () => {
    fc.assert(
      fc.property(
        anyWork({ jobs: 8, operations: 6, machines: 4 }),
        fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }),
        (work, unit) => {
          fc.pre(unit.isWellFormed());
          const named = { ...work, unit, jobs: work.jobs.map((job, j) => ({ ...job, id: `${j}`.padEnd(64, 'x') })) };
          const { result } = solve(inputOf(named, { effort: { max_evaluations: 1 } }));
          assert.ok(bytes(result) <= scheduleSize.result(named).bytes);
        },
      ),
      { numRuns: 60, seed: 7 },
    );
  });

  it('holds at the largest times and is tight enough for 4000 operations with short ids', () => {
    const work = workOf(Array.from({ length: 20 }, () => Array.from({ length: 20 }, (_, k) => (k % 2 === 0 ? k / 2 : 100_000))));
    const late = { ...work, jobs: work.jobs.map((job) => ({ ...job, release: 1_000_000_000, due: 0, weight: 10_000 })) };
    assert.ok(bytes(solve(inputOf(late)).result) <= scheduleSize.result(late).bytes);
    const large = workOf(Array.from({ length: 200 }, () => Array.from({ length: 40 }, (_, k) => (k % 2 === 0 ? k / 2 : 99))));
    assert.ok(scheduleSize.result(large).bytes < 450 * 1024);
    const long = { ...large, jobs: large.jobs.map((job) => ({ ...job, id: job.id.padEnd(64, 'x') })) };
    assert.ok(scheduleSize.result(long).bytes > 450 * 1024);
  });
});

const makespan = workOf(instances()[0]!.rows);
const tardiness: TimedWork = {
  ...makespan,
  objective: 'weighted_tardiness',
  jobs: makespan.jobs.map((job, j) => ({ ...job, due: 25 + 3 * j, weight: 1 + (j % 3), release: j })),
};

for (const work of [makespan, tardiness]) {
  describe(`schedule verifier, ${work.objective}`, () => {
    const input = inputOf(work);
    const { result } = solve(input);
    const refuses = (changed: unknown, what: string): void => {
      const verification = verifySchedule(input, changed);
      assert.equal(verification.passed, false, what);
      assert.equal(typeof verification.failure, 'string', what);
    };

    it('passes the result and reports what it checked', () => {
      const verification = verifySchedule(input, structuredClone(result));
      assert.deepEqual([verification.passed, verification.failure, verification.checks.length], [true, null, 11]);
    });

    it('refuses every altered number, text, member and list, but for another count of iterations', () => {
      for (const { path, value } of mutations(result)) {
        const { iterations } = Object(value) as ScheduleResult;
        if (path === '.iterations' && Number.isInteger(iterations) && iterations >= 0 && iterations <= result.iterations_max)
          continue;
        refuses(value, path);
      }
      // "search" is a claim that only a recomputation shows, so above the bound it passes like false.
      for (const claim of [result.optimality_proven === false ? 'bound' : false, true, null])
        refuses({ ...result, optimality_proven: claim }, `proven: ${claim}`);
      const { m0: share, ...shares } = result.utilisation;
      refuses({ ...result, utilisation: { ...shares, m9: share } }, 'a renamed machine');
      for (const odd of [null, undefined, 7, 'x', [], {}]) refuses(odd, `a result of type ${typeof odd}`);
    });

    it('refuses operations exchanged or moved', () => {
      const rows = result.operations;
      refuses({ ...result, operations: [rows[1], rows[0], ...rows.slice(2)] }, 'two exchanged');
      rows.forEach((row, i) => {
        for (const by of [-1, 1, 1000]) {
          const moved = rows.map((other, k) => (k === i ? { ...row, start: row.start + by, end: row.end + by } : other));
          refuses({ ...result, operations: moved }, `operation ${i} moved by ${by}`);
        }
      });
    });

    it('refuses the result for another mission', () => {
      const [first, ...others] = work.jobs;
      const longer = { ...first!, operations: first!.operations.map((one) => ({ ...one, duration: one.duration + 1 })) };
      const missions: TimedWork[] = [
        { ...work, jobs: others },
        { ...work, jobs: [longer, ...others] },
        { ...work, jobs: [{ ...first!, release: 500 }, ...others] },
        { ...work, unit: 'hours' },
      ];
      for (const other of missions) assert.equal(verifySchedule(inputOf(other), result).passed, false);
    });
  });
}
