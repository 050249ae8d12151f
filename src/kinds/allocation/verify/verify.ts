/**
 * Re-checks an allocation from the request: members and types, totals, constraints, the bound from the multipliers, baseline,
 * reasons, pareto points and sensitivity. Shares no code with the engine; only the frozen texts come from `result.ts`.
 */
import { canonicalJson } from '../../../base/canonical-json.js';
import { round12 } from '../../../base/decimal.js';
import { sha256Hex } from '../../../base/hash.js';
import type { AllocationWork } from '../work.js';
import { type Effort, endedText, type EngineInput, type Verify } from '../../../engines/engine.js';
import * as texts from '../constants.js';
import type { Reason } from '../result.js';
import {
  checkProof,
  dualNames,
  provenBound,
  readDuals,
  readLinks,
  type Links,
  gains,
  multiplier,
  placesOf,
  scaled,
  type CountInput,
  type CountRule,
} from './bound.js';
import { plainNumber, Request, type Sums } from './model.js';
import { equal, Fault, list, members, need, number, text, type Members } from './shape.js';

// The counts of the cardinality cuts: how many items a feasible choice worth at least a target holds at most and at
// least, each a Lagrangian bound in exact arithmetic on the multipliers of the certificate.

interface CountPrices {
  readonly budget: number;
  readonly risk: number;
  readonly value: number;
}

/** Reads the multipliers of both counts. */
function readCounts(value: unknown, path: string): CountRule {
  const both = members(value, path, ['most', 'least']);
  const read = (name: 'most' | 'least'): CountPrices => {
    const from = members(both[name], `${path}.${name}`, ['budget', 'risk', 'value']);
    const price = (member: keyof CountPrices): number => multiplier(from[member], `${path}.${name}.${member}`);
    return { budget: price('budget'), risk: price('risk'), value: price('value') };
  };
  const most = read('most');
  const least = read('least');
  return (input) => {
    const fewest = -floorOf(boundOf(input, least, -1n));
    const kept = BigInt(input.request.must.size);
    return { most: floorOf(boundOf(input, most, 1n)), fewest: fewest < kept ? kept : fewest };
  };
}

interface Fraction {
  readonly numerator: bigint;
  /** Above 0. */
  readonly denominator: bigint;
}

/** Returns the bound on the number of items (sign 1), or on its negative (sign −1). */
function boundOf({ request, fits, budget, target }: CountInput, prices: CountPrices, sign: bigint): Fraction {
  const places = placesOf([prices.budget, prices.risk, prices.value]);
  const [byCost, byRisk, byValue] = [prices.budget, prices.risk, prices.value].map((x) => scaled(x, places));
  const [a, b, w] = [byCost ?? 0n, byRisk ?? 0n, byValue ?? 0n];
  const one = scaled(1, places) * 1_000_000n;
  const gain = request.values.map((v, i) => sign * one + w * v - a * (request.costs[i] ?? 0n) - b * (request.risks[i] ?? 0n));
  // A price of a limit that the request does not have would prove nothing.
  const risk = request.riskLimit ?? request.risks.reduce((sum, x) => sum + x, 0n);
  return { numerator: a * budget + b * risk - w * target + gains(request, gain, fits), denominator: one };
}

function floorOf({ numerator, denominator }: Fraction): bigint {
  const quotient = numerator / denominator;
  return numerator % denominator !== 0n && numerator < 0n ? quotient - 1n : quotient;
}

const resultNames = (
  'method selected value cost risk bound gap optimality_proven certificate baseline improvement unit pareto excluded_because ' +
  'sensitivity limits'
).split(' ');
const certificateNames = [
  ...dualNames,
  'counts',
  'requires',
  'excludes',
  'budget_minus_10',
  'budget_plus_10',
  'pareto',
  'digest',
];

export const verifyAllocation: Verify<AllocationWork> = (input, result) => {
  const checks: string[] = [];
  try {
    new Check(input, result, checks).all();
    return { passed: true, checks, failure: null };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { passed: false, checks, failure: error.message };
  }
};

