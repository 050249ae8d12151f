/** The bound that a certificate proves, recomputed in exact arithmetic from the request and the multipliers alone. */
import { round12 } from '../../../base/decimal.js';
import type { Request } from './model.js';
import { equal, list, need, number } from './shape.js';

/** The number of decimal places to which multipliers are read: 12 digits of the smallest that a double of this size needs. */
const scale_places = 340;

const links_max = 2_000;

export interface Duals {
  readonly budget: number;
  readonly risk: number;
  readonly at_most: number;
  readonly at_least: number;
}

export const dualNames = ['budget', 'risk', 'at_most', 'at_least'] as const;

export function readDuals(from: Readonly<Record<string, unknown>>, path: string): Duals {
  const read = (name: string): number => multiplier(from[name], `${path}.${name}`);
  return { budget: read('budget'), risk: read('risk'), at_most: read('at_most'), at_least: read('at_least') };
}

export function multiplier(value: unknown, path: string): number {
  const x = number(value, path);
  need(x >= 0 && round12(x) === x && !Object.is(x, -0), `${path} must be a multiplier of at most 12 digits`);
  return x;
}

export interface LinkDual {
  readonly from: number;
  readonly to: number;
  readonly price: number;
}

/** Reads link prices, each of a link that the request has. */
export function readLinks(value: unknown, path: string, request: Request, kind: 'requires' | 'excludes'): LinkDual[] {
  return list(value, path, links_max).map((entry, k) => {
    const parts = list(entry, `${path}[${k}]`, 3);
    const from = request.work.items[number(parts[0], `${path}[${k}][0]`)];
    const to = request.work.items[number(parts[1], `${path}[${k}][1]`)];
    need(from !== undefined && to !== undefined, `${path}[${k}] names no item`);
    const linked = from[kind]?.includes(to.id) === true || (kind === 'excludes' && to.excludes?.includes(from.id) === true);
    need(linked, `${path}[${k}] prices a link that the request does not have`);
    return { from: Number(parts[0]), to: Number(parts[1]), price: multiplier(parts[2], `${path}[${k}][2]`) };
  });
}

export interface CountInput {
  readonly request: Request;
  /** Which items some choice can hold. */
  readonly fits: readonly boolean[];
  /** In millionths, as the target. */
  readonly budget: bigint;
  /** The value of the choices that the bound is about. */
  readonly target: bigint;
}

/** Returns the most and the fewest items. */
export type CountRule = (input: CountInput) => { readonly most: bigint; readonly fewest: bigint };

/** Returns x · 10^places, exact: the decimal digits of a double with 12 significant digits. */
export function scaled(x: number, places: number): bigint {
  const match = /^(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(x.toExponential());
  need(match !== null, 'a multiplier cannot be read');
  const fraction = match[2] ?? '';
  const zeros = places + Number(match[3]) - fraction.length;
  need(zeros >= 0, 'a multiplier is too small');
  return BigInt(`${match[1] ?? ''}${fraction}`) * BigInt(`1${'0'.repeat(zeros)}`);
}

export interface Links {
  readonly requires: readonly LinkDual[];
  readonly excludes: readonly LinkDual[];
}

/**
 * Returns the bound that the multipliers prove.
 * @param counts the counts of the cardinality cuts, by the rules of the version that made the certificate
 * @param value the value, in millionths, of the choice that belongs to the bound
 * @returns the bound in millionths
 */
export function provenBound(
  request: Request,
  counts: CountRule,
  duals: Duals,
  links: Links,
  budget: bigint,
  value: bigint,
): bigint {
  const linked = [...links.requires, ...links.excludes].map((link) => link.price);
  const places = placesOf([...dualNames.map((name) => duals[name]), ...linked]);
  const price = (x: number): bigint => scaled(x, places);
  const step = divisor(request.values);
  const unit = 1_000_000n;
  const [lambda, mu, most, least] = [price(duals.budget), price(duals.risk), price(duals.at_most), price(duals.at_least)];
  const fits = request.costs.map((_, i) => request.holdable(i, budget));
  need(request.riskLimit !== null || mu === 0n, 'certificate prices a risk limit that the request does not have');

  const count = counts({ request, fits, budget, target: value + step });
  let bound = lambda * budget + mu * (request.riskLimit ?? 0n);
  bound += most * unit * count.most - least * unit * count.fewest;
  const scale = price(1);
  const gain = request.values.map(
    (v, i) => v * scale - lambda * (request.costs[i] ?? 0n) - mu * (request.risks[i] ?? 0n) + (least - most) * unit,
  );
  for (const { from, to, price: p } of links.requires) {
    gain[from] = (gain[from] ?? 0n) - price(p) * unit;
    gain[to] = (gain[to] ?? 0n) + price(p) * unit;
  }
  for (const { from, to, price: p } of links.excludes) {
    bound += price(p) * unit;
    for (const i of [from, to]) gain[i] = (gain[i] ?? 0n) - price(p) * unit;
  }
  bound += gains(request, gain, fits);
  const floor = bound < 0n ? 0n : (bound / (scale * step)) * step;
  return floor > value ? floor : value;
}

/** Returns enough decimal places for all of these multipliers. */
export function placesOf(multipliers: readonly number[]): number {
  let places = 0;
  for (const x of multipliers) {
    const [digits = '', exponent = '0'] = x.toExponential().split('e');
    places = Math.max(places, Math.max(0, digits.length - 2) - Number(exponent));
  }
  need(places <= scale_places, 'a multiplier is too small');
  return places;
}

/** Returns the sum of the gains of the items that must be chosen, and of the others the most that groups and limits allow. */
export function gains(request: Request, gain: readonly bigint[], fits: readonly boolean[]): bigint {
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

/** Checks one bound and its proof. */
export function checkProof(proof: unknown, bound: bigint, value: bigint, path: string): void {
  if (bound === value) equal(proof, 'bound', path);
  else need(proof === 'search' || proof === false, `${path} must be "search" or false while the bound exceeds the value`);
}
