import { without_objective } from '../improvement.js';
import { type MissionKind, missionManifest } from '../kind.js';
import { engine_id, model_id } from './constants.js';
import { researchExample } from './example.js';
import { researchPicture } from './picture.js';
import { researchInputs } from './view.js';
import { researchPrompt, sourceChars } from './prompt.js';
import { researchReference } from './reference.js';
import { researchSize } from './size.js';
import { unwrap } from '../../base/result.js';
import { decode } from '../../codec/kit.js';
import type { Rehearsal } from '../rehearsal.js';
import { researchWork, type ResearchWork } from './work.js';

// The mission that an idle thread runs ahead of its first research mission.

const sources_count = 6;
/** How often a source repeats its text: a step takes some 10 ms, in which a task has to wait. */
const repetitions = 10;

const goal = 'When did the first ferries cross the harbour, and how many passengers did they carry?';
const text =
  'The first ferries crossed the harbour in May 1931. Dr. Vega counted 1,200 passengers on the opening day, twice as many as were expected. ' +
  'Most of them lived in the eastern districts (see the report of 1932). Nobody had informed the port’s owners; “it simply happened”, wrote J. Doe. ' +
  'Later the company ran four boats, e.g. for workers, and closed two piers.\n\nA bridge replaced the line in 1957.\n\n';

/** Returns the work of a mission of some 30 kB. */
function work(): ResearchWork {
  const sources = Array.from({ length: sources_count }, (_, i) => ({
    id: `s${i}`,
    title: 'ferries',
    text: Array.from({ length: repetitions }, (__, k) => text.replaceAll('ferries', `ferries${i * repetitions + k}`)).join(''),
  }));
  return unwrap(decode(researchWork, { kind: 'research', sources }));
}

/** Returns it; it also makes the engine decode its tables. */
const researchRehearsal = (): Rehearsal<ResearchWork> => ({ goal, work: work(), runs: 12, verified_every: 4 });

export const researchKind: MissionKind<'research'> = {
  kind: 'research',
  manifest: missionManifest(
    'research',
    'Research mission',
    'Finds the passages of the given sources that bear on a goal, and quotes them exactly.',
  ),
  example: researchExample,
  inputs: researchInputs,
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
  erasable: () => true,
  usesProvider: true,
  needsSandbox: false,
  reference: researchReference,
};