class Check {
  private readonly request: Request;
  private readonly result: Members;
  private readonly certificate: Members;
  private readonly chosen = new Set<number>();
  private readonly sums: Sums;
  /** The mission's budget in millionths. */
  private readonly budget: bigint;

  private readonly work: AllocationWork;
  private readonly effort: Effort;

  constructor(
    { work, effort }: Pick<EngineInput<AllocationWork>, 'work' | 'effort'>,
    result: unknown,
    private readonly checks: string[],
  ) {
    this.work = work;
    this.effort = effort;
    this.result = members(result, 'result', resultNames);
    this.certificate = members(this.result.certificate, 'certificate', certificateNames);
    this.request = new Request(work);
    this.budget = this.request.budget(work.budget);
    let last = -1;
    for (const entry of list(this.result.selected, 'selected', work.items.length)) {
      const i = this.request.index.get(text(entry, 'selected'));
      need(i !== undefined && i > last, 'selected must name items of the request, in its order');
      this.chosen.add(i);
      last = i;
    }
    this.sums = this.request.sums(this.chosen);
  }

  all(): void {
    this.step('texts, unit and members are as specified', () => this.texts());
    this.step('the selection keeps every constraint, and its totals are right', () => this.selection());
    const links = this.step('the bound follows from the multipliers', () => this.bound());
    this.step('baseline and improvement are right', () => this.baseline());
    this.step('each item left out has the right reason', () => this.reasons());
    this.step('pareto points are feasible, distinct and do not dominate each other', () => this.pareto());
    this.step('sensitivity values are feasible and bounded', () => this.sensitivity(links));
    this.step('the certificate is unaltered', () => this.digest());
    if (this.result.optimality_proven === 'search') this.checks.push(texts.search_text);
  }

  private step<A>(name: string, check: () => A): A {
    const out = check();
    this.checks.push(name);
    return out;
  }

  private texts(): void {
    equal(this.result.method, texts.method_text, 'method');
    equal(this.result.limits, this.limits(), 'limits');
    equal(this.result.unit, this.work.unit, 'unit');
  }

  private totals(from: Members, sums: Sums, path: string): void {
    for (const name of ['value', 'cost', 'risk'] as const) equal(from[name], plainNumber(sums[name]), `${path}${name}`);
  }

  private selection(): void {
    const broken = this.request.broken(this.chosen, this.work.budget);
    need(broken === null, broken ?? '');
    this.totals(this.result, this.sums, '');
  }

  private bound(): Links {
    const links = {
      requires: readLinks(this.certificate.requires, 'certificate.requires', this.request, 'requires'),
      excludes: readLinks(this.certificate.excludes, 'certificate.excludes', this.request, 'excludes'),
    };
    const duals = readDuals(this.certificate, 'certificate');
    const counts = readCounts(this.certificate.counts, 'certificate.counts');
    const proven = provenBound(this.request, counts, duals, links, this.budget, this.sums.value);
    const bound = plainNumber(proven);
    equal(this.result.bound, bound, 'bound');
    equal(this.result.gap, bound === 0 ? 0 : round12((bound - plainNumber(this.sums.value)) / bound), 'gap');
    checkProof(this.result.optimality_proven, proven, this.sums.value, 'optimality_proven');
    return links;
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
    const baseline = members(this.result.baseline, 'baseline', ['method', 'value', 'cost', 'risk']);
    equal(baseline.method, texts.baseline_text, 'baseline.method');
    const sums = this.request.sums(taken);
    this.totals(baseline, sums, 'baseline.');
    equal(this.result.improvement, round12(plainNumber(this.sums.value) - plainNumber(sums.value)), 'improvement');
  }

