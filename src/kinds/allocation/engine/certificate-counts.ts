/** The counts of a certificate's cardinality cuts: prices in the mission's units, and the whole numbers that they prove. */
import { round12 } from '../../../base/decimal.js';
import type { CountPrices, Counts } from '../result.js';
import { exact, exactBound, floorDivide, type PricedRow } from './bound.js';
import { countVertices, type CountVertex } from './cuts.js';
import type { Core } from './model.js';
import type { Problem } from './problem.js';

export interface ProvenCounts {
  readonly most: number;
  readonly least: number;
  readonly prices: Counts;
}

export const tens = (k: number): number => Number(`1e${k}`);

/** Rounds a multiplier to 12 digits in mission units; a negligible one is left out. */
export const inUnits = (x: number, shift: number): number => (x * tens(shift) < 1e-30 ? 0 : round12(x * tens(shift)));

/** Returns the counts of the choices worth at least `target`, in grid units. */
export function provenCounts(problem: Problem, core: Core, target: number): ProvenCounts {
  const { most, least } = countVertices(core, target, () => {});
  const prices = { most: countPrices(problem, core, most), least: countPrices(problem, core, least) };
  const ones = new Float64Array(core.n).fill(1);
  const upper = exactBound(core, ones, rowsOf(problem, core, prices.most, target), []);
  const lower = exactBound(
    core,
    ones.map((x) => -x),
    rowsOf(problem, core, prices.least, target),
    [],
  );
  const fewest = -floorDivide(lower.sum, lower.unit);
  return {
    most: Number(floorDivide(upper.sum, upper.unit)),
    least: fewest < 0n ? 0 : Number(fewest),
    prices,
  };
}

function countPrices(problem: Problem, core: Core, { prices }: CountVertex): CountPrices {
  const { costPlaces, riskPlaces, valuePlaces } = problem;
  return {
    budget: inUnits(prices[0] ?? 0, costPlaces),
    risk: core.hard > 1 ? inUnits(prices[1] ?? 0, riskPlaces) : 0,
    value: inUnits(prices[core.hard] ?? 0, valuePlaces),
  };
}

function rowsOf(problem: Problem, core: Core, prices: CountPrices, target: number): PricedRow[] {
  const [costs, risks] = core.rows;
  const rows = [
    { price: exact(prices.budget, problem.costPlaces), weights: costs ?? core.values, capacity: core.capacities[0] ?? 0 },
  ];
  if (risks !== undefined)
    rows.push({ price: exact(prices.risk, problem.riskPlaces), weights: risks, capacity: core.capacities[1] ?? 0 });
  rows.push({ price: exact(prices.value, problem.valuePlaces), weights: core.values.map((v) => -v), capacity: -target });
  return rows;
}
