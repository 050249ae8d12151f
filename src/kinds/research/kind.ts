import type { MissionKind } from '../kind.js';
import { researchEngine } from './engine/engine.js';
import { researchReference } from './reference.js';
import { researchSize } from './size.js';
import { verifyResearch } from './verify/verify.js';

export const researchKind: MissionKind<'research'> = {
  kind: 'research',
  solver: { engine: researchEngine, verify: verifyResearch, size: researchSize },
  seedIds: null,
  erasable: true,
  needsSandbox: false,
  reference: researchReference,
};
