import { without_objective } from '../improvement.js';
import type { MissionKind } from '../kind.js';
import { codeEngine } from './benchmark.js';
import { codeExample } from './example.js';
import { codeManifest } from './manifest.js';
import { codeSize } from './size.js';

export const codeKind: MissionKind<'code'> = {
  kind: 'code',
  manifest: codeManifest,
  example: codeExample,
  picture: null,
  solver: { engine: codeEngine, verifier: null, size: codeSize },
  improvement: () => without_objective,
  seedIds: null,
  erasable: false,
  usesProvider: false,
  needsSandbox: true,
  reference: null,
};
