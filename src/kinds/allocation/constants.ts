/** The texts that every allocation result carries, and the limits of its certificate. */

export const nodes_per_evaluation = 100;

/** Recorded with each result; the version increases whenever a result changes. */
export const engine_id = { name: 'allocation', version: '1.8.2' } as const;

export const method_text =
  'exact search (core dynamic programming, or branch and bound with Lagrangian bounds and local search); an evaluation pays for ' +
  '100 nodes, a node for 2000 operations (visits of an item, a row of an item or a link) or 20 states of the dynamic programme';
export const baseline_text = 'greedy by value per cost';
const limits_text =
  'Values, costs and risks are the supplied planning assumptions; nothing is bought or operated. No listed point of the Pareto front ' +
  'dominates another, but better ones may exist that are not listed. What is optimal by search rests on the search; what is proven, on the certificate.';

/** Returns what a result does not say. @param ended why its search ended early, or null */
export const limitsText = (ended: string | null): string =>
  ended === null ? limits_text : `${limits_text} The search ${ended}.`;

/** The check that a result passes whose optimum no certificate shows. */
export const search_text = 'optimal by search, not certified: recompute to confirm';

export const pareto_points_max = 100;
export const link_prices_max = 2000;

/** The most choices that a certificate compares, and the most items that they are made of together: seconds of work for the verifier. */
export const choices_max = 100_000;
const compared_items_max = 20_000_000;
export const choicesMax = (items: number): number => Math.min(choices_max, Math.floor(compared_items_max / items));
