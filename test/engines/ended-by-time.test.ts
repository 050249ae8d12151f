/** A search that time ends at any checkpoint is valid, names its bound, and gives the same bytes when it is computed again with that bound. */
import assert from 'node:assert/strict';
import { canonicalJson } from '../../src/base/canonical-json.js';
import { unwrap } from '../../src/base/refusal.js';
import { decode } from '../../src/codec/kit.js';
import type { Answer } from '../../src/engines/engine.js';
import { engineInput } from '../../src/kinds/engine-input.js';
import { missionRequest } from '../../src/kinds/request.js';
import { solverOf } from '../../src/kinds/verifiers.js';
import { prng } from '../../src/base/prng.js';
import { atEffort } from '../support/effort.js';

const random = prng(17, 1);
const job = (machines: number, j: number): object => ({
  id: `j${j}`,
  operations: Array.from({ length: machines }, () => ({ machine: `m${random.below(machines)}`, duration: 1 + random.below(60) })),
  due: 100 + random.below(300),
  weight: 1 + random.below(9),
});
const shop = (objective: string, jobs: number, machines: number): object => ({
  kind: 'schedule',
  objective,
  jobs: Array.from({ length: jobs }, (_, j) => job(machines, j)),
});
const item = (i: number, isLinked: boolean): object => {
  const cost = 1 + random.below(1_000);
  const base = { id: `i${i}`, cost, value: cost + random.below(200), risk: random.below(50) };
  return isLinked && i % 11 === 5 ? { ...base, requires: [`i${i - 1}`], excludes: [`i${i - 2}`] } : base;
};
const portfolio = (items: number, isLinked: boolean, more: object): object => ({
  kind: 'allocation',
  items: Array.from({ length: items }, (_, i) => item(i, isLinked)),
  budget: 200 * items,
  ...more,
});

const works: Readonly<Record<string, readonly [work: object, max_evaluations: number]>> = {
  'a makespan': [shop('makespan', 10, 6), 40],
  'a weighted tardiness': [shop('weighted_tardiness', 12, 5), 40],
  'a portfolio with links and a risk': [portfolio(80, true, { max_risk: 700 }), 60],
  'a portfolio with a budget alone': [portfolio(200, false, {}), 60],
};

const moments = atEffort(6, 60);

describe('a search that time ends', () => {
  for (const [what, [work, max_evaluations]] of Object.entries(works)) {
    it(`keeps its best result, verified and recomputed to the same bytes: ${what}`, async () => {
      const request = unwrap(decode(missionRequest, { goal: 'try', work }));
      const solver = solverOf(request.work.kind) ?? assert.fail('no solver');
      const [engine, verify] = [await solver.engine.load(), await solver.verifier()];
      const run = (limit: number | undefined, late: number): { readonly answer: Answer<unknown>; readonly beats: number } => {
        let beats = 0;
        const input = engineInput(request, { max_evaluations, iterations_limit: limit }, null);
        return { answer: unwrap(engine.run(input, () => ++beats >= late)), beats };
      };
      const { answer: whole, beats } = run(undefined, Number.POSITIVE_INFINITY);
      assert.equal(whole.iterations_limit, undefined);
      let cut = 0;
      for (let moment = 0; moment <= moments; moment++) {
        const { answer } = run(undefined, 1 + Math.floor((moment * beats) / moments));
        const { iterations_limit, result } = answer;
        if (iterations_limit === undefined) continue;
        cut++;
        const again = run(iterations_limit, Number.POSITIVE_INFINITY);
        assert.equal(canonicalJson(again.answer), canonicalJson(answer), `at ${moment} of ${moments}`);
        assert.ok((iterations_limit ?? 0) <= (answer.iterations ?? 0) + 1);
        assert.match(canonicalJson(result), /The search ended after [0-9 ]+ of [0-9 ]+ iterations, because of time\./);
        const verdict = verify(engineInput(request, { max_evaluations, iterations_limit }, null), result);
        assert.equal(verdict.failure, null);
        assert.equal(verify(engineInput(request, { max_evaluations }, null), result).passed, false);
      }
      assert.ok(cut > moments / 3, `${cut} were ended`);
    });
  }
});
