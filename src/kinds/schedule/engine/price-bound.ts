/** The best of the bounds that machine prices give: every machine gets a few steps, then the most promising one many. */
import { price_periods_max } from '../constants.js';
import { at } from './ints.js';
import { type Plan, valueOf } from './plan.js';
import type { Shop } from './shop.js';
import type { PriceCertificate } from '../result.js';

// A bound on weighted tardiness from one machine, by Lagrangian relaxation. Time on the machine has a price, constant
// within each of a row of equal periods; every job starts its work there at the time when tardiness and price together
// cost it least, whatever the others do. As the machine does one thing at a time, no schedule pays more for time than
// all of it costs, so the sum of these least costs minus the price of all time is at most any schedule's tardiness.

/** One job's last work on a machine. */
interface Visit {
  /** The earliest start. */
  readonly head: number;
  readonly duration: number;
  /** The latest end of this work for which the job is in time. */
  readonly due: number;
  readonly weight: number;
}

class MachinePrices {
  readonly from: number;
  readonly width: number;
  /** Prices of the periods per unit of time, in parts of 1 / `scale`. */
  readonly prices: Float64Array;
  /** The best bound so far, in parts of 1 / `scale`, and the prices that give it. */
  best = 0;
  readonly bestPrices: Float64Array;
  private readonly visits: readonly Visit[];
  /** What the jobs that do not visit the machine are late by themselves. */
  private readonly elsewhere: number;
  /** The price of all time before each period. */
  private readonly sums: Float64Array;
  private readonly load: Float64Array;
  /** No price above this raises the bound: the tardiness of all jobs grows no faster. */
  private readonly price_max: number;
  /** The bound of the present prices, in parts of 1 / `scale`. */
  private last = 0;

  constructor(
    private readonly shop: Shop,
    readonly machine: number,
    readonly periods: number,
    readonly scale: number,
  ) {
    const { visits, elsewhere } = visitsOf(shop, machine);
    this.visits = visits;
    this.elsewhere = elsewhere;
    this.from = visits.reduce((least, { head }) => Math.min(least, head), Number.MAX_SAFE_INTEGER);
    const latest = visits.reduce((most, { head }) => Math.max(most, head), 0);
    const to = latest + visits.reduce((sum, { duration }) => sum + duration, 0);
    this.width = Math.max(1, Math.ceil((to - this.from) / periods));
    this.prices = new Float64Array(periods);
    this.bestPrices = new Float64Array(periods);
    this.sums = new Float64Array(periods + 1);
    this.load = new Float64Array(periods);
    this.price_max = scale * visits.reduce((sum, { weight }) => sum + weight, 0);
    this.measure();
  }

  /** The number of starts that one step weighs. */
  get units(): number {
    return 2 * this.visits.length * this.periods;
  }

  /** What shows the bound to a verifier. */
  get certificate(): PriceCertificate {
    const { shop, machine, from, width, scale, bestPrices } = this;
    return { machine: shop.machineIds[machine] ?? '', from, width, scale, prices: Array.from(bestPrices) };
  }

  get bound(): number {
    return Math.ceil(this.best / this.scale);
  }

  /**
   * Moves the prices towards what the machine's load asks for: up where more work than time falls into a period, down where less does.
   * Polyak's step towards `value`, times `length`.
   */
  step(value: number, length: number): void {
    const { prices, load, scale, width, price_max } = this;
    let norm = 0;
    for (let b = 0; b < this.periods; b++) {
      const excess = (load[b] ?? 0) - width;
      if ((prices[b] ?? 0) > 0 || excess > 0) norm += excess * excess;
    }
    if (norm === 0) return;
    const rate = (length * (value * scale - this.last)) / norm;
    for (let b = 0; b < this.periods; b++) {
      const price = Math.round((prices[b] ?? 0) + rate * ((load[b] ?? 0) - width));
      prices[b] = Math.max(0, Math.min(price_max, price));
    }
    this.measure();
  }

  /**
   * Takes the prices that a schedule suggests: going back from its end, time becomes dearer while a late job runs, by the job's weight
   * for each whole duration of it, because all that would run earlier pushes late jobs back.
   */
  start(plan: Plan): void {
    const { shop, machine, periods, from, width, scale, prices, price_max } = this;
    let b = periods - 1;
    let price = 0;
    for (let s = at(shop.base, machine + 1) - 1; s >= at(shop.base, machine); s--) {
      const x = at(plan.sequence, s);
      const end = at(plan.end, x);
      const begin = end - at(shop.duration, x);
      const slope = isLate(plan, at(shop.jobOf, x)) ? at(shop.weight, at(shop.jobOf, x)) / at(shop.duration, x) : 0;
      for (; b >= 0 && from + (b + 0.5) * width >= begin; b--) {
        const before = Math.max(0, end - from - (b + 0.5) * width);
        prices[b] = Math.min(price_max, Math.round(scale * (price + slope * before)));
      }
      price += slope * at(shop.duration, x);
    }
    for (; b >= 0; b--) prices[b] = Math.min(price_max, Math.round(scale * price));
    this.measure();
  }

  /** Goes back to the best prices so far. */
  restart(): void {
    this.prices.set(this.bestPrices);
    this.measure();
  }

