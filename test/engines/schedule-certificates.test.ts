import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import type { Verification } from '../../src/engines/engine.js';
import type { PriceCertificate, Refutation } from '../../src/kinds/schedule/result.js';
import { verifySchedule } from '../../src/kinds/schedule/verify/verify.js';
import type { ScheduleWork } from '../../src/kinds/schedule/work.js';
import { inputOf, instances, solve, tardyJobs, workOf } from './schedule-cases.js';

describe('schedule certificates', () => {
  const small = workOf(instances().find((one) => one.name === 'ft06')!.rows);
  const tardy = tardyJobs(40);
  const answers = new Map([small, tardy].map((work) => [work, solve(inputOf(work)).result]));
  const verify = (work: ScheduleWork, change: object): Verification =>
    verifySchedule(inputOf(work), { ...answers.get(work)!, ...change });

  it('prove ft06 optimal', () => {
    const result = answers.get(small)!;
    assert.deepEqual([result.makespan, result.lower_bound, result.optimality_proven], [55, 55, 'bound']);
    assert.equal((result.certificate as Refutation).refutation, '.');
  });

  it('are refused when they are malformed, too long, needless, or of another mission', () => {
    const prices = answers.get(tardy)!.certificate as PriceCertificate;
    assert.equal(verify(tardy, {}).failure, null);
    const odd: readonly object[] = [
      { refutation: 7 },
      { refutation: '.', extra: 1 },
      { refutation: '.'.repeat(200_000) },
      {},
      { ...prices, machine: 'none' },
      { ...prices, scale: 0 },
      { ...prices, width: 0 },
      { ...prices, from: -1 },
      { ...prices, from: Number.MAX_SAFE_INTEGER },
      { ...prices, prices: prices.prices.map((price, i) => (i === 0 ? -1 : price)) },
      { ...prices, prices: prices.prices.map(() => Number.MAX_SAFE_INTEGER) },
      { ...prices, prices: Array.from({ length: 10_000 }, () => 0) },
    ];
    for (const certificate of odd) {
      assert.equal(typeof verify(tardy, { certificate }).failure, 'string', JSON.stringify(certificate).slice(0, 80));
    }
    assert.equal(typeof verify(small, { certificate: prices }).failure, 'string');
    assert.match(verify(small, { lower_bound: 10 }).failure!, /single jobs and machines give/);
  });
});
