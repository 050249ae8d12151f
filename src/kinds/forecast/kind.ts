import type { MissionKind } from '../kind.js';
import { forecastEngine } from './engine/engine.js';
import { forecastImprovement } from './improvement.js';
import { prepareForecast } from './prepare.js';
import { forecastReference } from './reference.js';
import { forecastSize } from './size.js';
import { verifyForecast } from './verify/verify.js';

export const forecastKind: MissionKind<'forecast'> = {
  kind: 'forecast',
  solver: {
    engine: forecastEngine,
    verify: verifyForecast,
    isRecomputed: true,
    size: forecastSize,
    prepare: prepareForecast,
  },
  improvement: forecastImprovement,
  seedIds: null,
  erasable: false,
  usesWorkers: false,
  usesProvider: false,
  needsSandbox: false,
  reference: forecastReference,
};
