import { without_objective } from '../improvement.js';
import type { MissionKind } from '../kind.js';
import { researchEngine } from './engine/engine.js';
import { model_name, model_version, modelResult, sourceChars } from './engine/model.js';
import { prepareResearch } from './prepare.js';
import { researchPrompt } from './prompt.js';
import { researchReference } from './reference.js';
import { researchSize } from './size.js';
import { verifyProposed, verifyResearch } from './verify/verify.js';

export const researchKind: MissionKind<'research'> = {
  kind: 'research',
  solver: {
    engine: researchEngine,
    model: {
      name: model_name,
      version: model_version,
      sourceChars,
      prompt: ({ goal, work }, maxTokens) => researchPrompt(goal, work, maxTokens),
      run: modelResult,
      verify: verifyProposed,
    },
    verify: verifyResearch,
    isRecomputed: true,
    size: researchSize,
    prepare: prepareResearch,
  },
  improvement: () => without_objective,
  seedIds: null,
  erasable: true,
  usesWorkers: false,
  usesProvider: true,
  needsSandbox: false,
  reference: researchReference,
};
