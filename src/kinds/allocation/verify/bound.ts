/** The bound that a certificate proves, recomputed in exact arithmetic from the request and the multipliers alone. */
import { equal, need } from '../../claims.js';
import type { Certificate, CountPrices, Counts, Multipliers } from '../result.js';
import type { Request } from './model.js';

/** The number of decimal places to which multipliers are read: 12 digits of the smallest that a double of this size needs. */
const scale_places = 340;

/** The multipliers of one budget, without those of links. */
export interface Duals extends Multipliers {
  readonly counts: Counts;
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
 * Returns the bound that the multipliers prove.
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
  return floor > value ? floor : value;
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
