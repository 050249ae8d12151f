/**
 * The whole search, after Peng, Lü and Cheng (2015): an elite of schedules, each improved by tabu search; then two of them
 * are relinked, the schedules in between improved, and the worst of the elite replaced. An elite that no longer differs is
 * dropped except for its best and built anew.
 */
import { prng, type Prng } from '../../base/prng.js';
import { activeOrder, dispatchOrder, randomRule, rulesFor } from './construct.js';
import { at } from './ints.js';
import { loadOrder, newPlan, valueOf } from './plan.js';
import { merge } from './relink.js';
import type { Shop } from './shop.js';
import { type Meter, type Solution, tabuSearch } from './tabu.js';
import { newWalk, type Walk } from './walk.js';

export interface SearchInput {
  readonly shop: Shop;
  readonly seed: number;
  /** Size of the elite. */
  readonly population: number;
  readonly meter: Meter;
  /** The search ends when this value is reached. */
  readonly target: number;
  /** A linear order to start from besides the constructed ones, or null. */
  readonly warm: Int32Array | null;
}

/**
 * Iterations without improvement after which one walk ends: a share of the effort, so that an elite of any size is relinked
 * many times (Peng et al. 2015 use 12500 and far more effort).
 */
const stall_max = 12_500;
const stall_min = 100;
const walks_per_member = 50;
/** Pairs relinked without any change of the elite after which it is built anew, for each of its members. */
const idle_rounds_per_member = 2;

/** The best schedule found. Deterministic in its input. */
export function search(input: SearchInput): Solution {
  const { shop, meter, target, population } = input;
  const walk = newWalk(shop, prng(input.seed, 1));
  const stall = Math.min(stall_max, Math.max(stall_min, Math.floor(meter.most / (walks_per_member * population))));
  const improve = (order: Int32Array): Solution => tabuSearch(walk, order, meter, stall, target);
  let best: Solution | null = null;
  for (let epoch = 0; best === null || (meter.done < meter.most && best.value > target); epoch++) {
    const starts = epoch === 0 ? firstStarts(input, walk.random) : randomStarts(shop, population - 1, walk.random);
    const elite = starts.map(improve);
    if (best !== null) elite.push(best);
    evolve(input, walk, elite, improve);
    best = elite.reduce((least, one) => (one.value < least.value ? one : least));
  }
  return best;
}

/** Warm start, baseline and rules, then random active schedules; the most promising first, for they take the effort first. */
function firstStarts(input: SearchInput, random: Prng): Int32Array[] {
  const { shop, population } = input;
  const starts = input.warm === null ? [] : [input.warm];
  starts.push(dispatchOrder(shop), ...rulesFor(shop).map((rule) => activeOrder(shop, rule)));
  const plan = newPlan(shop);
  const rated = starts.map((order) => {
    loadOrder(plan, order);
    return { order, value: valueOf(plan) };
  });
  const ordered = rated.sort((a, b) => a.value - b.value).map((one) => one.order);
  const kept = ordered.slice(0, Math.max(1, population >> 1));
  return [...kept, ...randomStarts(shop, population - kept.length, random)];
}

const randomStarts = (shop: Shop, count: number, random: Prng): Int32Array[] =>
  Array.from({ length: count }, () => activeOrder(shop, randomRule(random)));

/** Relinks pairs of the elite, in place, until it no longer changes or the effort is used up. */
function evolve(input: SearchInput, walk: Walk, elite: Solution[], improve: (order: Int32Array) => Solution): void {
  const { meter, target } = input;
  const { random } = walk;
  let idle = 0;
  while (idle < idle_rounds_per_member * elite.length && meter.done < meter.most && elite.every((one) => one.value > target)) {
    const i = random.below(elite.length);
    const k = (i + 1 + random.below(elite.length - 1)) % elite.length;
    const [a, b] = [elite[i], elite[k]];
    if (a === undefined || b === undefined) return;
    const child = improve(merge(a.order, b.order, random));
    idle = admit(input.shop, elite, child) ? 0 : idle + 1;
  }
}

/** Puts a child in the place of the worst member unless it is no better or the same schedule as another; true when it did. */
function admit(shop: Shop, elite: Solution[], child: Solution): boolean {
  let worst = 0;
  for (let i = 0; i < elite.length; i++) {
    const member = elite[i];
    if (member === undefined) continue;
    if (member.value === child.value && sameMachineOrders(shop, member.order, child.order)) return false;
    if (member.value > (elite[worst]?.value ?? 0)) worst = i;
  }
  if (child.value >= (elite[worst]?.value ?? 0)) return false;
  elite[worst] = child;
  return true;
}

/** Whether two linear orders give every machine the same order. */
function sameMachineOrders(shop: Shop, a: Int32Array, b: Int32Array): boolean {
  const left = newPlan(shop);
  const right = newPlan(shop);
  loadOrder(left, a);
  loadOrder(right, b);
  return left.sequence.every((x, s) => x === at(right.sequence, s));
}
