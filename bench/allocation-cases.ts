/** Allocation missions that are hard for exact methods: values close to costs, groups, and a risk limit that binds beside the budget. */
import { prng, type Prng } from '../src/base/prng.js';
import type { AllocationWork } from '../src/kinds/allocation/work.js';

export const correlations = ['weakly', 'strongly', 'almost strongly', 'inverse strongly'] as const;

export interface CorrelatedCase {
  readonly n: number;
  readonly correlation: (typeof correlations)[number];
  /** Whether risks grow with the costs. */
  readonly riskByCost: boolean;
  readonly seed: number;
}

function costAndValue(correlation: CorrelatedCase['correlation'], random: Prng): readonly [number, number] {
  const base = 1 + random.below(1_000);
  switch (correlation) {
    case 'weakly':
      return [base, Math.max(1, base - 100 + random.below(201))];
    case 'strongly':
      return [base, base + 100];
    case 'almost strongly':
      return [base, base + 98 + random.below(5)];
    case 'inverse strongly':
      return [base + 100, base];
  }
}

/** Returns a mission with three of five items in groups of about four; the budget is 40 % of all costs, the limit 40 % of all risks. */
export function correlatedCase({ n, correlation, riskByCost, seed }: CorrelatedCase): AllocationWork {
  const random = prng(seed, n, correlations.indexOf(correlation), riskByCost ? 1 : 0);
  const groups = Math.ceil((n * 3) / 20);
  const items = Array.from({ length: n }, (_, i) => {
    const [cost, value] = costAndValue(correlation, random);
    const risk = riskByCost ? Math.floor(cost / 20) + random.below(50) : random.below(100);
    const base = { id: `i${i}`, cost, value, risk };
    return i % 5 < 3 ? { ...base, group: `g${random.below(groups)}` } : base;
  });
  const sum = (member: 'cost' | 'risk'): number => items.reduce((total, item) => total + item[member], 0);
  return {
    kind: 'allocation',
    items,
    budget: Math.floor(sum('cost') * 0.4),
    max_risk: Math.floor(sum('risk') * 0.4),
    unit: 'points',
  };
}

/** Returns items that are all the same; the risk limit holds fewer of them than the budget. */
export function identicalItems(n: number, budget: number, max_risk: number): AllocationWork {
  const items = Array.from({ length: n }, (_, i) => ({ id: `i${i}`, cost: 7, value: 7, risk: 1 }));
  return { kind: 'allocation', items, budget, max_risk, unit: 'points' };
}

interface Drawn {
  readonly n: number;
  readonly seed: number;
  /** The share of the items that are in a group, and the share that require or exclude another one. */
  readonly groups: number;
  readonly links: number;
  readonly hasRisk: boolean;
}

/** Returns a mission as people have them: values from 10 to 100, costs from 10 to 200, a budget for 20 to 60 % of all costs. */
export function drawn({ n, seed, groups, links, hasRisk }: Drawn): AllocationWork {
  const random = prng(seed, n, groups * 100, links * 100);
  const isDrawn = (share: number): boolean => random.unit() < share;
  const items = Array.from({ length: n }, (_, i) => ({
    id: `i${i}`,
    cost: 10 + random.below(191),
    value: 10 + random.below(91),
    risk: hasRisk ? random.below(10) : 0,
    ...(isDrawn(groups) ? { group: `g${random.below(Math.ceil(n / 4))}` } : {}),
    ...(i > 0 && isDrawn(links) ? { requires: [`i${random.below(i)}`] } : {}),
    ...(i > 0 && isDrawn(links) ? { excludes: [`i${random.below(i)}`] } : {}),
  }));
  const budget = Math.round(items.reduce((sum, { cost }) => sum + cost, 0) * (0.2 + 0.4 * random.unit()));
  return { kind: 'allocation', items, budget, unit: 'points', ...(hasRisk ? { max_risk: 2 * n } : {}) };
}
