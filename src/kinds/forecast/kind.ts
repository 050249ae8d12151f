import type { MissionKind } from '../kind.js';
import { forecastEngine } from './engine/engine.js';
import { forecastImprovement } from './improvement.js';
import { forecastReference } from './reference.js';
import { forecastSize } from './size.js';
import { verifyForecast } from './verify/former/verify.js';

export const forecastKind: MissionKind<'forecast'> = {
  kind: 'forecast',
  solver: { engine: forecastEngine, verify: verifyForecast, size: forecastSize },
  improvement: forecastImprovement,
  seedIds: null,
  erasable: false,
  usesProvider: false,
  needsSandbox: false,
  reference: forecastReference,
};
