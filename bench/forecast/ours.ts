/** The engine on one series, as a mission would run it. */
import { unwrap } from '../../src/base/refusal.js';
import type { ForecastResult } from '../../src/kinds/forecast/result.js';
import type { ForecastWork } from '../../src/kinds/forecast/work.js';
import { forecastEngine } from '../../src/kinds/forecast/engine/engine.js';

export interface Band {
  readonly forecast: readonly number[];
  readonly lower: readonly number[];
  readonly upper: readonly number[];
}

type Given = Partial<ForecastWork> & Pick<ForecastWork, 'observations' | 'horizon' | 'holdout'>;

export function resultOf(work: Given): ForecastResult {
  const base = { kind: 'forecast', season: 1, levels: [95], unit: 'units', start: null, step: null } as const;
  const effort = { max_evaluations: 10_000 };
  const input = {
    goal: 'bench',
    work: { ...base, ...work },
    seed: 42,
    population: 20,
    generations: 12,
    effort,
    warm_start: null,
  };
  return unwrap(forecastEngine.run(input, () => {})).result;
}

/** Returns the forecast with its 95 % band. */
export function ours(work: Given): Band {
  const { forecast, intervals } = resultOf(work);
  const [band] = intervals;
  return { forecast, lower: band?.lower ?? [], upper: band?.upper ?? [] };
}
