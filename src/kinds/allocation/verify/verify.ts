/**
 * Re-checks an allocation from the request: members and types, totals, constraints, the bound from the multipliers, baseline,
 * reasons, pareto points and sensitivity. Shares no code with the engine.
 */
import { canonicalJson } from '../../../base/canonical-json.js';
import { decimalDifference, round12, round15 } from '../../../base/decimal.js';
import { sha256Hex } from '../../../base/bytes.js';
import type { AllocationWork } from '../work.js';
import { type Effort, endedText, type EngineInput } from '../../../engines/engine.js';
import * as texts from '../constants.js';
import { claimsVerifier, equal, need, readClaim } from '../../claims.js';
import type { AllocationResult, Certificate, CountPrices, Counts, Multipliers, Reason, Totals } from '../result.js';
import { allocationResult } from '../result.js';
import { checkChoices } from './choices.js';
import { plainNumber, Request, type Sums } from './model.js';

export const verifyAllocation = claimsVerifier<AllocationWork>((input, result, passed) => {
  new Check(input, readClaim(allocationResult, result), passed).all();
});

class Check {
  private readonly request: Request;
  private readonly chosen = new Set<number>();
  private readonly sums: Sums;
  /** The mission's budget in millionths. */
  private readonly budget: bigint;

  private readonly work: AllocationWork;
  private readonly effort: Effort;

  constructor(
    { work, effort }: Pick<EngineInput<AllocationWork>, 'work' | 'effort'>,
    private readonly result: AllocationResult,
    private readonly passed: (check: string) => void,
  ) {
    this.work = work;
    this.effort = effort;
    this.request = new Request(work);
    this.budget = this.request.budget(work.budget);
    let last = -1;
    for (const id of result.selected) {
      const i = this.request.index.get(id);
      need(i !== undefined && i > last, 'selected must name items of the request, in its order');
      this.chosen.add(i);
      last = i;
    }
    this.sums = this.request.sums(this.chosen);
  }

  all(): void {
    this.step('texts, unit and members are as specified', () => this.texts());
    this.step('the selection keeps every constraint, and its totals are right', () => this.selection());
    this.step('the bound follows from the multipliers', () => this.bound());
    this.step('baseline and improvement are right', () => this.baseline());
    this.step('each item left out has the right reason', () => this.reasons());
    this.step('pareto points are feasible, distinct and do not dominate each other', () => this.pareto());
    this.step('sensitivity values are feasible and bounded', () => this.sensitivity());
    this.step('the certificate is unaltered', () => this.digest());
    if (this.result.optimality_proven === 'search') this.passed(texts.search_text);
  }

  private step(name: string, check: () => void): void {
    check();
    this.passed(name);
  }

  private texts(): void {
    equal(this.result.method, texts.method_text, 'method');
    equal(this.result.limits, this.limits(), 'limits');
    equal(this.result.unit, this.work.unit, 'unit');
  }

  private totals(from: Totals, sums: Sums, path: string): void {
    for (const name of ['value', 'cost', 'risk'] as const) equal(from[name], plainNumber(sums[name]), `${path}${name}`);
  }

  private selection(): void {
    const broken = this.request.broken(this.chosen, this.work.budget);
    need(broken === null, broken ?? '');
    this.totals(this.result, this.sums, '');
  }

  private bound(): void {
    const { bound, gap, optimality_proven, certificate } = this.result;
    checkLinks(this.request, certificate);
    const proven = provenBound(this.request, certificate, certificate, this.budget, this.sums.value);
    equal(bound, plainNumber(proven), 'bound');
    equal(gap, bound === 0 ? 0 : round12((bound - plainNumber(this.sums.value)) / bound), 'gap');
    checkProof(optimality_proven, proven, this.sums.value, 'optimality_proven');
  }

