/** Members of a result that the verifiers of all versions rebuild alike. */
import { round12 } from '../../../base/decimal.js';
import type { Claims } from './claims.js';
import type { Share } from './former/bands.js';

/** Returns the models by score, then name. @param used indices of the models that the forecast needs, which are fitted again */
export function modelRows(
  names: readonly string[],
  scores: readonly number[],
  shares: readonly Share[],
  used: ReadonlySet<number>,
  claims: Claims,
): unknown[] {
  const rows = names.map((name, i) => {
    const claim = claims.get(name);
    // A missing refit of a used model, or a refit of another one, must appear as a difference.
    const refit = used.has(i) ? (claim?.refit ?? {}) : null;
    const weight = shares.find(({ index }) => index === i)?.weight ?? 0;
    return { name, weight, score: scores[i] ?? 0, parameters: claim?.parameters ?? {}, refit };
  });
  return rows.sort((a, b) => (a.score === b.score ? (a.name < b.name ? -1 : 1) : a.score - b.score));
}

/**
 * Returns the measures of the holdout. @param train the training values that its scale and baseline come from @param m the period of MASE
 */
export function holdoutRows(
  actual: readonly number[],
  train: Float64Array,
  m: number,
  path: readonly number[],
  bands: readonly { level: number; lower: readonly number[]; upper: readonly number[] }[],
): Record<string, unknown> {
  const last = train[train.length - 1] ?? 0;
  const meanOf = (f: (v: number, k: number) => number): number => {
    let sum = 0;
    actual.forEach((v, k) => {
      sum += f(v, k);
    });
    return sum / actual.length;
  };
  const mae = round12(meanOf((v, k) => Math.abs(v - (path[k] ?? 0))));
  const baseline = round12(meanOf((v) => Math.abs(v - last)));
  let change = 0;
  for (let t = m; t < train.length; t++) change += Math.abs((train[t] ?? 0) - (train[t - m] ?? 0));
  const scale = change / (train.length - m);
  const percentage = (v: number, f: number): number =>
    v === 0 && f === 0 ? 0 : (200 * Math.abs(v - f)) / (Math.abs(v) + Math.abs(f));
  return {
    holdout_actual: actual,
    holdout_predictions: path,
    holdout_mae: mae,
    holdout_mase: scale > 0 ? round12(mae / scale) : null,
    holdout_smape: round12(meanOf((v, k) => percentage(v, path[k] ?? 0))),
    baseline_mae: baseline,
    improvement: baseline > 0 ? round12(1 - mae / baseline) : null,
    coverage: bands.map(({ level, lower, upper }) => {
      const inside = actual.filter((v, k) => (lower[k] ?? 0) <= v && v <= (upper[k] ?? 0)).length;
      return { level, share: round12(inside / actual.length) };
    }),
  };
}
