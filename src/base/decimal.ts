/** Computed numbers in results have at most 12 significant decimal digits (ECMA-262 Number.prototype.toPrecision is exact). */
export const significant_digits = 12;

/** The double nearest to `x` written with 12 significant digits; -0 becomes 0. */
export const round12 = (x: number): number => rounded(x, significant_digits);

/** The double nearest to `x` written with 15 significant digits, the most that every decimal keeps in a double; -0 becomes 0. */
export const round15 = (x: number): number => rounded(x, 15);

function rounded(x: number, digits: number): number {
  const nearest = Number(x.toPrecision(digits));
  return nearest === 0 ? 0 : nearest;
}

/**
 * Returns a − b, rounded once, of the decimals that two finite numbers are written as (ECMA-262 Number::toString): 0.3 − 0.1 is 0.2. A
 * difference of the doubles themselves would show their distance from those decimals wherever leading digits cancel.
 */
export function decimalDifference(a: number, b: number): number {
  const [left, right] = [decimalOf(a), decimalOf(b)];
  const exponent = left.exponent < right.exponent ? left.exponent : right.exponent;
  const difference = digitsAt(left, exponent) - digitsAt(right, exponent);
  return Number(`${difference}e${exponent}`);
}

type Decimal = Readonly<ReturnType<typeof decimalOf>>;

function decimalOf(x: number) {
  const [mantissa = '', exponent = '0'] = String(x).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return { digits: whole + fraction, exponent: Number(exponent) - fraction.length };
}

/** Returns the digits of a decimal as an integer times 10^exponent, which is not above its own. */
const digitsAt = (x: Decimal, exponent: number): bigint => BigInt(x.digits + '0'.repeat(x.exponent - exponent));
