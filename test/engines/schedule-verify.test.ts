import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import type { ScheduleWork } from '../../src/kinds/schedule/work.js';
import { inputOf, instances, solve, workOf } from './schedule-cases.js';
import { verifySchedule } from '../../src/kinds/schedule/verify/verify.js';

type Path = readonly (string | number)[];

const makespan = workOf(instances()[0]!.rows);
const tardiness: ScheduleWork = {
  ...makespan,
  objective: 'weighted_tardiness',
  jobs: makespan.jobs.map((job, j) => ({ ...job, due: 25 + 3 * j, weight: 1 + (j % 3), release: j })),
};

/** Every number, text, boolean and key of a JSON value. */
function* leaves(value: unknown, path: Path = []): Generator<Path> {
  if (typeof value !== 'object' || value === null) yield path;
  else
    for (const [key, inner] of Object.entries(value)) yield* leaves(inner, [...path, Array.isArray(value) ? Number(key) : key]);
}

function get(value: unknown, path: Path): unknown {
  return path.reduce((inner, key) => (inner as Record<string | number, unknown>)[key], value);
}

function withChange(value: unknown, path: Path, change: unknown): unknown {
  const copy: unknown = structuredClone(value);
  const parent = get(copy, path.slice(0, -1)) as Record<string | number, unknown>;
  parent[path.at(-1)!] = change;
  return copy;
}

function changesOf(leaf: unknown): readonly unknown[] {
  if (typeof leaf === 'number') return [leaf + 1, leaf - 1, leaf * 2 + 7, leaf + 1e-9, -leaf - 1, `${leaf}`, null, Number.NaN];
  if (typeof leaf === 'string') return [`${leaf} `, '', leaf.slice(1), 0, null];
  // "search" is a claim that only a recomputation shows, so above the bound it passes like false.
  return [leaf === false ? 'bound' : false, true, null, 0];
}

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

    it('refuses every number and every text changed in turn', () => {
      for (const path of leaves(result)) {
        const leaf = get(result, path);
        const isCounter = path.join('.') === 'iterations';
        const changes = isCounter ? [-1, result.iterations_max + 1, 0.5, '7', null] : changesOf(leaf);
        for (const change of changes) {
          if (Object.is(change, leaf)) continue;
          refuses(withChange(result, path, change), `${path.join('.')} = ${String(change)}`);
        }
      }
    });

    it('refuses every member left out, renamed or added', () => {
      for (const key of Object.keys(result)) {
        const { [key]: _left, ...rest } = result as unknown as Record<string, unknown>;
        refuses(rest, `without ${key}`);
      }
      refuses({ ...result, extra: 1 }, 'an extra member');
      refuses({ ...result, operations: result.operations.map((row, i) => (i === 3 ? { ...row, extra: 1 } : row)) }, 'in a row');
      refuses({ ...result, utilisation: { ...result.utilisation, other: 0 } }, 'an extra machine');
      const { m0: share, ...shares } = result.utilisation;
      refuses({ ...result, utilisation: { ...shares, m9: share } }, 'a renamed machine');
      for (const odd of [null, undefined, 7, 'x', [], {}]) refuses(odd, `a result of type ${typeof odd}`);
    });

    it('refuses operations left out, repeated, exchanged or moved', () => {
      const rows = result.operations;
      refuses({ ...result, operations: rows.slice(1) }, 'the first left out');
      refuses({ ...result, operations: rows.slice(0, -1) }, 'the last left out');
      refuses({ ...result, operations: [...rows, rows[0]] }, 'the first repeated');
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
      const missions: ScheduleWork[] = [
        { ...work, jobs: others },
        { ...work, jobs: [longer, ...others] },
        { ...work, jobs: [{ ...first!, release: 500 }, ...others] },
        { ...work, unit: 'hours' },
      ];
      for (const other of missions) assert.equal(verifySchedule(inputOf(other), result).passed, false);
    });
  });
}
