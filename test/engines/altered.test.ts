/**
 * Sixty altered results of each kind, each refused where a result is verified with `--recompute`. The verifiers alone refuse all of an allocation and a
 * schedule but what only another computation shows; docs/trust.md says what that is.
 */
import assert from 'node:assert/strict';
import { canonicalJson } from '../../src/base/canonical-json.js';
import { unwrap } from '../../src/base/refusal.js';
import { decode } from '../../src/codec/kit.js';
import { checkResult, resultOf } from '../../src/kinds/code/benchmark.js';
import { benchmarkOf } from '../../src/kinds/code/cases.js';
import { codeExample } from '../../src/kinds/code/example.js';
import type { CodeWork } from '../../src/kinds/code/work.js';
import { engineInput } from '../../src/kinds/engine-input.js';
import { missionRequest } from '../../src/kinds/request.js';
import { missionKind } from '../../src/kinds/table.js';
import { solverOf } from '../../src/kinds/verifiers.js';
import { alterations } from './alterations.js';

const count = 60;
/** The effort that the examples are solved with, and the members that only another computation shows to be altered; + is one more. */
const solved = {
  research: { max_evaluations: 100, recomputed: ['+', 'findings', 'limits', 'method', 'sources'] },
  allocation: { max_evaluations: 100, recomputed: [] },
  schedule: { max_evaluations: 60, recomputed: ['iterations'] },
  forecast: { max_evaluations: 100, recomputed: ['+', 'coverage', 'diagnostics', 'forecast', 'limits', 'method', 'models'] },
} as const;

const parsed = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const textOf = (value: unknown): string | null => {
  try {
    return canonicalJson(value);
  } catch {
    return null;
  }
};

const promotions = { hours: Array.from({ length: 133 }, (_, t) => (t % 10 === 3 ? 1 : 0)) };

describe('sixty altered results', () => {
  for (const [kind, { max_evaluations, recomputed }] of Object.entries(solved)) {
    it(`of ${kind} are refused`, async () => {
      const { goal, work } = missionKind(kind as keyof typeof solved).example;
      const mission = { goal, work: kind === 'forecast' ? { ...work, regressors: promotions } : work };
      const input = engineInput(unwrap(decode(missionRequest, mission)), { max_evaluations }, null);
      const solver = solverOf(input.work.kind)!;
      const [engine, verify] = [await solver.engine.load(), await solver.verifier()];
      const text = canonicalJson(unwrap(engine.run(input, () => undefined)).result);
      assert.ok(verify(input, JSON.parse(text)).passed);
      const altered = alterations(JSON.parse(text), count);
      assert.equal(altered.length, count);
      const unseen = altered.filter(({ value }) => verify(input, value).passed);
      for (const { path, value } of unseen) assert.notEqual(textOf(value), text, `${path} is the same result`);
      const members = new Set(unseen.map(({ path }) => /^\.-?([\w+]*)/.exec(path)?.[1] ?? ''));
      assert.deepEqual(
        [...members].sort((a, b) => (a < b ? -1 : 1)),
        recomputed,
      );
    });
  }

  it('of code are refused when the candidate runs again', () => {
    const { work, goal } = codeExample;
    const request = unwrap(
      decode(missionRequest, { goal, work: { ...work, candidate: 'def solve(visits, gap):\n    return 0\n' } }),
    );
    const benchmark = unwrap(benchmarkOf(canonicalJson(request as never)));
    const all = <T>(list: readonly T[]) => list.map(() => 'passed' as const);
    const ran = {
      code: (request.work as CodeWork).candidate,
      image: `sha256:${'0'.repeat(64)}`,
      verdicts: { examples: all(benchmark.examples), heldout: all(benchmark.heldout) },
      outputs: [],
    };
    const result = parsed(resultOf(request.work as CodeWork, benchmark, ran));
    const check = (value: unknown): boolean => checkResult(request.work as CodeWork, benchmark, value, ran).passed;
    assert.ok(check(result));
    const altered = alterations(result, count);
    assert.equal(altered.length, count);
    assert.deepEqual(
      altered.filter(({ value }) => check(value)).map(({ path }) => path),
      [],
    );
  });
});
