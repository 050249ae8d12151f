import { type MissionKind, missionManifest } from '../kind.js';
import { engine_id } from './constants.js';
import { forecastExample } from './example.js';
import { forecastPicture } from './picture.js';
import { forecastInputs } from './view.js';
import { forecastReference } from './reference.js';
import { forecastSize } from './size.js';
import * as t from 'io-ts';
import { figuresOf, saved, type Improvement } from '../improvement.js';
import { finite } from '../view-fields.js';
import { type ForecastWork, forecastWork } from './work.js';
import { unwrap } from '../../base/result.js';
import { decode } from '../../codec/kit.js';
import type { Rehearsal } from '../rehearsal.js';

// The mission that an idle thread runs ahead of its first forecast mission.

const observations_count = 72;

/** Returns a trend with a season of twelve, which the engine has to find. */
function work(): ForecastWork {
  const observations = Array.from({ length: observations_count }, (_, i) => 100 + i + 20 * ((i % 12) % 5) + ((i * 7) % 13));
  return unwrap(decode(forecastWork, { kind: 'forecast', season: 'auto', horizon: 6, observations }));
}

const forecastRehearsal = (): Rehearsal<ForecastWork> => ({
  goal: 'How does it go on?',
  work: work(),
  runs: 6,
  verified_every: 2,
});

const figures = t.type({ holdout_mae: finite, baseline_mae: finite });

/** Returns what the forecast saves of the mean absolute error that repeating the last training value makes on the holdout. */
function forecastImprovement({ unit }: ForecastWork, result: unknown): Improvement {
  const { holdout_mae, baseline_mae } = figuresOf(figures, result);
  return saved(baseline_mae, holdout_mae, unit);
}

export const forecastKind: MissionKind<'forecast'> = {
  kind: 'forecast',
  manifest: missionManifest(
    'forecast',
    'Forecast mission',
    'Forecasts a series of observations, with intervals and the errors on a holdout.',
  ),
  example: forecastExample,
  inputs: forecastInputs,
  picture: forecastPicture,
  solver: {
    engine: { ...engine_id, load: async () => (await import('./engine/engine.js')).forecastEngine },
    verifier: async () => (await import('./verify/verify.js')).verifyForecast,
    isRecomputed: true,
    size: forecastSize,
    rehearsal: forecastRehearsal,
  },
  improvement: forecastImprovement,
  seedIds: null,
  erasable: () => false,
  usesProvider: false,
  needsSandbox: false,
  reference: forecastReference,
};
