/** Where Python's float text differs from RFC 8785's: 1e-9 ≤ |x| < 1e-4 prints with a two-digit exponent or as one. */
export function isPythonDivergent(value: unknown): boolean {
  if (typeof value === 'number') return Math.abs(value) >= 1e-9 && Math.abs(value) < 1e-4;
  if (Array.isArray(value)) return value.some(isPythonDivergent);
  return typeof value === 'object' && value !== null && Object.values(value).some(isPythonDivergent);
}
