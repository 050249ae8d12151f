/**
 * The certified bound: exact arithmetic on the rounded multipliers of the certificate, rounded down to the grid of the values: λB
 * + μR + σK − τL + Σρ + Σ over groups and single items of max(0, v − λc − μr − σ + τ − link prices). It is never below `value`,
 * because the at-least cut holds only for choices worth more than `value`. Items that do not fit alone are left out.
 */
import { power } from './decimal-grid.js';
import type { Core } from './model.js';

/** A rational number over 10^`exponent`. */
export interface Exact {
  readonly digits: bigint;
  readonly exponent: number;
}

export interface ExactPrices {
  /** The price per grid unit of each row. */
  readonly rows: readonly number[];
  readonly at_most: number;
  readonly at_least: number;
  readonly requires: readonly (readonly [number, number, number])[];
  readonly excludes: readonly (readonly [number, number, number])[];
  /**
   * The power 10^k by which a row's multiplier is divided to convert it from mission units to value-grid units per row-grid unit.
   */
  readonly shift: readonly number[];
  readonly itemShift: number;
}

function exact(x: number): Exact {
  const [mantissa = '0', exponent = '0'] = String(x).split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), exponent: fraction.length - Number(exponent) };
}

const shifted = (x: number, by: number): Exact => {
  const { digits, exponent } = exact(x);
  return { digits, exponent: exponent + by };
};

/**
 * @param counts the at-most and at-least counts
 * @param value total of the choice, in grid units
 * @returns the bound in grid units
 */
export function certifiedBound(core: Core, prices: ExactPrices, counts: readonly [number, number], value: number): number {
  const rows = prices.rows.map((price, k) => shifted(price, prices.shift[k] ?? 0));
  const most = shifted(prices.at_most, prices.itemShift);
  const least = shifted(prices.at_least, prices.itemShift);
  const link = (list: ExactPrices['requires']): Exact[] => list.map(([, , price]) => shifted(price, prices.itemShift));
  const requires = link(prices.requires);
  const excludes = link(prices.excludes);
  let scale = 0;
  for (const { exponent } of [...rows, most, least, ...requires, ...excludes]) scale = Math.max(scale, exponent);
  const unit = power(scale);
  const at = ({ digits, exponent }: Exact): bigint => digits * power(scale - exponent);

  const perItem = at(least) - at(most);
  let sum = at(most) * BigInt(counts[0]) - at(least) * BigInt(counts[1]);
  const gains: bigint[] = Array.from(core.values, (v) => BigInt(v) * unit + perItem);
  for (const [k, row] of core.rows.entries()) {
    const price = at(rows[k] ?? { digits: 0n, exponent: 0 });
    sum += price * BigInt(core.capacities[k] ?? 0);
    if (price > 0n) for (let i = 0; i < core.n; i++) gains[i] = (gains[i] ?? 0n) - price * BigInt(row[i] ?? 0);
  }
  const add = (i: number, amount: bigint): void => {
    gains[i] = (gains[i] ?? 0n) + amount;
  };
  for (const [k, [i, j]] of prices.requires.entries()) {
    const price = at(requires[k] ?? { digits: 0n, exponent: 0 });
    add(i, -price);
    add(j, price);
  }
  for (const [k, [i, j]] of prices.excludes.entries()) {
    const price = at(excludes[k] ?? { digits: 0n, exponent: 0 });
    sum += price;
    add(i, -price);
    add(j, -price);
  }
  sum += positive(core, gains);
  const step = unit * BigInt(core.grid);
  const whole = sum < 0n ? 0 : Number((sum / step) * BigInt(core.grid));
  return Math.max(value, whole);
}

function positive(core: Core, gains: readonly bigint[]): bigint {
  const best: bigint[] = core.members.map(() => 0n);
  let sum = 0n;
  for (let i = 0; i < core.n; i++) {
    const gain = gains[i] ?? 0n;
    if (gain <= 0n || !fitsAlone(core, i)) continue;
    const g = core.group[i] ?? -1;
    if (g < 0) sum += gain;
    else if (gain > (best[g] ?? 0n)) best[g] = gain;
  }
  for (const gain of best) sum += gain;
  return sum;
}

/** Returns whether an item on its own keeps every row. */
export function fitsAlone(core: Core, i: number): boolean {
  for (const [k, row] of core.rows.entries()) if ((row[i] ?? 0) > (core.capacities[k] ?? 0)) return false;
  return true;
}
