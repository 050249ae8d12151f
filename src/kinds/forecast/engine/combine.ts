/**
 * The combination of the models: the mean of the best few, weighted by the inverse square of the score (after Bates and Granger 1969),
 * and, on a short series, the median of a committee of simple methods. Few origins rank the models badly; a median that
 * needs no ranking is then the better forecast (Petropoulos and Svetunkov 2020). Where such a series is known to have no season, the local and
 * global trend has half of the forecast.
 */
import { round12 } from '../../../base/decimal.js';
import { localGlobalTrend } from './local-global-trend.js';
import type { Plan } from './plan.js';
import type { Model } from './pool.js';
import { median } from './series.js';

export const combined_max = 6;
/**
 * The median's share for a series of no length; it falls to 0 at `observations` training observations. Both are the same at 50, from where
 * no series is plain.
 */
const median_share = { usual: { max: 0.75, observations: 500 }, plain: { max: 0.9, observations: 200 } } as const;
/** A model on logarithms must be better than all others by this factor, because a wrong multiplicative trend errs by most. */
const log_gain_min = 1.25;
/** The median loses its share as far as the best model leads its usual member by more than this factor. */
const lead_max = 2;
/** The weight of the local and global trend in the forecast, where it is in the pool. A model that leads takes from it as from the median. */
const trend_weight_max = 0.5;
const committee_cores: readonly string[] = ['naive', 'drift', 'ses', 'holt', 'damped', 'theta'];
/** Beside the seasonal naive method, those on the differences from the cycle before. */
const difference_cores: readonly string[] = ['mean', 'ses', 'damped'];

export interface Member {
  /** Index of the model in the pool. */
  readonly model: number;
  /** The weight of the model; weights sum to 1 within rounding. */
  readonly weight: number;
}

export interface Choice {
  readonly members: readonly Member[];
  /** Indices of the models of the median. */
  readonly committee: readonly number[];
  /** The share of the median; the mean has the rest. */
  readonly share: number;
}

/**
 * Returns the choice. `scores[i]` belongs to the i-th model in order of name, so that a stable sort breaks ties by name.
 */
export function choose(models: readonly Model[], scores: readonly number[], plan: Plan): Choice {
  const best = (logged: boolean): number =>
    models.reduce((low, model, i) => (model.logged === logged ? Math.min(low, scores[i] ?? 0) : low), Infinity);
  const multiplicative = best(true) * log_gain_min < best(false);
  const trend = models.findIndex(({ name }) => name === localGlobalTrend.name);
  const eligible = models.map((_, i) => i).filter((i) => i !== trend && (multiplicative || models[i]?.logged === false));
  const few = eligible.sort((a, b) => (scores[a] ?? 0) - (scores[b] ?? 0) || a - b).slice(0, combined_max);
  const all = committeeOf(models, multiplicative, plan);
  // An intermittent series has no such methods: its best few forecast the mean already.
  const committee = all.includes(-1) ? [] : all;
  const usual = committee.length === 0 ? 0 : median(Float64Array.from(committee, (i) => scores[i] ?? 0));
  const lead = usual > 0 ? Math.min(1, (lead_max * (scores[few[0] ?? 0] ?? 0)) / usual) : 1;
  const { max, observations } = plan.isPlain ? median_share.plain : median_share.usual;
  const share = committee.length === 0 ? 0 : round12(max * Math.max(0, 1 - plan.trainCount / observations) * lead);
  const choice = { members: weighted(few, scores), committee, share };
  return trend < 0 ? choice : withTrend(choice, trend, trend_weight_max * lead);
}

/** Gives the trend a weight in the forecast, as a member of the mean; mean and median keep their proportion in the rest. */
function withTrend({ members, committee, share }: Choice, trend: number, weight: number): Choice {
  const rest = round12(share * (1 - weight));
  const part = weight / (1 - rest);
  const others = members.map((member) => ({ ...member, weight: round12(member.weight * (1 - part)) }));
  return { members: [...others, { model: trend, weight: round12(part) }], committee, share: rest };
}

function weighted(few: readonly number[], scores: readonly number[]): Member[] {
  const best = scores[few[0] ?? 0] ?? 0;
  const raw = few.map((i) => {
    const score = scores[i] ?? 0;
    const ratio = score > 0 ? best / score : 1;
    return ratio * ratio;
  });
  const total = raw.reduce((sum, w) => sum + w, 0);
  return few.map((model, i) => ({ model, weight: round12((raw[i] ?? 0) / total) }));
}

/** Returns the models of the committee: without season where there is one, and on logarithms where that is the choice. */
function committeeOf(models: readonly Model[], multiplicative: boolean, plan: Plan): number[] {
  const seasonal = models.filter(({ removed }) => removed.length > 0);
  const way = seasonal.some((model) => model.differenced) ? '-difference' : '';
  const ratio = seasonal.some((model) => model.form === 'multiplicative') ? '-multiplicative' : '-additive';
  const form = seasonal.length > 0 ? way + ratio : '';
  const [cycle] = seasonal.find((model) => model.differenced)?.removed ?? [];
  const plainest = models.findIndex(({ name }) => name === `seasonal-naive-${cycle}`);
  if (plainest >= 0)
    return [plainest, ...difference_cores.map((name) => models.findIndex((model) => model.name === `${name}${form}`))];
  const names = plan.isPlain ? [...committee_cores, 'optimised-theta'] : committee_cores;
  return names.map((name) => {
    const find = (wanted: string): number => models.findIndex((model) => model.name === wanted);
    const logged = multiplicative ? find(`${name}-log${form}`) : -1;
    return logged >= 0 ? logged : find(`${name}${form}`);
  });
}

export function combine({ members, committee, share }: Choice, pathOf: (model: number) => Float64Array, h: number): Float64Array {
  const out = weightedMean(members, pathOf, h);
  if (!(share > 0)) return out;
  const paths = committee.map(pathOf);
  return out.map((v, k) => (1 - share) * v + share * median(Float64Array.from(paths, (path) => path[k] ?? 0)));
}

function weightedMean(members: readonly Member[], pathOf: (model: number) => Float64Array, h: number): Float64Array {
  const out = new Float64Array(h);
  let total = 0;
  for (const { model, weight } of members) {
    const path = pathOf(model);
    for (let k = 0; k < h; k++) out[k] = (out[k] ?? 0) + weight * (path[k] ?? 0);
    total += weight;
  }
  return out.map((v) => v / total);
}

/** Returns the models of the median, none where it has no share. */
export const usedCommittee = ({ committee, share }: Choice): readonly number[] => (share > 0 ? committee : []);
