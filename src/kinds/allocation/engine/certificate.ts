/** The multipliers of a certificate: those of the lowest bound, in the simplest form that gives it. */
import { round12 } from '../../../base/decimal.js';
import { choicesMax, link_prices_max } from '../constants.js';
import type { CountPrices, Counts, LinkPrice, Multipliers } from '../result.js';
import { exact, exactBound, floorDivide, type PricedRow } from './bound.js';
import { choicesLeft } from './choices.js';
import { countVertices, type CountVertex, cutRows, dualItems } from './cuts.js';
import { dualVertex } from './dual-vertex.js';
import type { LinkPairs } from './links.js';
import type { Core } from './model.js';
import type { Problem } from './problem.js';

// The counts of the cardinality cuts: prices in the mission's units, and the whole numbers that they prove.

type ProvenCounts = Readonly<ReturnType<typeof provenCounts>>;

const tens = (k: number): number => Number(`1e${k}`);

/** Rounds a multiplier to 12 digits in mission units; a negligible one is left out. */
const inUnits = (x: number, shift: number): number => (x * tens(shift) < 1e-30 ? 0 : round12(x * tens(shift)));

/** Returns the counts of the choices worth at least `target`, in grid units. */
function provenCounts(problem: Problem, core: Core, target: number) {
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

export interface Prices extends Multipliers {
  readonly requires: readonly LinkPrice[];
  readonly excludes: readonly LinkPrice[];
}

type RowName = keyof Multipliers;

/** The rows that a certificate may price, the simplest sets first: a vertex of the dual with few prices above 0. */
const row_sets: readonly (readonly RowName[])[] = [
  [],
  ['budget'],
  ['risk'],
  ['at_most'],
  ['budget', 'at_most'],
  ['budget', 'at_least'],
  ['risk', 'at_most'],
  ['risk', 'at_least'],
  ['budget', 'risk'],
  ['budget', 'at_most', 'at_least'],
  ['budget', 'risk', 'at_most', 'at_least'],
];

const vertex_steps = 300;

/** Returns the bound that these multipliers certify, in grid units, never below the value, and what it is made of. */
function boundOf(problem: Problem, core: Core, prices: Prices, counts: ProvenCounts, value: number) {
  const shift = -problem.valuePlaces;
  const [most, least] = cutRows(core, counts.most, counts.least);
  const rows = [
    { price: exact(prices.at_most, shift), ...most },
    { price: exact(prices.at_least, shift), ...least },
  ];
  for (const [k, weights] of core.rows.entries()) {
    const [price, places] = k === 0 ? [prices.budget, problem.costPlaces] : [prices.risk, problem.riskPlaces];
    rows.push({ price: exact(price, places + shift), weights, capacity: core.capacities[k] ?? 0, hard: true });
  }
  const links = [
    ...prices.requires.map(([i, j, price]) => ({ i, j, implies: true, price: exact(price, shift) })),
    ...prices.excludes.map(([i, j, price]) => ({ i, j, implies: false, price: exact(price, shift) })),
  ];
  const parts = exactBound(core, core.values, rows, links);
  const step = parts.unit * BigInt(core.grid);
  return { bound: Math.max(value, parts.sum < 0n ? 0 : Number((parts.sum / step) * BigInt(core.grid))), parts };
}

interface Candidate {
  readonly prices: Prices;
  /** The bound as the dual gives it. */
  readonly estimate: number;
}

/** The prices of links in a certificate, which its scenarios share so that it stays small. */
export type PricedLinks = Pick<Prices, 'requires' | 'excludes'>;

export interface Proof {
  readonly prices: Prices;
  readonly counts: Counts;
  /** In grid units. */
  readonly bound: number;
  /** How many choices the multipliers leave, none of which is better: the value is the bound. Null where they prove it, or prove no more. */
  readonly choices: number | null;
}

/**
 * Returns the proof of the lowest bound.
 * @param value the total of the choice, in grid units
 * @param bases the prices of links to choose from, the simplest first
 */
export function proofOf(problem: Problem, core: Core, value: number, bases: readonly PricedLinks[]): Proof {
  const counts = provenCounts(problem, core, value + core.grid);
  const sets = row_sets.filter((names) => core.rows.length > 1 || !names.includes('risk'));
  const full = bases.map((base) => candidate(problem, core, counts, base, sets.at(-1) ?? []));
  const lowest = full.reduce((least, { estimate }) => Math.min(least, estimate), Infinity);
  const near = ({ estimate }: Candidate): boolean => estimate <= Math.max(lowest, value) + core.grid;
  // A simple set cannot do better than all rows: where those do worse than other prices of links, it is not tried.
  const candidates = bases.flatMap((base, k) => {
    const whole = full[k];
    if (whole === undefined || !near(whole)) return [];
    return [...sets.slice(0, -1).map((names) => candidate(problem, core, counts, base, names)), whole].filter(near);
  });
  let best: (ReturnType<typeof boundOf> & Pick<Proof, 'prices'>) | null = null;
  for (const { prices } of candidates) {
    const found = boundOf(problem, core, prices, counts, value);
    if (best !== null && found.bound >= best.bound) continue;
    best = { prices, ...found };
    if (found.bound === value) break;
  }
  if (best === null) throw new TypeError('no multipliers give a bound');
  const { prices, bound, parts } = best;
  const choices = bound === value ? null : choicesLeft(core, parts, value, choicesMax(problem.work.items.length));
  return { prices, counts: pricedCounts(prices, counts), bound: choices === null ? bound : value, choices };
}

const noCount = { budget: 0, risk: 0, value: 0 };

/** Returns the prices of the counts that the bound uses; the others are 0. */
const pricedCounts = ({ at_most, at_least }: Prices, { prices }: ProvenCounts): Counts => ({
  most: at_most === 0 ? noCount : prices.most,
  least: at_least === 0 ? noCount : prices.least,
});

/** Returns the best prices of these rows beside those of the links. */
function candidate(problem: Problem, core: Core, counts: ProvenCounts, base: PricedLinks, names: readonly RowName[]): Candidate {
  const [most, least] = cutRows(core, counts.most, counts.least);
  const row = (name: RowName): { weights: Float64Array; capacity: number } => {
    if (name === 'at_most') return most;
    if (name === 'at_least') return least;
    const k = name === 'budget' ? 0 : 1;
    return { weights: core.rows[k] ?? core.values, capacity: core.capacities[k] ?? 0 };
  };
  const gains = core.values.slice();
  let constant = 0;
  const scale = tens(problem.valuePlaces);
  for (const [i, j, price] of base.requires) {
    gains[i] = (gains[i] ?? 0) - price * scale;
    gains[j] = (gains[j] ?? 0) + price * scale;
  }
  for (const [i, j, price] of base.excludes) {
    constant += price * scale;
    for (const end of [i, j]) gains[end] = (gains[end] ?? 0) - price * scale;
  }
  const { prices, bound } = dualVertex(dualItems(core, gains), names.map(row), vertex_steps, () => {});
  const out: { -readonly [Name in RowName]: number } = { budget: 0, risk: 0, at_most: 0, at_least: 0 };
  const places = { budget: problem.costPlaces, risk: problem.riskPlaces, at_most: 0, at_least: 0 };
  for (const [k, name] of names.entries()) out[name] = inUnits(prices[k] ?? 0, places[name] - problem.valuePlaces);
  return { prices: { ...base, ...out }, estimate: bound + constant };
}

const noLinks: PricedLinks = { requires: [], excludes: [] };

/** Returns no prices of links, and the highest that a search found; leaving the others at 0 keeps the bound valid. */
export function pricedLinks(problem: Problem, links: LinkPairs | null): readonly PricedLinks[] {
  if (links === null) return [noLinks];
  const kept = (implications: boolean): LinkPrice[] => {
    const all: LinkPrice[] = [];
    for (let pair = 0; pair < links.size; pair++) {
      const units = inUnits(links.price[pair] ?? 0, -problem.valuePlaces);
      if (units > 0 && links.implies(pair) === implications) all.push([links.from[pair] ?? 0, links.to[pair] ?? 0, units]);
    }
    all.sort((a, b) => b[2] - a[2] || a[0] - b[0] || a[1] - b[1]);
    return all.slice(0, link_prices_max);
  };
  const highest = { requires: kept(true), excludes: kept(false) };
  return highest.requires.length + highest.excludes.length > 0 ? [noLinks, highest] : [noLinks];
}
