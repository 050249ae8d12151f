/** A mission's request: the file that an operator writes and the body that the API takes. Defaults are filled in by decoding. */
import * as t from 'io-ts';
import * as limits from '../base/limits.js';
import type { FieldError } from '../base/refusal.js';
import { choice, either, integer, list, number, object, optional, required, tagged, text, withDefault } from '../codec/kit.js';

export const idPattern = /^[A-Za-z0-9_-]{1,64}$/;
export const id = text({ pattern: idPattern });
export const unit = text({ min: 1, max: limits.unit_chars_max, notBlank: true });

const source = object('Source', {
  id: required(id),
  title: required(text({ min: 1, max: limits.source_title_chars_max })),
  text: required(text({ min: 1, max: limits.source_text_chars_max })),
  url: withDefault(text({ max: limits.url_chars_max }), ''),
});

const research = object(
  'Research',
  { kind: required(choice('research')), sources: required(list(source, 1, limits.sources_max)) },
  (work) => duplicates('sources', work.sources),
);

const item = object('Item', {
  id: required(id),
  cost: required(number(1, limits.item_cost_max)),
  value: required(number(0, limits.item_value_max)),
  risk: withDefault(number(0, limits.item_risk_max), 0),
  group: optional(id),
  requires: optional(list(id, 0, limits.item_links_max)),
  excludes: optional(list(id, 0, limits.item_links_max)),
});

const allocation = object(
  'Allocation',
  {
    kind: required(choice('allocation')),
    items: required(list(item, 1, limits.items_max)),
    budget: required(number(1, limits.budget_max)),
    max_risk: optional(number(0, limits.max_risk_max)),
    unit: withDefault(unit, 'planning units'),
  },
  (work) => [...duplicates('items', work.items), ...links(work.items)],
);

const operation = object('Operation', {
  machine: required(id),
  duration: required(integer(1, limits.duration_max)),
});

const job = object('Job', {
  id: required(id),
  operations: required(list(operation, 1, limits.operations_per_job_max)),
  release: withDefault(integer(0, limits.schedule_time_max), 0),
  due: optional(integer(0, limits.schedule_time_max)),
  weight: withDefault(integer(0, limits.weight_max), 1),
});

const schedule = object(
  'Schedule',
  {
    kind: required(choice('schedule')),
    jobs: required(list(job, 1, limits.jobs_max)),
    objective: withDefault(choice('makespan', 'weighted_tardiness'), 'makespan'),
    unit: withDefault(unit, 'minutes'),
  },
  (work) => {
    const operations = work.jobs.reduce((sum, j) => sum + j.operations.length, 0);
    const errors = [...duplicates('jobs', work.jobs)];
    if (operations > limits.operations_max) {
      errors.push({ path: 'jobs', message: `has ${operations} operations in all, at most ${limits.operations_max} are allowed` });
    }
    if (work.objective === 'weighted_tardiness' && work.jobs.every((j) => j.due === undefined)) {
      errors.push({ path: 'objective', message: 'weighted_tardiness needs at least one job with a due date' });
    }
    return errors;
  },
);

const season = integer(1, limits.season_max);

const forecast = object(
  'Forecast',
  {
    kind: required(choice('forecast')),
    observations: required(
      list(number(-limits.observation_abs_max, limits.observation_abs_max), limits.observations_min, limits.observations_max),
    ),
    horizon: withDefault(integer(1, limits.horizon_max), 3),
    holdout: withDefault(integer(limits.holdout_min, limits.holdout_max), 4),
    season: withDefault(either(choice('auto'), season), 1),
    seasons: optional(list(season, 1, limits.seasons_max)),
    levels: withDefault(list(integer(1, 99), 1, limits.levels_max), [50, 80, 95]),
    unit: withDefault(unit, 'units'),
  },
  (work) => {
    const errors: FieldError[] = [];
    const train = work.observations.length - work.holdout;
    if (work.holdout * 3 > work.observations.length) {
      errors.push({ path: 'holdout', message: `must be at most a third of the ${work.observations.length} observations` });
    }
    const tooLong = (length: number): boolean => length > 1 && length * 2 > train;
    if (work.season !== 'auto' && tooLong(work.season)) {
      errors.push({ path: 'season', message: `needs two full seasons in the ${train} training observations` });
    }
    (work.seasons ?? []).forEach((length, i) => {
      if (tooLong(length))
        errors.push({ path: `seasons[${i}]`, message: `needs two full seasons in the ${train} training observations` });
    });
    if (new Set(work.levels).size < work.levels.length) errors.push({ path: 'levels', message: 'must be distinct' });
    return errors;
  },
);

const benchmarkCase = object('Case', {
  args: required(list(t.unknown, 0, limits.code_args_max)),
  expected: required(t.unknown),
});

const code = object('Code', {
  kind: required(choice('code')),
  language: withDefault(choice('python', 'javascript'), 'python'),
  examples: withDefault(list(benchmarkCase, 0, limits.code_examples_max), []),
  heldout: required(list(benchmarkCase, 1, limits.code_heldout_max)),
  candidate: withDefault(text({ max: limits.candidate_chars_max }), ''),
});

export const workCodec = tagged('Work', 'kind', { research, allocation, schedule, forecast, code });

export const missionRequest = object('Mission', {
  goal: required(text({ min: limits.goal_chars_min, max: limits.goal_chars_max, notBlank: true })),
  work: required(workCodec),
  seed: withDefault(integer(0, limits.seed_max), 42),
  population: withDefault(integer(limits.population_min, limits.population_max), 20),
  generations: withDefault(integer(1, limits.generations_max), 12),
});

export type ResearchWork = t.TypeOf<typeof research>;
export type AllocationWork = t.TypeOf<typeof allocation>;
export type ScheduleWork = t.TypeOf<typeof schedule>;
export type ForecastWork = t.TypeOf<typeof forecast>;
export type CodeWork = t.TypeOf<typeof code>;
export type Work = t.TypeOf<typeof workCodec>;
export type MissionRequest = t.TypeOf<typeof missionRequest>;

function duplicates(path: string, entries: readonly { readonly id: string }[]): FieldError[] {
  const seen = new Set<string>();
  const errors: FieldError[] = [];
  entries.forEach((entry, i) => {
    if (seen.has(entry.id)) errors.push({ path: `${path}[${i}].id`, message: 'is used twice in this mission' });
    seen.add(entry.id);
  });
  return errors;
}

interface Linked {
  readonly id: string;
  readonly requires?: readonly string[];
  readonly excludes?: readonly string[];
}

function links(items: readonly Linked[]): FieldError[] {
  const known = new Set(items.map((entry) => entry.id));
  const errors: FieldError[] = [];
  items.forEach((entry, i) => {
    for (const member of ['requires', 'excludes'] as const) {
      (entry[member] ?? []).forEach((other, k) => {
        const path = `items[${i}].${member}[${k}]`;
        if (!known.has(other)) errors.push({ path, message: 'names no item of this mission' });
        else if (other === entry.id) errors.push({ path, message: 'names the item itself' });
      });
    }
  });
  return errors;
}
