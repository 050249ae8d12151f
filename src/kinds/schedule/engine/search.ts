/**
 * The whole search, after Peng, Lü and Cheng (2015): an elite of schedules, each improved by tabu search; then two of them
 * are relinked, the schedule in between improved, and the worst of the elite replaced. An elite that no longer changes is
 * dropped except for its best and built again.
 */
import { prng, type Prng } from '../../../base/prng.js';
import { activeOrder, dispatchOrder, randomRule, rulesFor } from './construct.js';
import { at } from './ints.js';
import { loadOrder, valueOf } from './plan.js';
import type { Prover } from './prover.js';
import type { Shop } from './shop.js';
import { type Meter, type Solution, tabuSearch } from './tabu.js';
import { newWalk, type Walk } from './walk.js';

// A schedule between two others (path relinking in the sense of Nowicki and Smutnicki 2005): both linear orders are
// merged; a biased coin decides from which the next operation not yet placed is taken. Decisions common to both stay,
// so every job's order holds and no repair is needed. The bias is drawn for each merge, between a quarter and three
// quarters.

export function merge(a: Int32Array, b: Int32Array, random: Prng): Int32Array {
  const n = a.length;
  const placed = new Uint8Array(n);
  const order = new Int32Array(n);
  const bar = 0x40000000 + random.below(0x80000000);
  let count = 0;
  let i = 0;
  let k = 0;
  while (count < n) {
    while (i < n && placed[at(a, i)] === 1) i++;
    while (k < n && placed[at(b, k)] === 1) k++;
    const x = random.uint32() < bar ? at(a, i) : at(b, k);
    placed[x] = 1;
    order[count++] = x;
  }
  return order;
}

export interface SearchInput {
  readonly shop: Shop;
  readonly seed: number;
  /** Size of the elite, at least 2. */
  readonly population: number;
  readonly meter: Meter;
  /** The search ends when its bound is reached; it is asked once, in the course of the search, to prove the best value. */
  readonly prover: Prover;
  /** A linear order to start from besides the constructed ones, or null. */
  readonly warm: Int32Array | null;
}

/**
 * The number of iterations without improvement after which one walk ends: a share of the effort, so that an elite of any size is
 * relinked several times, and no more than is useful for a small shop (Peng et al. 2015 use 12500).
 */
const stall_max = 12_500;
const stall_per_operation_max = 60;
const stall_min = 100;
const walks_per_member = 15;
/** The share of the iterations after which a proof is attempted. */
const iterations_before_proof = 0.2;
/** The number of merges without any change of the elite, for each of its members, after which it is rebuilt. */
const idle_merges_per_member = 2;

/**
 * The number of rebuilt elites without a better schedule after which the search ends early: a small shop is then practically
 * solved.
 */
const vain_elites_max = 10;

/** Returns the best schedule found. Deterministic in its input. */
export function search(input: SearchInput): Solution {
  const run = new Search(input);
  let elite = run.firstElite();
  let known = Number.POSITIVE_INFINITY;
  for (let vain = 0; ; vain++) {
    run.evolve(elite);
    const best = bestOf(elite);
    if (best.value < known) vain = 0;
    if (run.isOver() || vain >= vain_elites_max) return best;
    known = best.value;
    elite = run.freshElite(best);
  }
}

const bestOf = (elite: readonly Solution[]): Solution =>
  elite.reduce((best, solution) => (solution.value < best.value ? solution : best));

class Search {
  private readonly walk: Walk;
  private readonly stall: number;
  private reached = false;
  private isProofTried = false;
  private known = Number.POSITIVE_INFINITY;

  constructor(private readonly input: SearchInput) {
    const { shop, seed, population, meter } = input;
    this.walk = newWalk(shop, prng(seed, 1));
    const share = Math.floor(meter.most / (walks_per_member * population));
    const useful = Math.min(stall_max, stall_per_operation_max * shop.operations);
    this.stall = Math.max(stall_min, Math.min(useful, share));
  }

  isOver(): boolean {
    return this.reached || this.input.meter.done >= this.input.meter.limit;
  }

  /**
   * Returns the first elite: warm start, baseline and rules, the most promising first, because they use the effort first; then
   * random schedules.
   */
  firstElite(): Solution[] {
    const { shop, population, warm, meter } = this.input;
    const { pulse } = meter;
    const rated = [
      this.rated(dispatchOrder(shop, pulse)),
      ...rulesFor(shop).map((rule) => this.rated(activeOrder(shop, rule, pulse))),
    ];
    if (warm !== null) rated.unshift(this.rated(warm));
    rated.sort((a, b) => a.value - b.value);
    const elite: Solution[] = [];
    for (const { order } of rated.slice(0, Math.max(1, population >> 1))) {
      if (elite.length === 0 || !this.isOver()) elite.push(this.improve(order));
    }
    return this.completed(elite);
  }

  freshElite(best: Solution): Solution[] {
    return this.completed([best]);
  }

  /** Relinks pairs of the elite, in place, until it no longer changes or the search is over. */
  evolve(elite: Solution[]): void {
    const { random } = this.walk;
    let idle = 0;
    while (idle < idle_merges_per_member * elite.length && !this.isOver()) {
      const i = random.below(elite.length);
      const k = (i + 1 + random.below(elite.length - 1)) % elite.length;
      const [a, b] = [elite[i], elite[k]];
      if (a === undefined || b === undefined) return;
      const child = this.improve(merge(a.order, b.order, random));
      idle = admit(elite, child) ? 0 : idle + 1;
    }
  }

  private completed(elite: Solution[]): Solution[] {
    const { shop, population, meter } = this.input;
    const { pulse } = meter;
    const rule = randomRule(this.walk.random);
    while (elite.length < population && !this.isOver()) elite.push(this.improve(activeOrder(shop, rule, pulse)));
    return elite;
  }

  private improve(order: Int32Array): Solution {
    const { meter, prover } = this.input;
    const solution = this.descend(order);
    if (this.isProofTried || this.reached || meter.done < iterations_before_proof * meter.most) return solution;
    if (meter.done >= meter.limit) return solution;
    this.isProofTried = true;
    const better = meter.inTime(() => prover.improve(this.known));
    if (better !== null) return this.descend(better);
    if (prover.isProven) this.reached = true;
    return solution;
  }

  private descend(order: Int32Array): Solution {
    const { meter, prover } = this.input;
    meter.pulse();
    const solution = tabuSearch(this.walk, order, meter, this.stall, prover.bound);
    if (solution.value <= prover.bound) this.reached = true;
    this.known = Math.min(this.known, solution.value);
    return solution;
  }

  private rated(order: Int32Array): { readonly order: Int32Array; readonly value: number } {
    this.input.meter.pulse();
    loadOrder(this.walk.plan, order);
    return { order, value: valueOf(this.walk.plan) };
  }
}

/** Replaces the worst member by a child unless it is not better or the same schedule as another; returns whether it did. */
function admit(elite: Solution[], child: Solution): boolean {
  let worst = 0;
  for (const [i, member] of elite.entries()) {
    if (member.value === child.value && isSame(member.sequence, child.sequence)) return false;
    if (member.value > (elite[worst]?.value ?? 0)) worst = i;
  }
  if (child.value >= (elite[worst]?.value ?? 0)) return false;
  elite[worst] = child;
  return true;
}

const isSame = (a: Int32Array, b: Int32Array): boolean => a.every((x, s) => x === at(b, s));
