import { type MissionKind, missionManifest } from '../kind.js';
import { engine_id } from './constants.js';
import { scheduleExample } from './example.js';
import { schedulePicture } from './picture.js';
import { scheduleInputs } from './view.js';
import { scheduleReference } from './reference.js';
import { scheduleSize } from './size.js';
import * as t from 'io-ts';
import { figuresOf, saved, type Improvement } from '../improvement.js';
import { finite } from '../view-fields.js';
import { type ScheduleWork, scheduleWork } from './work.js';
import { unwrap } from '../../base/result.js';
import { decode } from '../../codec/kit.js';
import type { Rehearsal } from '../rehearsal.js';

// The mission that an idle thread runs ahead of its first schedule mission.

const jobs_count = 12;
const machines_count = 6;

/** Returns a shop of which no bound is reached at once, so that the engine searches. */
function work(): ScheduleWork {
  const machineOf = (j: number, m: number): number => (m * (j % 2 === 1 ? 1 : machines_count - 1) + j * 3) % machines_count;
  const operationsOf = (j: number): unknown[] =>
    Array.from({ length: machines_count }, (_, m) => ({
      machine: `m${machineOf(j, m)}`,
      duration: 5 + ((j * 17 + m * 29) % 37),
    }));
  const jobs = Array.from({ length: jobs_count }, (_, j) => ({
    id: `j${j}`,
    due: 40 + 7 * j,
    weight: 1 + (j % 3),
    operations: operationsOf(j),
  }));
  return unwrap(decode(scheduleWork, { kind: 'schedule', jobs }));
}

const scheduleRehearsal = (): Rehearsal<ScheduleWork> => ({
  goal: 'Which job goes first?',
  work: work(),
  max_evaluations: 10,
  runs: 10,
  verified_every: 2,
});

const figures = t.type({ makespan: finite, tardiness: finite, baseline: finite });

/** Returns what the schedule saves of the dispatching rule's makespan, or of its weighted tardiness when that is the objective. */
function scheduleImprovement({ objective, unit }: ScheduleWork, result: unknown): Improvement {
  const { makespan, tardiness, baseline } = figuresOf(figures, result);
  return objective === 'makespan' ? saved(baseline, makespan, unit) : saved(baseline, tardiness, `${unit} × weight`);
}

export const scheduleKind: MissionKind<'schedule'> = {
  kind: 'schedule',
  manifest: missionManifest('schedule', 'Schedule mission', 'Plans jobs on machines, with a proven lower bound.'),
  example: scheduleExample,
  inputs: scheduleInputs,
  picture: schedulePicture,
  solver: {
    engine: { ...engine_id, load: async () => (await import('./engine/engine.js')).scheduleEngine },
    verifier: async () => (await import('./verify/verify.js')).verifySchedule,
    isRecomputed: false,
    size: scheduleSize,
    rehearsal: scheduleRehearsal,
  },
  improvement: scheduleImprovement,
  seedIds: ({ jobs }) => jobs.map(({ id }) => id),
  erasable: ({ jobs, machines }) => machines !== undefined || jobs.some(({ title }) => title !== undefined),
  usesProvider: false,
  needsSandbox: false,
  reference: scheduleReference,
};
