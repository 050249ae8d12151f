import type { MissionKind } from '../kind.js';
import { allocationEngine } from './engine/engine.js';
import { allocationImprovement } from './improvement.js';
import { allocationReference } from './reference.js';
import { allocationSize } from './size.js';
import { verifyAllocation } from './verify/verify.js';

export const allocationKind: MissionKind<'allocation'> = {
  kind: 'allocation',
  solver: { engine: allocationEngine, verify: verifyAllocation, size: allocationSize },
  improvement: allocationImprovement,
  seedIds: ({ items }) => items.map(({ id }) => id),
  erasable: false,
  usesProvider: false,
  needsSandbox: false,
  reference: allocationReference,
};
