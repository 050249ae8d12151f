import type { MissionKind } from '../kind.js';
import { scheduleEngine } from './engine/engine.js';
import { scheduleImprovement } from './improvement.js';
import { prepareSchedule } from './prepare.js';
import { scheduleReference } from './reference.js';
import { scheduleSize } from './size.js';
import { verifySchedule } from './verify/verify.js';

export const scheduleKind: MissionKind<'schedule'> = {
  kind: 'schedule',
  solver: {
    engine: scheduleEngine,
    verify: verifySchedule,
    isRecomputed: false,
    size: scheduleSize,
    prepare: prepareSchedule,
  },
  improvement: scheduleImprovement,
  seedIds: ({ jobs }) => jobs.map(({ id }) => id),
  erasable: false,
  usesWorkers: true,
  usesProvider: false,
  needsSandbox: false,
  reference: scheduleReference,
};
