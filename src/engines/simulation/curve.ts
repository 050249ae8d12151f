/** Capability curves. Year y = 1 … H of horizon H has t = y/H; overflow goes to the mathematical limit and never to NaN. */
import { exp, log } from '../../base/math.js';
import type { Curve } from '../../codec/simulation.js';

export interface CurveSetting {
  readonly curve: Curve;
  /** Steepness and midpoint; null means the curve's default, as does k = 0. */
  readonly k: number | null;
  readonly x0: number | null;
}

/** The default steepness: logistic and exponential; the linear curve has none. */
const steepness: Readonly<Record<Curve, number>> = { logistic: 10, linear: 0, exponential: 3 };

/**
 * Returns the curve at `t`, with its time warped by the factor `pace` and its steepness scaled by `slope` (1 and 1: unchanged).
 */
export function capability({ curve, k, x0 }: CurveSetting, t: number, pace: number, slope: number): number {
  const time = t * pace;
  if (curve === 'linear') return clamped(time);
  const given = k === null || k === 0 ? steepness[curve] : k;
  const u = time - (x0 ?? 0);
  const steep = bounded(given * slope);
  return curve === 'logistic' ? logistic(steep * u) : exponential(steep, u);
}

/** Returns the curve at every year, the first at index 0. */
export function capabilities(setting: CurveSetting, horizon: number, pace = 1, slope = 1): Float64Array {
  const values = new Float64Array(horizon);
  for (let y = 1; y <= horizon; y++) values[y - 1] = capability(setting, y / horizon, pace, slope);
  return values;
}

const clamped = (x: number): number => Math.min(1, Math.max(0, x));
/** Limits a steepness that scaling moved beyond a double's range: infinity times 0 would be NaN. */
const bounded = (x: number): number => Math.min(Number.MAX_VALUE, Math.max(-Number.MAX_VALUE, x));

/** 1/(1 + e^-x); e^-x = ∞ gives 0. */
const logistic = (x: number): number => 1 / (1 + exp(-x));

/** Below this |k| the exponential curve is u + k·u·(u − 1)/2 to a double's last digit. */
const flat = 1e-8;

/**
 * Returns (e^(ku) − 1)/(e^k − 1), rising in u for either sign of k, clamped to 0 … 1. For k > 0 it is divided by e^k first, so
 * that neither e^(ku) nor e^k overflows.
 */
function exponential(k: number, u: number): number {
  if (u <= 0) return 0;
  if (u >= 1) return 1;
  if (Math.abs(k) < flat) return clamped(u + (k * u * (u - 1)) / 2);
  if (k < 0) return clamped(expm1(k * u) / expm1(k));
  return clamped((exp(k * (u - 1)) * expm1(-k * u)) / expm1(-k));
}

/** Returns e^x − 1 for x ≤ 0 without losing digits near 0 (Kahan's form: the error of e^x cancels in the quotient). */
function expm1(x: number): number {
  const power = exp(x);
  if (power === 1) return x;
  const less = power - 1;
  return less === -1 ? -1 : (less * x) / log(power);
}
