/**
 * Whether a value contains a number whose text differs between Python and RFC 8785: for 1e-9 ≤ |x| < 1e-4, Python prints a
 * two-digit exponent, or an exponent where RFC 8785 has none.
 */
export function isPythonDivergent(value: unknown): boolean {
  if (typeof value === 'number') return Math.abs(value) >= 1e-9 && Math.abs(value) < 1e-4;
  if (Array.isArray(value)) return value.some(isPythonDivergent);
  return typeof value === 'object' && value !== null && Object.values(value).some(isPythonDivergent);
}
