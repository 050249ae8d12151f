import { without_objective } from '../improvement.js';
import type { MissionKind } from '../kind.js';
import { researchEngine } from './engine/engine.js';
import { researchReference } from './reference.js';
import { researchSize } from './size.js';
import { verifyResearch } from './verify/verify.js';

export const researchKind: MissionKind<'research'> = {
  kind: 'research',
  solver: { engine: researchEngine, verify: verifyResearch, size: researchSize },
  improvement: () => without_objective,
  seedIds: null,
  erasable: true,
  usesProvider: true,
  needsSandbox: false,
  reference: researchReference,
};
