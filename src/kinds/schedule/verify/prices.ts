/**
 * The verifier's own reading of a certificate of prices. Any prices of at least 0 give a bound: a job pays no less than in its cheapest
 * place, and the places of a schedule, which do not overlap, never pay more than the price of all time. A job's cost is linear between
 * the times at which its work begins or ends a period or its tardiness begins, so its least is found at one of those.
 */
import type { PriceCertificate } from '../result.js';
import type { TimedWork } from '../work.js';

type Job = TimedWork['jobs'][number];

/** Returns the bound on weighted tardiness that the prices show, or why they show none. */
export function pricedBound(work: TimedWork, { machine, from, width, scale, prices }: PriceCertificate): number | string {
  if (work.objective !== 'weighted_tardiness') return 'prices bound weighted tardiness only';
  const isInRange = width >= 1 && scale >= 1 && from >= 0 && Number.isSafeInteger(from + prices.length * width);
  if (!isInRange || prices.some((price) => price < 0)) return 'the prices are out of range';
  const edges = Array.from({ length: prices.length + 1 }, (_, i) => from + i * width);
  const paid = [0];
  for (const [i, price] of prices.entries()) paid.push((paid[i] ?? 0) + price * width);
  const before = (time: number): number => {
    const i = Math.min(prices.length, Math.max(0, Math.floor((time - from) / width)));
    return time <= from ? 0 : (paid[i] ?? 0) + (prices[i] ?? 0) * (time - (edges[i] ?? 0));
  };
  let total = -(paid.at(-1) ?? 0);
  let largest = -total;
  for (const job of work.jobs) {
    const cost = leastCost(job, machine, scale, edges, before);
    total += cost;
    largest += cost;
  }
  if (!Number.isSafeInteger(largest)) return 'the prices are too large to be added exactly';
  return Math.ceil(total / scale);
}

function leastCost(job: Job, machine: string, scale: number, edges: readonly number[], before: (time: number) => number): number {
  const { due, weight, release, operations } = job;
  if (due === undefined || weight === 0) return 0;
  const last = operations.findLastIndex((operation) => operation.machine === machine);
  const sum = (from: number, to: number): number => operations.slice(from, to).reduce((all, { duration }) => all + duration, 0);
  const cost = (lateness: number): number => Math.max(0, lateness) * weight * scale;
  if (last < 0) return cost(release + sum(0, operations.length) - due);
  const head = release + sum(0, last);
  const length = operations[last]?.duration ?? 0;
  const rest = sum(last + 1, operations.length);
  const starts = [head, due - rest - length, ...edges, ...edges.map((edge) => edge - length)].filter((start) => start >= head);
  return starts.reduce((least, start) => {
    const end = start + length;
    return Math.min(least, cost(end + rest - due) + before(end) - before(start));
  }, Number.POSITIVE_INFINITY);
}
