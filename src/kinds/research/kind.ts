import { without_objective } from '../improvement.js';
import { type MissionKind, missionManifest } from '../kind.js';
import { engine_id, model_id } from './constants.js';
import { researchExample } from './example.js';
import { researchChart } from './chart.js';
import { researchInputs } from './view.js';
import { researchPrompt, sourceChars } from './prompt.js';
import { researchReference } from './reference.js';
import { researchSize } from './size.js';

export const researchKind: MissionKind<'research'> = {
  kind: 'research',
  manifest: missionManifest(
    'research',
    'Research mission',
    'Finds the passages of the given sources that bear on a goal, and quotes them exactly.',
  ),
  example: researchExample,
  inputs: researchInputs,
  chart: researchChart,
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
  },
  improvement: () => without_objective,
  seedIds: null,
  erasable: () => true,
  reference: researchReference,
};
