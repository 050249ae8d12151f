import { type MissionKind, missionManifest } from '../kind.js';
import { engine_id } from './constants.js';
import { allocationExample } from './example.js';
import { allocationPicture } from './picture.js';
import { allocationInputs } from './view.js';
import { allocationReference } from './reference.js';
import { allocationSize } from './size.js';
import * as t from 'io-ts';
import { figuresOf, gained, type Improvement } from '../improvement.js';
import { finite } from '../view-fields.js';
import { type AllocationWork, allocationWork } from './work.js';
import { unwrap } from '../../base/result.js';
import { decode } from '../../codec/kit.js';
import type { Rehearsal } from '../rehearsal.js';

// The mission that an idle thread runs ahead of its first allocation mission.

const items_count = 24;

/** Returns items with groups, requirements and exclusions, under a budget and a risk limit that both bind. */
function work(): AllocationWork {
  const items = Array.from({ length: items_count }, (_, i) => ({
    id: `i${i}`,
    cost: 1 + ((i * 7) % 9),
    value: 2 + ((i * 5) % 11),
    risk: i % 3,
    ...(i % 6 === 0 ? { group: `g${i % 12}` } : {}),
    ...(i % 7 === 1 ? { requires: ['i0'] } : {}),
    ...(i % 11 === 2 ? { excludes: ['i3'] } : {}),
  }));
  return unwrap(decode(allocationWork, { kind: 'allocation', budget: 40, max_risk: 12, items }));
}

const allocationRehearsal = (): Rehearsal<AllocationWork> => ({
  goal: 'Which projects fit?',
  work: work(),
  runs: 8,
  verified_every: 2,
});

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
  erasable: ({ items }) => items.some(({ title }) => title !== undefined),
  usesProvider: false,
  needsSandbox: false,
  reference: allocationReference,
};
