/**
 * The counts of the cardinality cuts: how many items a feasible choice worth at least a target holds at most and at least, each a
 * Lagrangian bound in exact arithmetic on the multipliers of the certificate.
 */
import { gains, multiplier, placesOf, scaled, type CountInput, type CountRule } from './bound.js';
import { members } from './shape.js';

interface CountPrices {
  readonly budget: number;
  readonly risk: number;
  readonly value: number;
}

/** Reads the multipliers of both counts. */
export function readCounts(value: unknown, path: string): CountRule {
  const both = members(value, path, ['most', 'least']);
  const read = (name: 'most' | 'least'): CountPrices => {
    const from = members(both[name], `${path}.${name}`, ['budget', 'risk', 'value']);
    const price = (member: keyof CountPrices): number => multiplier(from[member], `${path}.${name}.${member}`);
    return { budget: price('budget'), risk: price('risk'), value: price('value') };
  };
  const most = read('most');
  const least = read('least');
  return (input) => {
    const fewest = -floorOf(boundOf(input, least, -1n));
    return { most: floorOf(boundOf(input, most, 1n)), fewest: fewest < 0n ? 0n : fewest };
  };
}

interface Fraction {
  readonly numerator: bigint;
  /** Above 0. */
  readonly denominator: bigint;
}

/** Returns the bound on the number of items (sign 1), or on its negative (sign −1). */
function boundOf({ request, fits, budget, target }: CountInput, prices: CountPrices, sign: bigint): Fraction {
  const places = placesOf([prices.budget, prices.risk, prices.value]);
  const [byCost, byRisk, byValue] = [prices.budget, prices.risk, prices.value].map((x) => scaled(x, places));
  const [a, b, w] = [byCost ?? 0n, byRisk ?? 0n, byValue ?? 0n];
  const one = scaled(1, places) * 1_000_000n;
  const gain = request.values.map((v, i) => sign * one + w * v - a * (request.costs[i] ?? 0n) - b * (request.risks[i] ?? 0n));
  // A price of a limit that the request does not have would prove nothing.
  const risk = request.riskLimit ?? request.risks.reduce((sum, x) => sum + x, 0n);
  return { numerator: a * budget + b * risk - w * target + gains(request, gain, fits), denominator: one };
}

function floorOf({ numerator, denominator }: Fraction): bigint {
  const quotient = numerator / denominator;
  return numerator % denominator !== 0n && numerator < 0n ? quotient - 1n : quotient;
}
