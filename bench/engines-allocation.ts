/**
 * Allocation: mknap1 through the multi-constraint core; through the engine at its default effort the classes of Pisinger, identical items,
 * and correlated items with groups and risks beside HiGHS with 8 seconds (BENCH_SECONDS) for each.
 */
import { readFileSync } from 'node:fs';
import type { Answer, EngineInput } from '../src/engines/engine.js';
import { prng } from '../src/base/prng.js';
import { unwrap } from '../src/base/refusal.js';
import type { AllocationResult } from '../src/kinds/allocation/result.js';
import type { AllocationWork } from '../src/kinds/allocation/work.js';
import { branchAndBound } from '../src/kinds/allocation/engine/solve.js';
import { allocationEngine } from '../src/kinds/allocation/engine/engine.js';
import { makeCore, noLinks } from '../src/kinds/allocation/engine/model.js';
import { knapsack, knapsackClasses } from '../test/support/engines/knapsack-classes.js';
import { verifyAllocation } from '../src/kinds/allocation/verify/verify.js';
import { correlatedCase, correlations, drawn, identicalItems } from './allocation-cases.js';
import { solveByHighs } from './highs.js';

export const name = 'engines-allocation';

interface Mknap {
  readonly n: number;
  readonly optimum: number;
  readonly profit: readonly number[];
  readonly weights: readonly (readonly number[])[];
  readonly capacity: readonly number[];
}

const nodes_max = 1_000_000;
const highs_seconds_max = Number(process.env['BENCH_SECONDS'] ?? 8);

export async function run(print: (line: string) => void): Promise<void> {
  const problems = JSON.parse(readFileSync('test/vectors/knapsack/mknap1-1to4.json', 'utf8')) as Mknap[];
  for (const { n, optimum, profit, weights, capacity } of problems) {
    const rows = weights.map((row) => Float64Array.from(row));
    const values = Float64Array.from(profit, (p) => Math.round(p * 10));
    print(`mknap1 n=${n}: ${solveRows(values, rows, capacity, 10)} (optimum ${optimum})`);
  }
  print(ordinary('neither groups nor links', 0, 0, false));
  print(ordinary('groups', 0.5, 0, false));
  print(ordinary('groups, requirements, exclusions and a limit on risk', 0.3, 0.15, true));
  for (const [n, m] of [
    [28, 10],
    [39, 5],
    [50, 5],
    [100, 10],
  ] as const)
    print(`random ${n} items, ${m} rows: ${randomRows(n, m)}`);
  for (const n of [200, 2000]) {
    for (const range of [1_000, 10_000, 1_000_000])
      for (const kind of knapsackClasses) print(measure(`${kind}, n=${n}, range ${range}`, n, solve(plain(kind, n, range))));
  }
  for (const [n, budget, max_risk] of [
    [60, 209, 15],
    [60, 209, 29],
    [2000, 7_000, 700],
  ] as const)
    print(
      measure(`identical items, budget ${budget}, max_risk ${max_risk}, n=${n}`, n, solve(identicalItems(n, budget, max_risk))),
    );
  compare(print);
  print(measure('risk limit, n=2000', 2000, solve(linked(2000, false))));
  print(measure('risk limit, groups, requires, excludes, n=200', 200, solve(linked(200, true))));
  print(measure('risk limit, groups, requires, excludes, n=2000', 2000, solve(linked(2000, true))));
}

/** Solves the correlated cases by the engine and by HiGHS. */
function compare(print: (line: string) => void): void {
  let better = 0;
  let worse = 0;
  for (const correlation of correlations) {
    for (const riskByCost of [false, true]) {
      const work = correlatedCase({ n: 120, correlation, riskByCost, seed: 1 });
      const label = `${correlation} correlated, groups, risks ${riskByCost ? 'by cost' : 'of their own'}, n=120`;
      const measured = solve(work);
      print(measure(label, 120, measured));
      const { value } = measured.result;
      const peer = solveByHighs(work, highs_seconds_max);
      print(`  HiGHS: ${peer.value}, bound ${peer.bound.toFixed(1)}, ${peer.ms.toFixed(0)} ms`);
      if (value > peer.value) better++;
      if (value < peer.value) worse++;
    }
  }
  print(`HiGHS in ${highs_seconds_max} s: the engine's value is higher ${better} times, lower ${worse} times`);
  for (const correlation of correlations) {
    const work = correlatedCase({ n: 2000, correlation, riskByCost: false, seed: 1 });
    print(measure(`${correlation} correlated, groups, risks of their own, n=2000`, 2000, solve(work)));
  }
}

