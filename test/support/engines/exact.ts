/** Exact arithmetic on decimals, apart from the program's: fractions of big integers. */

interface Fraction {
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

export const minus = (a: Fraction, b: Fraction): Fraction => ({
  over: a.over * b.under - b.over * a.under,
  under: a.under * b.under,
});
export const sizeOf = ({ over, under }: Fraction): Fraction => ({ over: over < 0n ? -over : over, under });
