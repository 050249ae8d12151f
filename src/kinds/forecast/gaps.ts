/** The gaps of a series, the steps without an observed value: what stands for them. */
import type { ForecastWork, Observation } from './work.js';

/** Returns the value that stands for a gap, between the observed values next to it; undefined where the series begins or ends with gaps. */
type Fill = (before: Place | undefined, after: Place | undefined, index: number) => number;
type Place = readonly [index: number, value: number];

const fills: Readonly<Record<NonNullable<ForecastWork['gaps']>, Fill>> = {
  zero: () => 0,
  previous: (before, after) => (before ?? after)?.[1] ?? 0,
  interpolate: (before, after, index) => {
    if (before === undefined || after === undefined) return (before ?? after)?.[1] ?? 0;
    return before[1] + ((after[1] - before[1]) * (index - before[0])) / (after[0] - before[0]);
  },
};

/** Returns the series in which every gap has the value that the mission says; at an end of the series, that is the nearest observed one or 0. */
export function filled(observations: readonly Observation[], gaps: ForecastWork['gaps']): Float64Array {
  const out = new Float64Array(observations.length);
  let before: Place | undefined;
  for (const [i, value] of observations.entries()) {
    if (value === null) continue;
    fillBetween(out, before, [i, value], gaps);
    out[i] = value;
    before = [i, value];
  }
  fillBetween(out, before, undefined, gaps);
  return out;
}

function fillBetween(out: Float64Array, before: Place | undefined, after: Place | undefined, gaps: ForecastWork['gaps']): void {
  const fill = fills[gaps ?? 'zero'];
  for (let i = (before?.[0] ?? -1) + 1; i < (after?.[0] ?? out.length); i++) out[i] = fill(before, after, i);
}

/** Returns the series as it was observed, NaN in every gap. */
export const observedOf = (observations: readonly Observation[]): Float64Array =>
  Float64Array.from(observations, (value) => value ?? Number.NaN);
