import { type MissionKind, missionManifest } from '../kind.js';
import { engine_id } from './constants.js';
import { scheduleExample } from './example.js';
import { scheduleChart } from './chart.js';
import { scheduleInputs } from './view.js';
import { scheduleReference } from './reference.js';
import { scheduleSize } from './size.js';
import * as t from 'io-ts';
import { figuresOf, saved, type Improvement } from '../improvement.js';
import { finite } from '../view-fields.js';
import type { ScheduleWork } from './work.js';

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
  chart: scheduleChart,
  solver: {
    engine: { ...engine_id, load: async () => (await import('./engine/engine.js')).scheduleEngine },
    verifier: async () => (await import('./verify/verify.js')).verifySchedule,
    isRecomputed: false,
    size: scheduleSize,
  },
  improvement: scheduleImprovement,
  seedIds: ({ jobs }) => jobs.map(({ id }) => id),
  erasable: ({ jobs, machines }) => machines !== undefined || jobs.some(({ title }) => title !== undefined),
  reference: scheduleReference,
};
