/**
 * How sure the disruptions are: in how many draws of the curve each sector is disrupted by each year, and the quantiles of the number of disrupted
 * sectors. Each draw has its own sector paths (docs/model.md).
 */
import { round12 } from '../../base/decimal.js';
import type { AffectedQuantiles } from '../../codec/simulation-results.js';
import { quantiles } from './draws.js';
import type { Path, Scenario } from './scenario.js';

export interface Disruption {
  /** By year, the first at index 0. */
  readonly affected: readonly AffectedQuantiles[];
  /** The share of the draws in which sector i is disrupted by year y, at [i][y − 1]. */
  readonly probability: readonly (readonly number[])[];
}

/** @param rows the capability of `draws` draws, row-major: draws × horizon. @param alive called for every sector */
export function disruptionOf(
  { horizon, sectors }: Scenario,
  paths: readonly Path[],
  rows: Float64Array,
  draws: number,
  alive: () => void,
): Disruption {
  /** The number of sectors of a draw that are disrupted in a year, by year and then by draw. */
  const counts = new Int32Array(horizon * draws);
  const probability = paths.map(({ free }, i) => {
    alive();
    const entropy = sectors[i]?.entropy ?? 0;
    const inYear = new Int32Array(horizon);
    for (let j = 0; j < draws; j++) {
      const year = firstDisrupted(free, rows.subarray(j * horizon, (j + 1) * horizon), entropy);
      if (year < 0) continue;
      inYear[year] = (inYear[year] as number) + 1;
      counts[year * draws + j] = (counts[year * draws + j] as number) + 1;
    }
    let sum = 0;
    return Array.from(inYear, (number) => round12((sum += number) / draws));
  });
  const affected = Array.from({ length: horizon }, (_, y) => {
    alive();
    const column = counts.subarray(y * draws, (y + 1) * draws);
    if (y > 0) for (let j = 0; j < draws; j++) column[j] = (column[j] as number) + (counts[(y - 1) * draws + j] as number);
    return quantilesOfCounts(column);
  });
  return { affected, probability };
}

/** Returns the index of the first year in which energy − capability · entropy < 0, or -1. */
function firstDisrupted(free: Float64Array, capability: Float64Array, entropy: number): number {
  for (let y = 0; y < free.length; y++) if ((free[y] as number) - (capability[y] as number) * entropy < 0) return y;
  return -1;
}

/** Returns the least number that at least this share of the draws does not exceed (Hyndman and Fan 1996, type 1): a count, never between two. */
function quantilesOfCounts(column: Int32Array): AffectedQuantiles {
  const sorted = column.toSorted();
  const at = (share: number): number => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] as number;
  const { p05, p25, p50, p75, p95 } = quantiles;
  return { affected_p05: at(p05), affected_p25: at(p25), affected_p50: at(p50), affected_p75: at(p75), affected_p95: at(p95) };
}
