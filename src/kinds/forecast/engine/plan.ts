/** The plan of a forecast before any model is fitted: the seasons used, the horizon of the scores, the origins, the window of history. */
import type { ForecastWork } from '../work.js';
import { detectSeason } from './detect.js';

export interface Plan {
  readonly trainCount: number;
  /** Lengths that every seasonal model uses: two full cycles before the first origin. Ascending. */
  readonly seasons: readonly number[];
  /** Lengths with one cycle before the first origin but not two: for the seasonal naive methods only. */
  readonly short: readonly number[];
  /** Given lengths for which there are too few training observations. */
  readonly dropped: readonly number[];
  /** Whether the season had to be detected, and none was found. */
  readonly isUndetected: boolean;
  /** The number of steps of each scored path. */
  readonly steps: number;
  /** Ascending; origin o means the path of y[o..o+steps) from y[0..o). */
  readonly origins: readonly number[];
  /** The distance between origins. */
  readonly stride: number;
  /** Whether paths are compared only up to the end of the training observations, because too few whole paths fit into them. */
  readonly isCut: boolean;
  readonly firstOriginMin: number;
  /** The largest number of values before an origin that a model uses. */
  readonly window: number;
}

export const origins_max = 24;
/** Fewer origins of whole paths than this are replaced by more origins whose paths are cut. */
const whole_origins_min = 12;
const origins_wanted_min = 3;
const window_min = 3_000;
const window_cycles = 8;
const first_origin_min = 4;

/** @param train without outliers */
export function planFor(work: ForecastWork, train: Float64Array): Plan {
  const n = train.length;
  const lengths = seasonLengths(work, train);
  const room = n - origins_wanted_min;
  const seasons = lengths.filter((m) => 2 * m <= room);
  const short = lengths.filter((m) => 2 * m > room && m <= room);
  const firstOriginMin = Math.max(first_origin_min, 2 * (seasons[seasons.length - 1] ?? 0), short[short.length - 1] ?? 0);
  return {
    trainCount: n,
    seasons,
    short,
    dropped: lengths.filter((m) => m > room),
    isUndetected: isDetected(work) && lengths.length === 0,
    ...originsOf(Math.max(work.horizon, work.holdout), n, firstOriginMin),
    firstOriginMin,
    window: Math.max(window_min, window_cycles * (lengths[lengths.length - 1] ?? 0)),
  };
}

function originsOf(wanted: number, n: number, first: number): Pick<Plan, 'steps' | 'origins' | 'stride' | 'isCut'> {
  const whole = Math.max(1, Math.min(wanted, Math.floor(n / 4), n - first - origins_wanted_min + 1));
  const half = Math.max(1, Math.floor(whole / 2));
  const origins = originsBack(n - whole, first, half);
  if (origins.length >= whole_origins_min) return { steps: whole, origins, stride: half, isCut: false };
  const stride = Math.ceil((n - first) / origins_max);
  return { steps: Math.min(wanted, n - first), origins: originsBack(n - 1, first, stride), stride, isCut: true };
}

function originsBack(last: number, first: number, stride: number): number[] {
  const origins: number[] = [];
  for (let o = last; o >= first && origins.length < origins_max; o -= stride) origins.push(o);
  return origins.reverse();
}

const isDetected = ({ season, seasons }: ForecastWork): boolean => season === 'auto' && seasons === undefined;

/** Returns the given or detected lengths above 1, ascending, each once. */
function seasonLengths(work: ForecastWork, train: Float64Array): number[] {
  const given = work.season === 'auto' ? 1 : work.season;
  const base = isDetected(work) ? detectSeason(train) : given;
  return [...new Set([base, ...(work.seasons ?? [])])].filter((m) => m > 1).sort((a, b) => a - b);
}
