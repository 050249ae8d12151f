/**
 * Decimals as exact integers on a grid of 10^-k, k ≤ 6. A double represents the shortest decimal that reads back as it (ECMA-262
 * Number::toString), so 0.1 is one tenth and not its binary neighbour.
 */
import { round12 } from '../../base/decimal.js';
import type { FieldError } from '../../base/refusal.js';

const places_max = 6;
const safe_max = 9_007_199_254_740_991n;

/** Returns the digits and number of decimal places: x = digits / 10^places; places may be negative. */
export function parts(x: number): { readonly digits: bigint; readonly places: number } {
  const [mantissa = '0', exponent = '0'] = String(x).split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), places: fraction.length - Number(exponent) };
}

/** Returns the number of decimal places of x, 0 for an integer. */
const places = (x: number): number => Math.max(0, parts(x).places);

/** Returns the decimal places of a grid that has all of these numbers. */
export const placesOf = (column: readonly number[]): number => column.reduce((k, x) => Math.max(k, places(x)), 0);

/** Returns ⌊x · 10^k⌋ for x ≥ 0. */
export function floorScaled(x: number, k: number): bigint {
  const { digits, places: p } = parts(x);
  return p <= k ? digits * power(k - p) : digits / power(p - k);
}

/** Returns 10^k for k ≥ 0. */
export function power(k: number): bigint {
  let out = 1n;
  for (let i = 0; i < k; i++) out *= 10n;
  return out;
}

/** Returns the number that a result shows for `scaled` / 10^k, in all of its digits, so that no total seems to exceed its limit. */
export const shown = (scaled: number, k: number): number => scaled / Number(power(k));

const members = ['cost', 'value', 'risk'] as const;

interface Numbers {
  readonly items: readonly { readonly [M in (typeof members)[number]]: number }[];
  readonly budget: number;
  readonly max_risk?: number;
}

/** Returns a fault for each number that has too many decimal places, or for each column whose total is no safe integer on its grid. */
export function numberFaults({ items, budget, max_risk = 0 }: Numbers): FieldError[] {
  const faults = [...placesFaults('budget', budget), ...placesFaults('max_risk', max_risk)];
  items.forEach((item, i) => {
    for (const member of members) faults.push(...placesFaults(`items[${i}].${member}`, item[member]));
  });
  return faults.length > 0
    ? faults
    : members.flatMap((member) =>
        sumFaults(
          member,
          items.map((item) => item[member]),
        ),
      );
}

/** Returns the decimal that x is but for the last digits, which sums of binary fractions leave; null where it is none that is allowed. */
export function decimalOf(x: number): number | null {
  const near = Number(x.toFixed(places_max));
  return round12(near) === round12(x) ? near : null;
}

function placesFaults(path: string, x: number): FieldError[] {
  const count = places(x);
  if (count <= places_max) return [];
  const meant = decimalOf(x);
  const instead = meant === null ? '' : `: write ${meant}`;
  return [{ path, message: `has ${count} decimal places, at most ${places_max} are allowed${instead}` }];
}

function sumFaults(member: string, column: readonly number[]): FieldError[] {
  const k = placesOf(column);
  let sum = 0n;
  for (const [i, x] of column.entries()) {
    sum += floorScaled(x, k);
    if (sum <= safe_max) continue;
    const message = `the total in steps of 10^-${k} exceeds 2^53 - 1: use fewer decimal places or smaller numbers`;
    return [{ path: `items[${i}].${member}`, message }];
  }
  return [];
}