  /** Checks the greedy rule from its description: by value per cost, ties by id, every item that fits. */
  private baseline(): void {
    const rank = this.work.items.map((item, i) => ({ i, id: item.id, ratio: item.value === 0 ? 0 : item.value / item.cost }));
    rank.sort((a, b) => (a.ratio === b.ratio ? (a.id < b.id ? -1 : 1) : b.ratio - a.ratio));
    const taken = new Set(this.request.must);
    const groups = new Set([...taken].map((i) => this.work.items[i]?.group));
    let { cost, risk } = this.request.sums(taken);
    const allowed = (i: number): boolean => {
      const group = this.work.items[i]?.group;
      if (taken.has(i) || this.request.missing(i, taken) || (group !== undefined && groups.has(group))) return false;
      if (cost + (this.request.costs[i] ?? 0n) > this.budget || this.request.barred(i, taken)) return false;
      return this.request.riskLimit === null || risk + (this.request.risks[i] ?? 0n) <= this.request.riskLimit;
    };
    for (const { i } of rank) {
      if (!allowed(i)) continue;
      taken.add(i);
      cost += this.request.costs[i] ?? 0n;
      risk += this.request.risks[i] ?? 0n;
      groups.add(this.work.items[i]?.group);
    }
    const { baseline } = this.result;
    equal(baseline.method, texts.baseline_text, 'baseline.method');
    const sums = this.request.sums(taken);
    this.totals(baseline, sums, 'baseline.');
    equal(this.result.improvement, decimalDifference(plainNumber(this.sums.value), plainNumber(sums.value)), 'improvement');
  }

  private reasons(): void {
    const { excluded_because: entries } = this.result;
    const groups = new Set([...this.chosen].map((i) => this.work.items[i]?.group));
    let at = 0;
    for (const [i, item] of this.work.items.entries()) {
      if (this.chosen.has(i)) continue;
      const entry = entries[at];
      equal(entry?.id, item.id, `excluded_because[${at}].id`);
      equal(entry?.reason, this.reason(i, groups), `excluded_because[${at}].reason`);
      at++;
    }
    equal(entries.length, at, 'number of items left out');
  }

  private reason(i: number, groups: ReadonlySet<string | undefined>): Reason {
    const { request, sums } = this;
    const group = this.work.items[i]?.group;
    if (request.impossible(i, this.budget)) return 'impossible';
    if (request.values[i] === 0n) return 'zero value';
    const over = this.overLimit(i, request.sums(request.must));
    if (over !== null) return over;
    if (request.missing(i, this.chosen)) return 'requires';
    if (request.barred(i, this.chosen)) return 'excludes';
    if (group !== undefined && groups.has(group)) return 'group';
    return this.overLimit(i, sums) ?? 'lower value';
  }

  /** Returns the limit that an item exceeds beside what is taken, or null. */
  private overLimit(i: number, { cost, risk }: Pick<Sums, 'cost' | 'risk'>): Reason | null {
    const { costs, risks, riskLimit } = this.request;
    if (cost + (costs[i] ?? 0n) > this.budget) return 'budget';
    return riskLimit !== null && risk + (risks[i] ?? 0n) > riskLimit ? 'risk' : null;
  }

  private bitmap(digits: string, path: string): Set<number> {
    need(
      /^[0-9a-f]*$/.test(digits) && digits.length === Math.ceil(this.work.items.length / 4),
      `${path} is not a bitmap of the items`,
    );
    const chosen = new Set<number>();
    for (let i = 0; i < digits.length * 4; i++) {
      const set = (Number.parseInt(digits.charAt(Math.floor(i / 4)), 16) & (8 >> (i % 4))) !== 0;
      need(!set || i < this.work.items.length, `${path} has bits beyond the items`);
      if (set) chosen.add(i);
    }
    return chosen;
  }

  private pareto(): void {
    const { pareto: points, certificate } = this.result;
    const bitmaps = certificate.pareto;
    equal(bitmaps.length, points.length, 'number of pareto bitmaps');
    const sums = points.map((entry, k) => {
      const chosen = this.bitmap(bitmaps[k] ?? '', `certificate.pareto[${k}]`);
      const broken = this.request.broken(chosen, this.work.budget);
      need(broken === null, `pareto[${k}]: ${broken ?? ''}`);
      const sum = this.request.sums(chosen);
      this.totals(entry, sum, `pareto[${k}].`);
      return sum;
    });
    const covers = (a: Sums, b: Sums): boolean => a.value >= b.value && a.cost <= b.cost && a.risk <= b.risk;
    for (const [k, a] of sums.entries()) {
      need(
        sums.every((b, m) => m === k || !covers(a, b)),
        `pareto[${k}] dominates or repeats another point`,
      );
    }
    need(
      sums.some((s) => covers(s, this.sums) && covers(this.sums, s)),
      'pareto lacks the chosen point',
    );
  }

