/**
 * Decimals as exact integers on a grid of 10^-k, k ≤ 6. A double represents the shortest decimal that reads back as it (ECMA-262
 * Number::toString), so 0.1 is one tenth and not its binary neighbour.
 */
import { round12 } from '../../../base/decimal.js';

export const places_max = 6;
export const safe_max = 9_007_199_254_740_991;

/** Returns the digits and number of decimal places: x = digits / 10^places; places may be negative. */
function parts(x: number): { readonly digits: bigint; readonly places: number } {
  const [mantissa = '0', exponent = '0'] = String(x).split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), places: fraction.length - Number(exponent) };
}

/** Returns the number of decimal places of x, 0 for an integer. */
export const places = (x: number): number => Math.max(0, parts(x).places);

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

/** Returns the number that a result shows for `scaled` / 10^k: an integer unchanged, a decimal with 12 significant digits. */
export function shown(scaled: number, k: number): number {
  const divisor = Number(power(k));
  return scaled % divisor === 0 ? scaled / divisor : round12(scaled / divisor);
}
