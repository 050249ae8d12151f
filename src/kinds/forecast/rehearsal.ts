/** The mission that an idle thread runs ahead of its first forecast mission. */
import { unwrap } from '../../base/result.js';
import { decode } from '../../codec/kit.js';
import type { Rehearsal } from '../rehearsal.js';
import { forecastWork, type ForecastWork } from './work.js';

const observations_count = 72;

/** Returns a trend with a season of twelve, which the engine has to find. */
function work(): ForecastWork {
  const observations = Array.from({ length: observations_count }, (_, i) => 100 + i + 20 * ((i % 12) % 5) + ((i * 7) % 13));
  return unwrap(decode(forecastWork, { kind: 'forecast', season: 'auto', horizon: 6, observations }));
}

export const forecastRehearsal = (): Rehearsal<ForecastWork> => ({
  goal: 'How does it go on?',
  work: work(),
  runs: 6,
  verified_every: 2,
});
