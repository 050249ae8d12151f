import type { MissionKind } from '../kind.js';
import { allocationEngine } from './engine/engine.js';
import { allocationImprovement } from './improvement.js';
import { prepareAllocation } from './prepare.js';
import { allocationReference } from './reference.js';
import { allocationSize } from './size.js';
import { verifyAllocation } from './verify/verify.js';

export const allocationKind: MissionKind<'allocation'> = {
  kind: 'allocation',
  solver: {
    engine: allocationEngine,
    verify: verifyAllocation,
    isRecomputed: false,
    size: allocationSize,
    prepare: prepareAllocation,
  },
  improvement: allocationImprovement,
  seedIds: ({ items }) => items.map(({ id }) => id),
  erasable: false,
  usesWorkers: true,
  usesProvider: false,
  needsSandbox: false,
  reference: allocationReference,
};