function solveRows(values: Float64Array, rows: readonly Float64Array[], capacity: readonly number[], scale: number): string {
  const core = makeCore(values, rows, capacity, noLinks(values.length));
  const start = performance.now();
  const { value, complete, nodes } = branchAndBound(core, new Uint8Array(values.length), {
    nodes_max,
    tick: () => {},
    random: prng(1),
    cuts: true,
  });
  return `${value / scale}${complete ? ' proven' : ''}, ${nodes} nodes, ${(performance.now() - start).toFixed(0)} ms`;
}

/** Values near the mean weight, capacities half of each row: after Chu and Beasley, Journal of Heuristics 4 (1998). */
function randomRows(n: number, m: number): string {
  const random = prng(n, m);
  const rows = Array.from({ length: m }, () => Float64Array.from({ length: n }, () => 1 + random.below(1_000)));
  const values = Float64Array.from({ length: n }, (_, i) =>
    Math.floor(rows.reduce((sum, row) => sum + (row[i] ?? 0), 0) / m + 500 * random.unit()),
  );
  return solveRows(
    values,
    rows,
    rows.map((row) => Math.floor(row.reduce((sum, w) => sum + w, 0) / 2)),
    1,
  );
}

const ordinary_sizes = [10, 50, 200] as const;
const ordinary_count = 40;

/** Returns how many of so many missions of each size their certificates prove, and how long the longest one took to check. */
function ordinary(what: string, groups: number, links: number, hasRisk: boolean): string {
  const sizes = ordinary_sizes.map((n) => {
    const all = Array.from({ length: ordinary_count }, (_, seed) => solve(drawn({ n, seed, groups, links, hasRisk })));
    const proven = all.filter(({ result }) => result.optimality_proven === 'bound').length;
    const checks = all.map(({ input, result }) => {
      const began = performance.now();
      const { failure } = verifyAllocation(input, result);
      if (failure !== null) throw new Error(failure);
      return performance.now() - began;
    });
    return `${n} items ${proven}, checked in at most ${Math.max(...checks).toFixed(0)} ms`;
  });
  return `proven by the certificate, of ${ordinary_count} missions with ${what}: ${sizes.join('; ')}`;
}

interface Measured extends Answer<AllocationResult> {
  readonly input: EngineInput<AllocationWork>;
  readonly ms: number;
}

function solve(work: AllocationWork): Measured {
  const input = {
    goal: 'bench',
    work,
    seed: 42,
    population: 20,
    generations: 12,
    effort: { max_evaluations: 10_000 },
    warm_start: null,
  };
  const start = performance.now();
  const answer = unwrap(allocationEngine.run(input, () => {}));
  return { ...answer, input, ms: performance.now() - start };
}

function measure(label: string, n: number, { input, result, iterations, ms }: Measured): string {
  const checked = performance.now();
  const { failure } = verifyAllocation(input, result);
  const reach = n <= 200 ? 'reach: proven, 2 s' : 'reach: gap 0.1 %, 10 s';
  const proof = result.optimality_proven === false ? 'not proven' : `proven by ${result.optimality_proven}`;
  const verified = `${failure ?? 'verified'} in ${(performance.now() - checked).toFixed(0)} ms`;
  const less = result.sensitivity.budget_minus_10?.optimality_proven;
  const more = result.sensitivity.budget_plus_10?.optimality_proven;
  const proofs = `-10 % ${String(less)}, +10 % ${String(more)}`;
  const gap = `gap ${(result.gap * 100).toFixed(4)} %`;
  return `${label}: ${result.value}, ${proof}, ${gap}, ${ms.toFixed(0)} ms, ${iterations} nodes (${reach}); ${proofs}; ${result.pareto.length} points; ${verified}`;
}

function plain(kind: (typeof knapsackClasses)[number], n: number, range: number): AllocationWork {
  const { values, costs, budget } = knapsack(kind, n, range, 1);
  return {
    kind: 'allocation',
    items: values.map((value, i) => ({ id: `i${i}`, cost: costs[i] ?? 1, value, risk: 0 })),
    budget,
    unit: 'x',
  };
}

function linked(n: number, links: boolean): AllocationWork {
  const random = prng(n, 7);
  const items = Array.from({ length: n }, (_, i) => ({
    id: `i${i}`,
    cost: 1 + random.below(1_000),
    value: 1 + random.below(1_000),
    risk: random.below(100),
    ...(links && random.below(4) === 0 ? { group: `g${random.below(n / 10)}` } : {}),
    ...(links && i > 0 && random.below(5) === 0 ? { requires: [`i${random.below(i)}`] } : {}),
    ...(links && i > 0 && random.below(5) === 0 ? { excludes: [`i${random.below(i)}`] } : {}),
  }));
  return { kind: 'allocation', items, budget: n * 150, max_risk: n * 15, unit: 'x' };
}