  /** Computes the bound and the load of the present prices. */
  private measure(): void {
    const { prices, sums, load, width, periods, scale } = this;
    load.fill(0);
    for (let b = 0; b < periods; b++) sums[b + 1] = (sums[b] ?? 0) + (prices[b] ?? 0) * width;
    let total = this.elsewhere * scale - (sums[periods] ?? 0);
    for (const visit of this.visits) total += this.place(visit);
    this.last = total;
    if (total <= this.best) return;
    this.best = total;
    this.bestPrices.set(prices);
  }

  /** Adds the visit's work to the load at its cheapest start; returns what it costs there. */
  private place(visit: Visit): number {
    const { from, width, periods } = this;
    const { head, duration, due } = visit;
    let start = head;
    let least = this.cost(visit, head);
    const weigh = (time: number): void => {
      if (time <= head) return;
      const cost = this.cost(visit, time);
      if (cost >= least) return;
      least = cost;
      start = time;
    };
    weigh(due - duration);
    for (let b = 0; b <= periods; b++) {
      weigh(from + b * width - duration);
      weigh(from + b * width);
    }
    const end = Math.min(start + duration, from + periods * width);
    for (let time = start; time < end; ) {
      const b = Math.floor((time - from) / width);
      const until = Math.min(end, from + (b + 1) * width);
      this.load[b] = (this.load[b] ?? 0) + until - time;
      time = until;
    }
    return least;
  }

  private cost({ duration, due, weight }: Visit, start: number): number {
    const end = start + duration;
    const late = end > due ? (end - due) * weight * this.scale : 0;
    return late + this.price(end) - this.price(start);
  }

  /** Returns the price of all time before `time`. */
  private price(time: number): number {
    const { from, width, periods, sums, prices } = this;
    const b = Math.floor((time - from) / width);
    if (b >= periods) return sums[periods] ?? 0;
    return b < 0 ? 0 : (sums[b] ?? 0) + (prices[b] ?? 0) * (time - from - b * width);
  }
}

function isLate({ shop, end }: Plan, job: number): boolean {
  const due = at(shop.due, job);
  return due >= 0 && at(end, at(shop.first, job + 1) - 1) > due;
}

function visitsOf(shop: Shop, machine: number): { readonly visits: readonly Visit[]; readonly elsewhere: number } {
  const visits: Visit[] = [];
  let elsewhere = 0;
  for (let j = 0; j < shop.jobs; j++) {
    const [due, weight] = [at(shop.due, j), at(shop.weight, j)];
    if (due < 0 || weight === 0) continue;
    let head = at(shop.release, j);
    let start = -1;
    let [duration, rest] = [0, 0];
    for (let x = at(shop.first, j); x < at(shop.first, j + 1); x++) {
      if (at(shop.machineOf, x) === machine) {
        start = head;
        duration = at(shop.duration, x);
        rest = 0;
      } else rest += at(shop.duration, x);
      head += at(shop.duration, x);
    }
    if (start < 0) elsewhere += Math.max(0, head - due) * weight;
    else visits.push({ head: start, duration, due: due - rest, weight });
  }
  return { visits, elsewhere };
}

const first_steps = 30;
const steps_max = 1_500;
/** The steps after which the length of a step is halved when the bound has not risen. */
const patience = 25;
const length_first = 1;
const length_min = 0.001;
const scale_max = 64;

/**
 * Returns prices that give the largest bound found, at most the plan's value; null for a shop without dated jobs. `units` limits the
 * starts weighed by steps; `beat` is called with them, and with those of the first prices, which are not limited.
 */
export function priceBound(plan: Plan, units: number, beat: (units: number, free: number) => void): MachinePrices | null {
  const { shop } = plan;
  const value = valueOf(plan);
  const scale = scaleFor(shop);
  if (scale === 0 || value <= 0) return null;
  let [spent, free] = [0, 0];
  const walk = (prices: MachinePrices, steps: number): void => {
    let [length, best, quiet] = [length_first, prices.best, 0];
    for (let i = 0; i < steps && spent < units && length > length_min && prices.bound < value; i++) {
      prices.step(value, length);
      spent += prices.units;
      beat(spent, free);
      quiet = prices.best > best ? 0 : quiet + 1;
      best = prices.best;
      if (quiet < patience) continue;
      length /= 2;
      quiet = 0;
      prices.restart();
    }
  };
  let leader: MachinePrices | null = null;
  for (let m = 0; m < shop.machines; m++) {
    const prices = new MachinePrices(shop, m, price_periods_max, scale);
    if (prices.units === 0) continue;
    prices.start(plan);
    free += 2 * prices.units;
    beat(spent, free);
    walk(prices, first_steps);
    if (leader === null || prices.best > leader.best) leader = prices;
  }
  if (leader !== null) walk(leader, steps_max);
  return leader;
}

/** Returns the largest power of two for which all sums of costs are exact, at most `scale_max`; 0 when there is none. */
function scaleFor(shop: Shop): number {
  let [weights, work, latest] = [0, 0, 0];
  for (let j = 0; j < shop.jobs; j++) {
    if (at(shop.due, j) >= 0) weights += at(shop.weight, j);
    latest = Math.max(latest, at(shop.release, j));
  }
  for (const duration of shop.duration) work += duration;
  const most = 4 * weights * (latest + work);
  let scale = weights === 0 ? 0 : scale_max;
  while (scale > 0 && scale * most >= Number.MAX_SAFE_INTEGER) scale = scale > 1 ? scale / 2 : 0;
  return scale;
}
