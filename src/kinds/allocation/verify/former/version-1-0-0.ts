/** Results of version 1.0.0 of the engine: the text of their method, and cardinality cuts that count every item of a group. */
import type { Request } from '../model.js';
import type { Rules } from '../verify.js';

const ascending = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);

/** Returns the most items of a feasible choice: the number of the cheapest, and of the least risky, that still fit. */
function mostItems(request: Request, budget: bigint): number {
  const within = (amounts: readonly bigint[], limit: bigint): number => {
    let left = limit;
    const sorted = [...amounts].sort(ascending);
    const first = sorted.findIndex((amount) => (left -= amount) < 0n);
    return first < 0 ? sorted.length : first;
  };
  const byCost = within(request.costs, budget);
  return request.riskLimit === null ? byCost : Math.min(byCost, within(request.risks, request.riskLimit));
}

/** Returns the least number of items of a choice worth `target`; one more than there are items if there is none. */
function fewestItems(request: Request, fits: readonly boolean[], target: bigint): number {
  const sorted = request.values
    .filter((_, i) => fits[i] === true)
    .sort(ascending)
    .reverse();
  let sum = 0n;
  const first = sorted.findIndex((value) => (sum += value) >= target);
  return first < 0 ? sorted.length + 1 : first + 1;
}

export const rules_1_0_0: Rules = {
  method: 'exact search (core dynamic programming, or branch and bound with Lagrangian bounds)',
  members: [],
  counts: () => (input) => ({
    most: BigInt(mostItems(input.request, input.budget)),
    fewest: BigInt(fewestItems(input.request, input.fits, input.target)),
  }),
};
