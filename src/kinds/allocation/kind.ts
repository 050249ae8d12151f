import { type MissionKind, missionManifest } from '../kind.js';
import { engine_id } from './constants.js';
import { allocationExample } from './example.js';
import { allocationChart } from './chart.js';
import { allocationInputs } from './view.js';
import { allocationReference } from './reference.js';
import { allocationSize } from './size.js';
import * as t from 'io-ts';
import { figuresOf, gained, type Improvement } from '../improvement.js';
import { finite } from '../view-fields.js';
import type { AllocationWork } from './work.js';

const figures = t.type({ value: finite, baseline: t.type({ value: finite }) });

/** Returns the value that the portfolio adds to the greedy rule's. The mission's unit is that of its budget, and values have none. */
function allocationImprovement(_work: AllocationWork, result: unknown): Improvement {
  const { value, baseline } = figuresOf(figures, result);
  return gained(baseline.value, value);
}

export const allocationKind: MissionKind<'allocation'> = {
  kind: 'allocation',
  manifest: missionManifest(
    'allocation',
    'Allocation mission',
    'Chooses items within a budget and a risk limit, with a proven bound on what could be gained.',
  ),
  example: allocationExample,
  inputs: allocationInputs,
  chart: allocationChart,
  solver: {
    engine: { ...engine_id, load: async () => (await import('./engine/engine.js')).allocationEngine },
    verifier: async () => (await import('./verify/verify.js')).verifyAllocation,
    isRecomputed: false,
    size: allocationSize,
  },
  improvement: allocationImprovement,
  seedIds: ({ items }) => items.map(({ id }) => id),
  erasable: ({ items }) => items.some(({ title }) => title !== undefined),
  reference: allocationReference,
};
