/**
 * Re-checks an allocation from the request: members and types, totals, constraints, the bound from the multipliers, baseline,
 * reasons, pareto points and sensitivity. Shares no code with the engine.
 */
import { canonicalJson } from '../../../base/canonical-json.js';
import { round12 } from '../../../base/decimal.js';
import { sha256Hex } from '../../../base/bytes.js';
import type { AllocationWork } from '../work.js';
import { type Effort, endedText, type EngineInput } from '../../../engines/engine.js';
import * as texts from '../constants.js';
import { claimsVerifier, equal, need, readClaim } from '../../claims.js';
import { type AllocationResult, allocationResult, type Reason, type Totals } from '../result.js';
import { checkLinks, checkProof, provenBound } from './bound.js';
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
    equal(this.result.improvement, round12(plainNumber(this.sums.value) - plainNumber(sums.value)), 'improvement');
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
    if (request.missing(i, this.chosen)) return 'requires';
    if (request.barred(i, this.chosen)) return 'excludes';
    if (group !== undefined && groups.has(group)) return 'group';
    if (sums.cost + (request.costs[i] ?? 0n) > this.budget) return 'budget';
    if (request.riskLimit !== null && sums.risk + (request.risks[i] ?? 0n) > request.riskLimit) return 'risk';
    return 'lower value';
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
      const budget = round12((this.work.budget * tenths) / 10);
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
