import type { MissionKind } from '../kind.js';

export const codeKind: MissionKind<'code'> = {
  kind: 'code',
  solver: null,
  seedIds: null,
  erasable: false,
  needsSandbox: true,
  reference: null,
};