  private sensitivity(): void {
    const { sensitivity, certificate } = this.result;
    for (const [name, tenths] of [
      ['budget_minus_10', 9],
      ['budget_plus_10', 11],
    ] as const) {
      const path = `sensitivity.${name}`;
      const [shown, proof] = [sensitivity[name], certificate[name]];
      const budget = round15((this.work.budget * tenths) / 10);
      const isTooSmall = this.request.sums(this.request.must).cost > this.request.budget(budget);
      need((shown === null) === isTooSmall, `${path} must be null if and only if the required items cost more`);
      need((proof === null) === isTooSmall, `certificate.${name} must be null if and only if the required items cost more`);
      if (shown === null || proof === null) continue;
      equal(shown.budget, budget, `${path}.budget`);
      const chosen = this.bitmap(proof.selection, `certificate.${name}.selection`);
      const broken = this.request.broken(chosen, budget);
      need(broken === null, `${path}: ${broken ?? ''}`);
      const sums = this.request.sums(chosen);
      this.totals(shown, sums, `${path}.`);
      const bound = provenBound(this.request, proof, certificate, this.request.budget(budget), sums.value);
      equal(shown.bound, plainNumber(bound), `${path}.bound`);
      checkProof(shown.optimality_proven, bound, sums.value, `${path}.optimality_proven`);
    }
  }

  private limits(): string {
    const { max_evaluations, iterations_limit: limit } = this.effort;
    const most = Math.max(1, max_evaluations) * texts.nodes_per_evaluation;
    return texts.limitsText(limit === undefined ? null : endedText(limit, most));
  }

  private digest(): void {
    const { digest, ...body } = this.result.certificate;
    equal(digest, sha256Hex(canonicalJson(body)), 'certificate.digest');
  }
}

// The bound that a certificate proves, recomputed in exact arithmetic from the request and the multipliers alone.

/** The number of decimal places to which multipliers are read: 12 digits of the smallest that a double of this size needs. */
const scale_places = 340;

/** The multipliers of one budget, without those of links. */
export interface Duals extends Multipliers {
  readonly counts: Counts;
  readonly choices?: number | undefined;
}

export type Links = Pick<Certificate, 'requires' | 'excludes'>;

/** Checks that each priced link is one that the request has. */
export function checkLinks({ work: { items } }: Request, links: Links): void {
  for (const kind of ['requires', 'excludes'] as const)
    for (const [k, [i, j]] of links[kind].entries()) {
      const [from, to] = [items[i], items[j]];
      need(from !== undefined && to !== undefined, `certificate.${kind}[${k}] names no item`);
      const isLinked = from[kind]?.includes(to.id) === true || (kind === 'excludes' && to.excludes?.includes(from.id) === true);
      need(isLinked, `certificate.${kind}[${k}] prices a link that the request does not have`);
    }
}

