import { without_objective } from '../improvement.js';
import type { MissionKind } from '../kind.js';
import { researchEngine } from './engine/engine.js';
import { model_name, model_version, modelResult, sourceChars } from './engine/model.js';
import { prepareResearch } from './prepare.js';
import { researchPrompt } from './prompt.js';
import { researchReference } from './reference.js';
import { researchSize } from './size.js';
import { verifyFormerProposed } from './verify/former/proposed.js';
import { verifyFormer } from './verify/former/verify.js';
import { verifyProposed } from './verify/proposed.js';
import { verifyResearch } from './verify/verify.js';

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
      former: { '1.0.0': verifyFormerProposed },
    },
    verify: verifyResearch,
    former: { '1.1.0': verifyFormer },
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