  private reasons(): void {
    const entries = list(this.result.excluded_because, 'excluded_because', this.work.items.length);
    const groups = new Set([...this.chosen].map((i) => this.work.items[i]?.group));
    let at = 0;
    for (const [i, item] of this.work.items.entries()) {
      if (this.chosen.has(i)) continue;
      const entry = members(entries[at], `excluded_because[${at}]`, ['id', 'reason']);
      equal(entry.id, item.id, `excluded_because[${at}].id`);
      equal(entry.reason, this.reason(i, groups), `excluded_because[${at}].reason`);
      at++;
    }
    equal(entries.length, at, 'number of items left out');
  }

  private reason(i: number, groups: ReadonlySet<string | undefined>): Reason {
    const { request, sums } = this;
    const group = this.work.items[i]?.group;
    if (request.impossible(i, this.budget)) return 'impossible';
    if (request.values[i] === 0n) return 'zero value';
    if (request.missing(i, this.chosen)) return 'requires';
    if (request.barred(i, this.chosen)) return 'excludes';
    if (group !== undefined && groups.has(group)) return 'group';
    if (sums.cost + (request.costs[i] ?? 0n) > this.budget) return 'budget';
    if (request.riskLimit !== null && sums.risk + (request.risks[i] ?? 0n) > request.riskLimit) return 'risk';
    return 'lower value';
  }

  private bitmap(value: unknown, path: string): Set<number> {
    const digits = text(value, path);
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
    const points = list(this.result.pareto, 'pareto', texts.pareto_points_max);
    const bitmaps = list(this.certificate.pareto, 'certificate.pareto', texts.pareto_points_max);
    equal(bitmaps.length, points.length, 'number of pareto bitmaps');
    const sums = points.map((entry, k) => {
      const chosen = this.bitmap(bitmaps[k], `certificate.pareto[${k}]`);
      const broken = this.request.broken(chosen, this.work.budget);
      need(broken === null, `pareto[${k}]: ${broken ?? ''}`);
      const sum = this.request.sums(chosen);
      this.totals(members(entry, `pareto[${k}]`, ['value', 'cost', 'risk']), sum, `pareto[${k}].`);
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

  private sensitivity(links: Links): void {
    const both = members(this.result.sensitivity, 'sensitivity', ['budget_minus_10', 'budget_plus_10']);
    for (const [name, tenths] of [
      ['budget_minus_10', 9],
      ['budget_plus_10', 11],
    ] as const) {
      const path = `sensitivity.${name}`;
      const budget = round12((this.work.budget * tenths) / 10);
      if (this.request.sums(this.request.must).cost > this.request.budget(budget)) {
        equal(both[name], null, path);
        equal(this.certificate[name], null, `certificate.${name}`);
        continue;
      }
      const shown = members(both[name], path, ['budget', 'value', 'cost', 'risk', 'bound', 'optimality_proven']);
      const proof = members(this.certificate[name], `certificate.${name}`, ['selection', ...dualNames, 'counts']);
      equal(shown.budget, budget, `${path}.budget`);
      const chosen = this.bitmap(proof.selection, `certificate.${name}.selection`);
      const broken = this.request.broken(chosen, budget);
      need(broken === null, `${path}: ${broken ?? ''}`);
      const sums = this.request.sums(chosen);
      this.totals(shown, sums, `${path}.`);
      const duals = readDuals(proof, `certificate.${name}`);
      const counts = readCounts(proof.counts, `certificate.${name}.counts`);
      const bound = provenBound(this.request, counts, duals, links, this.request.budget(budget), sums.value);
      equal(number(shown.bound, `${path}.bound`), plainNumber(bound), `${path}.bound`);
      checkProof(shown.optimality_proven, bound, sums.value, `${path}.optimality_proven`);
    }
  }

  private limits(): string {
    const { max_evaluations, iterations_limit: limit } = this.effort;
    const most = Math.max(1, max_evaluations) * texts.nodes_per_evaluation;
    return texts.limitsText(limit === undefined ? null : endedText(limit, most));
  }

  private digest(): void {
    const { digest, ...body } = this.certificate;
    equal(digest, sha256Hex(canonicalJson(body)), 'certificate.digest');
  }
}
