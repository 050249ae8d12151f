/**
 * The compact form of a schedule: job indices in the order in which operations start, the k-th mention of a job being its k-th
 * operation (Bierwirth 1995). Every such list decodes to a feasible schedule.
 */
import { at } from './ints.js';
import type { Plan } from './plan.js';
import type { Shop } from './shop.js';

export interface WarmStart {
  readonly sequence: readonly number[];
}

/** Returns the operations by start, then by job. */
export function encode(plan: Plan): WarmStart {
  const { shop, end } = plan;
  const start = (x: number): number => at(end, x) - at(shop.duration, x);
  const byStart = Array.from({ length: shop.operations }, (_, x) => x).sort((a, b) => start(a) - start(b) || a - b);
  return { sequence: byStart.map((x) => at(shop.jobOf, x)) };
}

/** Returns the linear order of an untrusted warm start, or null when it is not one for this shop. */
export function decode(shop: Shop, value: unknown): Int32Array | null {
  if (typeof value !== 'object' || value === null || !('sequence' in value)) return null;
  const list: unknown = value.sequence;
  if (!Array.isArray(list) || list.length !== shop.operations) return null;
  const upcoming = shop.first.slice(0, shop.jobs);
  const order = new Int32Array(shop.operations);
  for (const [i, job] of list.entries()) {
    if (typeof job !== 'number' || !Number.isInteger(job) || job < 0 || job >= shop.jobs) return null;
    const x = at(upcoming, job);
    if (x === at(shop.first, job + 1)) return null;
    order[i] = x;
    upcoming[job] = x + 1;
  }
  return order;
}
