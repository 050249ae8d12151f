import type { MissionKind } from '../kind.js';
import { engine_id } from './constants.js';
import { forecastExample } from './example.js';
import { forecastImprovement } from './improvement.js';
import { forecastManifest } from './manifest.js';
import { forecastPicture } from './picture.js';
import { forecastReference } from './reference.js';
import { forecastRehearsal } from './rehearsal.js';
import { forecastSize } from './size.js';

export const forecastKind: MissionKind<'forecast'> = {
  kind: 'forecast',
  manifest: forecastManifest,
  example: forecastExample,
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
  erasable: false,
  usesProvider: false,
  needsSandbox: false,
  reference: forecastReference,
};