/** Returns x · 10^places, exact: the decimal digits of a double with 12 significant digits. */
function scaled(x: number, places: number): bigint {
  const match = /^(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(x.toExponential());
  need(match !== null, 'a multiplier cannot be read');
  const fraction = match[2] ?? '';
  const zeros = places + Number(match[3]) - fraction.length;
  need(zeros >= 0, 'a multiplier is too small');
  return BigInt(`${match[1] ?? ''}${fraction}`) * BigInt(`1${'0'.repeat(zeros)}`);
}

/**
 * Returns the bound that the multipliers prove, by themselves or with the choices that they leave.
 * @param value the value, in millionths, of the choice that belongs to the bound
 * @returns the bound in millionths
 */
export function provenBound(request: Request, duals: Duals, links: Links, budget: bigint, value: bigint): bigint {
  const { requires, excludes } = links;
  const linked = [...requires, ...excludes].map(([, , multiplier]) => multiplier);
  const places = placesOf([duals.budget, duals.risk, duals.at_most, duals.at_least, ...linked]);
  const price = (x: number): bigint => scaled(x, places);
  const step = divisor(request.values);
  const unit = 1_000_000n;
  const [lambda, mu, most, least] = [price(duals.budget), price(duals.risk), price(duals.at_most), price(duals.at_least)];
  const fits = request.costs.map((_, i) => request.holdable(i, budget));
  need(request.riskLimit !== null || mu === 0n, 'certificate prices a risk limit that the request does not have');

  const count = countsOf(duals.counts, { request, fits, budget, target: value + step });
  let bound = lambda * budget + mu * (request.riskLimit ?? 0n);
  bound += most * unit * count.most - least * unit * count.fewest;
  const scale = price(1);
  const gain = request.values.map(
    (v, i) => v * scale - lambda * (request.costs[i] ?? 0n) - mu * (request.risks[i] ?? 0n) + (least - most) * unit,
  );
  for (const [from, to, p] of requires) {
    gain[from] = (gain[from] ?? 0n) - price(p) * unit;
    gain[to] = (gain[to] ?? 0n) + price(p) * unit;
  }
  for (const [from, to, p] of excludes) {
    bound += price(p) * unit;
    for (const i of [from, to]) gain[i] = (gain[i] ?? 0n) - price(p) * unit;
  }
  bound += gains(request, gain, fits);
  const floor = bound < 0n ? 0n : (bound / (scale * step)) * step;
  if (floor <= value) need(duals.choices === undefined, 'certificate compares choices although the multipliers prove the value');
  if (duals.choices === undefined) return floor > value ? floor : value;
  checkChoices(duals.choices, { request, gain, fits, gap: bound - (value + step) * scale, budget, value });
  return value;
}

interface CountInput {
  readonly request: Request;
  /** Which items some choice can hold. */
  readonly fits: readonly boolean[];
  /** In millionths, as the target. */
  readonly budget: bigint;
  /** The value of the choices that the bound is about. */
  readonly target: bigint;
}

/**
 * Returns the counts of the cardinality cuts: how many items a feasible choice worth at least the target holds at most and at least, each a
 * Lagrangian bound in exact arithmetic.
 */
function countsOf({ most, least }: Counts, input: CountInput): { readonly most: bigint; readonly fewest: bigint } {
  const fewest = -countBound(input, least, -1n);
  const kept = BigInt(input.request.must.size);
  return { most: countBound(input, most, 1n), fewest: fewest < kept ? kept : fewest };
}

/** Returns the bound on the number of items (sign 1), or on its negative (sign −1), rounded down. */
function countBound({ request, fits, budget, target }: CountInput, prices: CountPrices, sign: bigint): bigint {
  const places = placesOf([prices.budget, prices.risk, prices.value]);
  const [a, b, w] = [scaled(prices.budget, places), scaled(prices.risk, places), scaled(prices.value, places)];
  const one = scaled(1, places) * 1_000_000n;
  const gain = request.values.map((v, i) => sign * one + w * v - a * (request.costs[i] ?? 0n) - b * (request.risks[i] ?? 0n));
  // A price of a limit that the request does not have would prove nothing.
  const risk = request.riskLimit ?? request.risks.reduce((sum, x) => sum + x, 0n);
  const numerator = a * budget + b * risk - w * target + gains(request, gain, fits);
  const quotient = numerator / one;
  return numerator % one !== 0n && numerator < 0n ? quotient - 1n : quotient;
}

/** Returns enough decimal places for all of these multipliers. */
function placesOf(multipliers: readonly number[]): number {
  let places = 0;
  for (const x of multipliers) {
    const [digits = '', exponent = '0'] = x.toExponential().split('e');
    places = Math.max(places, Math.max(0, digits.length - 2) - Number(exponent));
  }
  need(places <= scale_places, 'a multiplier is too small');
  return places;
}

/** Returns the sum of the gains of the items that must be chosen, and of the others the most that groups and limits allow. */
function gains(request: Request, gain: readonly bigint[], fits: readonly boolean[]): bigint {
  const best = new Map<string, bigint>();
  let sum = 0n;
  for (const [i, item] of request.work.items.entries()) {
    const g = gain[i] ?? 0n;
    if (request.must.has(i)) sum += g;
    else if (g <= 0n || fits[i] !== true) continue;
    else if (item.group === undefined) sum += g;
    else if (g > (best.get(item.group) ?? 0n)) best.set(item.group, g);
  }
  for (const g of best.values()) sum += g;
  return sum;
}

function divisor(values: readonly bigint[]): bigint {
  let a = 0n;
  for (const value of values) {
    let b = value;
    while (b !== 0n) [a, b] = [b, a % b];
  }
  return a === 0n ? 1n : a;
}

export function checkProof(proof: unknown, bound: bigint, value: bigint, path: string): void {
  if (bound === value) equal(proof, 'bound', path);
  else need(proof === 'search' || proof === false, `${path} must be "search" or false while the bound exceeds the value`);
}
