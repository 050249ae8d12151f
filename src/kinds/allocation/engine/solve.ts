/** One solve: picks the search, runs it from an incumbent and returns choice, multipliers and the bound that they certify. */
import { round12 } from '../../../base/decimal.js';
import { branchAndBound } from './branch-and-bound.js';
import { certifiedBound, fitsAlone } from './bound.js';
import { searchCore } from './core-dp.js';
import { countAtLeast, countAtMost, lineDual, type Line } from './dual-line.js';
import { cells_per_node, searchTable } from './table-dp.js';
import { hasLinks, total, type Choice, type Core } from './model.js';
import type { Problem } from './problem.js';
import { link_prices_max } from '../constants.js';
import type { LinkPrice, Multipliers } from '../result.js';

/** The number of states of the dynamic programme that count as one node of the branch and bound. */
export const states_per_node = 20;
const states_max = 8_000_000;
/** The cells of a full table: 40 MB of bits. */
const cells_limit = 320_000_000;

export interface Prices extends Multipliers {
  readonly requires: readonly LinkPrice[];
  readonly excludes: readonly LinkPrice[];
}

export interface Solved {
  readonly choice: Choice;
  /** In grid units. */
  readonly value: number;
  readonly bound: number;
  readonly complete: boolean;
  readonly nodes: number;
  readonly prices: Prices;
}

export interface Found {
  readonly choice: Choice;
  readonly complete: boolean;
  readonly nodes: number;
  readonly prices: Prices;
}

/** Returns the decimal places of the grid of each row: cost, then risk. */
const rowPlaces = (problem: Problem): readonly number[] => [problem.costPlaces, problem.riskPlaces];

const tens = (k: number): number => Number(`1e${k}`);

/** Returns the choice alone, for short solves whose bound is not used. */
export function choose(problem: Problem, core: Core, incumbent: Choice, nodes_max: number, tick: (nodes: number) => void): Found {
  return oneRow(core)
    ? byCore(problem, core, incumbent, nodes_max, tick)
    : byBranching(problem, core, incumbent, nodes_max, tick);
}

export function solve(problem: Problem, core: Core, incumbent: Choice, nodes_max: number, tick: (nodes: number) => void): Solved {
  const found = oneRow(core)
    ? byCore(problem, core, incumbent, nodes_max, tick)
    : byBranching(problem, core, incumbent, nodes_max, tick);
  const value = total(core.values, found.choice);
  const prices = oneRow(core) ? linePrices(problem, core, value) : found.prices;
  return { ...found, value, prices, bound: boundOf(problem, core, prices, value) };
}

/** Returns the bound that these multipliers certify, in grid units. */
export function boundOf(problem: Problem, core: Core, prices: Prices, value: number): number {
  const places = rowPlaces(problem);
  const exactPrices = {
    rows: [prices.budget, prices.risk].slice(0, core.rows.length),
    at_most: prices.at_most,
    at_least: prices.at_least,
    requires: prices.requires,
    excludes: prices.excludes,
    shift: places.map((p) => p - problem.valuePlaces),
    itemShift: -problem.valuePlaces,
  };
  return certifiedBound(core, exactPrices, counts(core, value), value);
}

/**
 * Returns the counts of the cardinality cuts: the most items that fit, and the least number of items for a value above `value`.
 */
function counts(core: Core, value: number): readonly [number, number] {
  let most = core.n;
  for (const [k, row] of core.rows.entries()) most = Math.min(most, countAtMost(row, core.capacities[k] ?? 0));
  const fitting = core.values.filter((_, i) => fitsAlone(core, i));
  return [most, countAtLeast(fitting, value + core.grid)];
}

/** Returns whether only the budget can bind: the dynamic programme over an expanding core then applies. */
function oneRow(core: Core): boolean {
  if (hasLinks(core)) return false;
  return core.rows.slice(1).every((row, k) => row.reduce((sum, w) => sum + w, 0) <= (core.capacities[k + 1] ?? 0));
}

