/** Exact arithmetic on decimals, apart from the program's: fractions of big integers. */

export interface Fraction {
  readonly over: bigint;
  /** Positive. */
  readonly under: bigint;
}

/** The decimal that a number is written as: 0.1 is one tenth. */
export function exact(x: number): Fraction {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(x));
  if (match === null) throw new TypeError(`${x} is not finite`);
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  const digits = BigInt(whole + fraction) * (sign === '-' ? -1n : 1n);
  const shift = Number(exponent) - fraction.length;
  return shift >= 0 ? { over: digits * 10n ** BigInt(shift), under: 1n } : { over: digits, under: 10n ** BigInt(-shift) };
}

export const plus = (a: Fraction, b: Fraction): Fraction => ({
  over: a.over * b.under + b.over * a.under,
  under: a.under * b.under,
});
export const minus = (a: Fraction, b: Fraction): Fraction => plus(a, { over: -b.over, under: b.under });
export const times = (a: Fraction, b: Fraction): Fraction => ({ over: a.over * b.over, under: a.under * b.under });
export const divided = (a: Fraction, b: Fraction): Fraction =>
  b.over < 0n ? { over: -a.over * b.under, under: -a.under * b.over } : { over: a.over * b.under, under: a.under * b.over };
export const sum = (all: readonly Fraction[]): Fraction => all.reduce(plus, { over: 0n, under: 1n });
export const sizeOf = ({ over, under }: Fraction): Fraction => ({ over: over < 0n ? -over : over, under });
export const isZero = ({ over }: Fraction): boolean => over === 0n;

/** Whether a number is `expected`, rounded to 12 significant digits or closer. */
export function isRounded(x: number, expected: Fraction): boolean {
  const { over, under } = divided(sizeOf(minus(exact(x), expected)), isZero(expected) ? exact(1) : sizeOf(expected));
  return isZero(expected) ? x === 0 : over * 10n ** 12n <= 5n * under;
}
