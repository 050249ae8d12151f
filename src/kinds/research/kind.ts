import { without_objective } from '../improvement.js';
import type { MissionKind } from '../kind.js';
import { engine_id, model_id } from './constants.js';
import { researchExample } from './example.js';
import { researchManifest } from './manifest.js';
import { researchPicture } from './picture.js';
import { researchPrompt, sourceChars } from './prompt.js';
import { researchReference } from './reference.js';
import { researchRehearsal } from './rehearsal.js';
import { researchSize } from './size.js';

export const researchKind: MissionKind<'research'> = {
  kind: 'research',
  manifest: researchManifest,
  example: researchExample,
  picture: researchPicture,
  solver: {
    engine: { ...engine_id, load: async () => (await import('./engine/engine.js')).researchEngine },
    verifier: async () => (await import('./verify/verify.js')).verifyResearch,
    isRecomputed: true,
    model: {
      engine: { ...model_id, load: async () => (await import('./engine/model.js')).modelResult },
      verifier: async () => (await import('./verify/verify.js')).verifyProposed,
      sourceChars,
      prompt: ({ goal, work }, maxTokens) => researchPrompt(goal, work, maxTokens),
    },
    size: researchSize,
    rehearsal: researchRehearsal,
  },
  improvement: () => without_objective,
  seedIds: null,
  erasable: true,
  usesProvider: true,
  needsSandbox: false,
  reference: researchReference,
};
