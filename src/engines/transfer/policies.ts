/**
 * Forecasting policies in integers: values in units, predictions in thousandths. Products are BigInt, because those of the linear
 * policy exceed 2^53.
 */
import { policies, type Policy } from '../../codec/transfer-run.js';

/** Returns numerator / denominator, rounded half away from zero. @param denominator above zero */
export function rounded(numerator: bigint, denominator: bigint): number {
  const size = numerator < 0n ? -numerator : numerator;
  const quotient = (2n * size + denominator) / (2n * denominator);
  return Number(numerator < 0n ? -quotient : quotient);
}

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
export const largest = (values: readonly number[]): number => values.reduce((most, value) => (value > most ? value : most), 0);

/** The number of values after which a policy repeats itself; 1 for those that do not. */
const periods = new Map<Policy, number>(
  policies.map((policy) => [policy, policy.startsWith('seasonal-') ? Number(policy.slice('seasonal-'.length)) : 1]),
);
export const periodOf = (policy: Policy): number => periods.get(policy) ?? 1;

/**
 * Returns the next `horizon` values, in thousandths.
 * @param observed at least two values, and at least one period
 */
export function predict(policy: Policy, observed: readonly number[], horizon: number): number[] {
  const steps = Array.from({ length: horizon }, (_, h) => h);
  const n = observed.length;
  switch (policy) {
    case 'last':
      return steps.map(() => (observed[n - 1] ?? 0) * 1000);
    case 'mean':
      return steps.map(() => rounded(1000n * BigInt(sum(observed)), BigInt(n)));
    case 'linear':
      return linear(observed, steps);
    default: {
      const period = periodOf(policy);
      return steps.map((h) => (observed[n - period + (h % period)] ?? 0) * 1000);
    }
  }
}

/**
 * Least squares through (0, y₀) … (n−1, yₙ₋₁), evaluated at n + h. With D = nΣx² − (Σx)² and S = nΣxy − ΣxΣy the line at x is
 * (Σy·D + S·(n·x − Σx)) / (n·D), one quotient of integers, so that it is rounded once.
 */
function linear(observed: readonly number[], steps: readonly number[]): number[] {
  const n = observed.length;
  const sumX = sum(observed.map((_, x) => x));
  const sumXX = sum(observed.map((_, x) => x * x));
  const sumY = sum(observed);
  const sumXY = sum(observed.map((y, x) => x * y));
  const spread = BigInt(n * sumXX - sumX * sumX);
  const slope = BigInt(n * sumXY - sumX * sumY);
  const level = BigInt(sumY) * spread;
  return steps.map((h) => rounded(1000n * (level + slope * BigInt(n * (n + h) - sumX)), BigInt(n) * spread));
}
