import { type MissionKind, missionManifest } from '../kind.js';
import { engine_id } from './constants.js';
import { forecastExample } from './example.js';
import { forecastChart } from './chart.js';
import { forecastInputs } from './view.js';
import { forecastReference } from './reference.js';
import { forecastSize } from './size.js';
import * as t from 'io-ts';
import { figuresOf, saved, type Improvement } from '../improvement.js';
import { finite } from '../view-fields.js';
import type { ForecastWork } from './work.js';

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
  chart: forecastChart,
  solver: {
    engine: { ...engine_id, load: async () => (await import('./engine/engine.js')).forecastEngine },
    verifier: async () => (await import('./verify/verify.js')).verifyForecast,
    isRecomputed: true,
    size: forecastSize,
  },
  improvement: forecastImprovement,
  seedIds: null,
  erasable: () => false,
  reference: forecastReference,
};
