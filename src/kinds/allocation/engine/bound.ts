/**
 * Lagrangian bounds in exact arithmetic on the rounded multipliers of the certificate: the capacities at their prices, and over groups and
 * single items the greatest gain above 0. Items that do not fit with what they require are left out.
 */
import { parts, power } from '../decimal-grid.js';
import type { Core } from './model.js';

/** A row with its price per unit of both grids, as digits / 10^exponent. */
export interface PricedRow {
  readonly price: Exact;
  readonly weights: Float64Array;
  readonly capacity: number;
}

/** A link of items i and j with its price: an implication (i requires j) or a conflict. */
export interface PricedLink {
  readonly i: number;
  readonly j: number;
  readonly implies: boolean;
  readonly price: Exact;
}

/** A rational number over 10^`exponent`. */
export interface Exact {
  readonly digits: bigint;
  readonly exponent: number;
}

/** Returns x / 10^by, exact for the decimal that x is written as. */
export function exact(x: number, by: number): Exact {
  const { digits, places } = parts(x);
  return { digits, exponent: places + by };
}

/**
 * Returns the bound on the total of `objective` over the choices that keep the rows and links.
 * @returns a numerator over `unit`, as is what each item gains
 */
export function exactBound(core: Core, objective: Float64Array, rows: readonly PricedRow[], links: readonly PricedLink[]) {
  let scale = 0;
  for (const { price } of [...rows, ...links]) scale = Math.max(scale, price.exponent);
  const unit = power(scale);
  const at = ({ digits, exponent }: Exact): bigint => digits * power(scale - exponent);
  let sum = 0n;
  const gains: bigint[] = Array.from(objective, (v) => BigInt(v) * unit);
  const add = (i: number, amount: bigint): void => {
    gains[i] = (gains[i] ?? 0n) + amount;
  };
  for (const row of rows) {
    const price = at(row.price);
    if (price === 0n) continue;
    sum += price * BigInt(row.capacity);
    for (let i = 0; i < core.n; i++) add(i, -price * BigInt(row.weights[i] ?? 0));
  }
  for (const link of links) {
    const price = at(link.price);
    add(link.i, -price);
    add(link.j, link.implies ? price : -price);
    if (!link.implies) sum += price;
  }
  return { sum: sum + positive(core, gains), unit, gains };
}

function positive(core: Core, gains: readonly bigint[]): bigint {
  const best: bigint[] = core.members.map(() => 0n);
  let sum = 0n;
  for (let i = 0; i < core.n; i++) {
    const gain = gains[i] ?? 0n;
    if (gain <= 0n || !fits(core, i)) continue;
    const g = core.group[i] ?? -1;
    if (g < 0) sum += gain;
    else if (gain > (best[g] ?? 0n)) best[g] = gain;
  }
  for (const gain of best) sum += gain;
  return sum;
}

/** Returns ⌊a / b⌋ for b > 0. */
export function floorDivide(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b !== 0n && a < 0n ? quotient - 1n : quotient;
}

/** Returns whether an item keeps every row with only what it requires beside it. */
export function fits(core: Core, i: number): boolean {
  for (let k = 0; k < core.hard; k++)
    if ((core.needs[k]?.[i] ?? core.rows[k]?.[i] ?? 0) > (core.capacities[k] ?? 0)) return false;
  return true;
}
