import type { MissionKind } from '../kind.js';
import { engine_id } from './constants.js';
import { allocationExample } from './example.js';
import { allocationImprovement } from './improvement.js';
import { allocationManifest } from './manifest.js';
import { allocationPicture } from './picture.js';
import { allocationReference } from './reference.js';
import { allocationRehearsal } from './rehearsal.js';
import { allocationSize } from './size.js';

export const allocationKind: MissionKind<'allocation'> = {
  kind: 'allocation',
  manifest: allocationManifest,
  example: allocationExample,
  picture: allocationPicture,
  solver: {
    engine: { ...engine_id, load: async () => (await import('./engine/engine.js')).allocationEngine },
    verifier: async () => (await import('./verify/verify.js')).verifyAllocation,
    isRecomputed: false,
    size: allocationSize,
    rehearsal: allocationRehearsal,
  },
  improvement: allocationImprovement,
  seedIds: ({ items }) => items.map(({ id }) => id),
  erasable: false,
  usesProvider: false,
  needsSandbox: false,
  reference: allocationReference,
};
