/** The best of the bounds that machine prices give: every machine gets a few steps, then the most promising one many. */
import { price_periods_max } from '../constants.js';
import { at } from './ints.js';
import { MachinePrices } from './machine-prices.js';
import { type Plan, valueOf } from './plan.js';
import type { Shop } from './shop.js';

const first_steps = 30;
const steps_max = 1_500;
/** The steps after which the length of a step is halved when the bound has not risen. */
const patience = 25;
const length_first = 1;
const length_min = 0.001;
const scale_max = 64;

/**
 * Returns prices that give the largest bound found, at most the plan's value; null for a shop without dated jobs. `units` limits the
 * starts weighed.
 */
export function priceBound(plan: Plan, units: number, beat: (units: number) => void): MachinePrices | null {
  const { shop } = plan;
  const value = valueOf(plan);
  const scale = scaleFor(shop);
  if (scale === 0 || value <= 0) return null;
  let spent = 0;
  const walk = (prices: MachinePrices, steps: number): void => {
    let [length, best, quiet] = [length_first, prices.best, 0];
    for (let i = 0; i < steps && spent < units && length > length_min && prices.bound < value; i++) {
      prices.step(value, length);
      spent += prices.units;
      beat(spent);
      quiet = prices.best > best ? 0 : quiet + 1;
      best = prices.best;
      if (quiet < patience) continue;
      length /= 2;
      quiet = 0;
      prices.restart();
    }
  };
  let leader: MachinePrices | null = null;
  for (let m = 0; m < shop.machines; m++) {
    const prices = new MachinePrices(shop, m, price_periods_max, scale);
    if (prices.units === 0) continue;
    prices.start(plan);
    walk(prices, first_steps);
    if (leader === null || prices.best > leader.best) leader = prices;
  }
  if (leader !== null) walk(leader, steps_max);
  return leader;
}

/** Returns the largest power of two for which all sums of costs are exact, at most `scale_max`; 0 when there is none. */
function scaleFor(shop: Shop): number {
  let [weights, work, latest] = [0, 0, 0];
  for (let j = 0; j < shop.jobs; j++) {
    if (at(shop.due, j) >= 0) weights += at(shop.weight, j);
    latest = Math.max(latest, at(shop.release, j));
  }
  for (const duration of shop.duration) work += duration;
  const most = 4 * weights * (latest + work);
  let scale = weights === 0 ? 0 : scale_max;
  while (scale > 0 && scale * most >= Number.MAX_SAFE_INTEGER) scale = scale > 1 ? scale / 2 : 0;
  return scale;
}
