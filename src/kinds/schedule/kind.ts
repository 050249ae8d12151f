import type { MissionKind } from '../kind.js';
import { engine_id } from './constants.js';
import { scheduleExample } from './example.js';
import { scheduleImprovement } from './improvement.js';
import { scheduleManifest } from './manifest.js';
import { schedulePicture } from './picture.js';
import { scheduleReference } from './reference.js';
import { scheduleRehearsal } from './rehearsal.js';
import { scheduleSize } from './size.js';

export const scheduleKind: MissionKind<'schedule'> = {
  kind: 'schedule',
  manifest: scheduleManifest,
  example: scheduleExample,
  picture: schedulePicture,
  solver: {
    engine: { ...engine_id, load: async () => (await import('./engine/engine.js')).scheduleEngine },
    verifier: async () => (await import('./verify/verify.js')).verifySchedule,
    isRecomputed: false,
    size: scheduleSize,
    rehearsal: scheduleRehearsal,
  },
  improvement: scheduleImprovement,
  seedIds: ({ jobs }) => jobs.map(({ id }) => id),
  erasable: false,
  usesProvider: false,
  needsSandbox: false,
  reference: scheduleReference,
};