function usable(core: Core): { line: Line; index: number[] } {
  const index: number[] = [];
  for (let i = 0; i < core.n; i++) if (fitsAlone(core, i) && (core.values[i] ?? 0) > 0) index.push(i);
  const values = Float64Array.from(index, (i) => core.values[i] ?? 0);
  const weights = Float64Array.from(index, (i) => core.rows[0]?.[i] ?? 0);
  return { line: { values, weights, capacity: core.capacities[0] ?? 0 }, index };
}

/** Rounds a multiplier to 12 digits in mission units; a negligible one is left out. */
const inUnits = (x: number, shift: number): number => (x * tens(shift) < 1e-30 ? 0 : round12(x * tens(shift)));

function lineRounding(problem: Problem): (x: number) => number {
  const shift = problem.costPlaces - problem.valuePlaces;
  return shift === 0 ? round12 : (x) => inUnits(x, shift) / tens(shift);
}

function byCore(problem: Problem, core: Core, incumbent: Choice, nodes_max: number, tick: (nodes: number) => void): Found {
  const { line, index } = usable(core);
  const start = Uint8Array.from(index, (i) => incumbent[i] ?? 0);
  const dual = lineDual(line, total(line.values, start) + core.grid, lineRounding(problem));
  const items = { ...line, grid: core.grid };
  const states_room = Math.min(states_max, Math.floor(nodes_max * states_per_node));
  const outcome = searchCore(items, dual, start, states_room, (states) => tick(Math.ceil(states / states_per_node)));
  let best = outcome.choice ?? start;
  let { complete } = outcome;
  let nodes = Math.ceil(outcome.states / states_per_node);
  if (!complete) {
    const spent = nodes;
    const cells_max = Math.min(cells_limit, (nodes_max - nodes) * cells_per_node);
    const progress = (cells: number): void => tick(spent + Math.ceil(cells / cells_per_node));
    const table = searchTable(items, dual, total(line.values, best), cells_max, progress);
    complete = table !== null;
    best = table?.choice ?? best;
    nodes += Math.ceil((table?.cells ?? 0) / cells_per_node);
  }
  const choice = new Uint8Array(core.n);
  for (const [k, i] of index.entries()) choice[i] = best[k] ?? 0;
  return { choice, complete, nodes, prices: noPrices };
}

const noPrices: Prices = { budget: 0, risk: 0, at_most: 0, at_least: 0, requires: [], excludes: [] };

/** Returns the best multipliers once the value is known: the at-least cut grows with it. */
function linePrices(problem: Problem, core: Core, value: number): Prices {
  const dual = lineDual(usable(core).line, value + core.grid, lineRounding(problem));
  const sigma = inUnits(Math.abs(dual.sigma), -problem.valuePlaces);
  return {
    ...noPrices,
    budget: inUnits(dual.lambda, problem.costPlaces - problem.valuePlaces),
    at_most: dual.sigma > 0 ? sigma : 0,
    at_least: dual.sigma < 0 ? sigma : 0,
  };
}

function byBranching(problem: Problem, core: Core, incumbent: Choice, nodes_max: number, tick: (nodes: number) => void): Found {
  const outcome = branchAndBound(core, incumbent, nodes_max, tick);
  const places = rowPlaces(problem);
  const price = (k: number): number => inUnits(outcome.prices.rows[k] ?? 0, (places[k] ?? 0) - problem.valuePlaces);
  return {
    choice: outcome.choice,
    complete: outcome.complete,
    nodes: outcome.nodes,
    prices: {
      ...noPrices,
      budget: price(0),
      risk: price(1),
      requires: linkPrices(problem, core, outcome.prices.requires),
      excludes: linkPrices(problem, core, outcome.prices.excludes),
    },
  };
}

/** Returns the highest link prices; leaving the others at 0 keeps the bound valid. */
function linkPrices(problem: Problem, core: Core, prices: ReadonlyMap<number, number>): LinkPrice[] {
  const all: LinkPrice[] = [];
  for (const [key, price] of prices) {
    const units = inUnits(price, -problem.valuePlaces);
    if (units > 0) all.push([Math.floor(key / core.n), key % core.n, units]);
  }
  all.sort((a, b) => b[2] - a[2] || a[0] - b[0] || a[1] - b[1]);
  return all.slice(0, link_prices_max);
}
