/**
 * Seeded draws of the curve: progress is earlier or later (time times e^(0.15 d z)) and steeper or flatter (k times e^(0.25 d z')), z
 * and z' standard normal, d the request's `spread`. Draw j does not depend on the number of draws: the first 64 determine the risk, the first
 * `samples` the quantiles of capability, and the first of whichever is more the disruptions.
 */
import { cos, exp, log, sin } from '../../base/math.js';
import { prng, type Prng } from '../../base/prng.js';
import { capabilities } from './curve.js';
import type { Scenario } from './scenario.js';

/** The number of draws that determine the risk, and the number of the worst ones that it averages: the worst sixteenth. */
export const risk_draws = 64;
const worst_draws = 4;
export const pace_sigma = 0.15;
export const slope_sigma = 0.25;
/** Label of the draws' random stream. */
const draws_label = 1;
const two_pi = 6.283185307179586;
const two_minus32 = 1 / 4_294_967_296;

export const quantiles = { p05: 0.05, p25: 0.25, p50: 0.5, p75: 0.75, p95: 0.95 } as const;
export type QuantileName = keyof typeof quantiles;

/** Returns two independent standard normal numbers (Box and Muller 1958); the first uniform one is never 0. */
function normals(random: Prng): readonly [number, number] {
  const radius = Math.sqrt(-2 * log((random.uint32() + 0.5) * two_minus32));
  const angle = two_pi * random.unit();
  return [radius * cos(angle), radius * sin(angle)];
}

/** Returns the capability of `count` draws, row-major: draws × horizon. */
export function drawnCapabilities({ request, horizon }: Scenario, count: number): Float64Array {
  const random = prng(request.seed, draws_label);
  const rows = new Float64Array(count * horizon);
  for (let j = 0; j < count; j++) {
    const [z, other] = normals(random);
    const { spread = 1 } = request;
    rows.set(capabilities(request, horizon, exp(pace_sigma * spread * z), exp(slope_sigma * spread * other)), j * horizon);
  }
  return rows;
}

/** Returns the mean of the largest four of the draws' means over the years. */
export function worstMeanCapability(rows: Float64Array, horizon: number): number {
  const means = Array.from({ length: risk_draws }, (_, j) => meanOf(rows.subarray(j * horizon, (j + 1) * horizon)));
  const worst = means.toSorted((a, b) => b - a).slice(0, worst_draws);
  return worst.reduce((sum, mean) => sum + mean, 0) / worst_draws;
}

export function meanOf(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}

/** Returns the quantiles of the first `samples` draws in a year, linear between neighbours (Hyndman and Fan 1996, type 7). */
export function quantilesOf(rows: Float64Array, horizon: number, samples: number, year: number): Record<QuantileName, number> {
  const column = Float64Array.from({ length: samples }, (_, j) => rows[j * horizon + year - 1] as number).toSorted();
  const at = (share: number): number => {
    const place = share * (samples - 1);
    const low = Math.floor(place);
    const below = column[low] as number;
    const above = column[Math.min(low + 1, samples - 1)] as number;
    return below + (place - low) * (above - below);
  };
  const { p05, p25, p50, p75, p95 } = quantiles;
  return { p05: at(p05), p25: at(p25), p50: at(p50), p75: at(p75), p95: at(p95) };
}
