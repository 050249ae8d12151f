import { without_objective } from '../improvement.js';
import type { MissionKind } from '../kind.js';
import { codeEngine } from './benchmark.js';
import { codeSize } from './size.js';

export const codeKind: MissionKind<'code'> = {
  kind: 'code',
  solver: { engine: codeEngine, verify: null, size: codeSize },
  improvement: () => without_objective,
  seedIds: null,
  erasable: false,
  usesWorkers: false,
  usesProvider: false,
  needsSandbox: true,
  reference: null,
};
