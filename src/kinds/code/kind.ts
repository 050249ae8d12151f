import { without_objective } from '../improvement.js';
import type { MissionKind } from '../kind.js';

export const codeKind: MissionKind<'code'> = {
  kind: 'code',
  solver: null,
  improvement: () => without_objective,
  seedIds: null,
  erasable: false,
  usesProvider: false,
  needsSandbox: true,
  reference: null,
};
