/** Computed numbers in results have at most 12 significant decimal digits (ECMA-262 Number.prototype.toPrecision is exact). */
export const significant_digits = 12;

/** The double nearest to `x` written with 12 significant digits; -0 becomes 0. */
export const round12 = (x: number): number => {
  const rounded = Number(x.toPrecision(significant_digits));
  return rounded === 0 ? 0 : rounded;
};
