/** A sweep: one field of a simulation's request over several values, each with the same seeds. Its request, and its record. */
import * as t from 'io-ts';
import {
  page_items_max,
  seed_max,
  simulation_horizon_max,
  simulation_sectors_max,
  sweep_runs_max,
  sweep_seeds_max,
  sweep_values_max,
} from '../base/limits.js';
import {
  choice,
  described,
  integer,
  list,
  mapOf,
  nullable,
  number,
  object,
  optional,
  required,
  requiredFor,
  text,
  withDefault,
} from './kit.js';
import { time } from './scalars.js';
import { runId, runName, runState, runStates, settledRequest, simulationInput } from './simulation.js';

/** The fields that a sweep may vary: those on which the outcome depends, beside the seed. */
export const sweepFields = [
  'horizon',
  'k',
  'x0',
  'energy',
  'entropy',
  'pop_size',
  'generations',
  'mut_rate',
  'xover_rate',
  'num_sectors',
] as const;
export type SweepField = (typeof sweepFields)[number];
export const sweepField = choice(...sweepFields);

export const sweepStates = ['running', 'completed', 'cancelled'] as const;
export const sweepState = choice(...sweepStates);

const finite = number(-Number.MAX_VALUE, Number.MAX_VALUE);
export const sweepValues = list(finite, 1, sweep_values_max);
export const sweepSeeds = list(integer(0, seed_max), 1, sweep_seeds_max);

const bodyFields = {
  name: described('The name that people give the sweep', optional(runName)),
  field: described('The field that is varied', required(sweepField)),
  values: described('Its values; or else from, to and step', optional(sweepValues)),
  from: described('The first value', optional(finite)),
  to: described('The last value, or a bound of it', optional(finite)),
  step: described('The distance of two values, above 0', optional(finite)),
  seeds: described(
    'Runs of each value: the seed of the request, or a drawn one, and those after it',
    withDefault(integer(1, sweep_seeds_max), 1),
  ),
};
const own_request = 'The request of every run, without the field';

/** The body of a request for a sweep. Its request is decoded with each value, so that its faults are those of a run. */
export const sweepBody = object('SweepRequest', {
  ...bodyFields,
  request: withDefault<Readonly<Record<string, unknown>>>(mapOf(t.unknown), {}),
});
export type SweepBody = t.TypeOf<typeof sweepBody>;
/** The same for the OpenAPI document. */
export const sweepBodyShape = object('SweepRequest', {
  ...bodyFields,
  request: described(own_request, optional(simulationInput)),
});

export const sweepCreated = object('SweepCreated', { id: required(runId) });

const summary = {
  id: required(runId),
  name: optional(runName),
  state: required(sweepState),
  field: required(sweepField),
  values: required(sweepValues),
  seeds: required(sweepSeeds),
  created_at: required(time),
  finished_at: required(nullable(time)),
};
export const sweepSummary = object('SweepSummary', summary);
export type SweepSummary = t.TypeOf<typeof sweepSummary>;

export const sweepPage = object('SweepPage', {
  items: required(list(sweepSummary, 0, page_items_max)),
  next_cursor: required(nullable(text())),
});
export type SweepPage = t.TypeOf<typeof sweepPage>;

export const sweepMeasures = ['affected', 'effectiveness', 'hypervolume'] as const;
export type SweepMeasure = (typeof sweepMeasures)[number];

const sweepRun = object('SweepRun', {
  id: required(runId),
  seed: required(integer(0, seed_max)),
  state: required(runState),
  /** Null unless the run succeeded; the hypervolume also where the run has none. */
  ...requiredFor(sweepMeasures, nullable(finite)),
});
export type SweepRun = t.TypeOf<typeof sweepRun>;

const spread = object('Spread', { mean: required(finite), min: required(finite), max: required(finite) });
export type Spread = t.TypeOf<typeof spread>;

const sweepPoint = object('SweepPoint', {
  value: required(finite),
  /** The same for every seed; empty until a run has succeeded. */
  forecast: required(
    list(
      object('SweepYear', {
        year: required(integer(1, simulation_horizon_max)),
        capability: required(number(0, 1)),
        affected: required(integer(0, simulation_sectors_max)),
      }),
      0,
      simulation_horizon_max,
    ),
  ),
  /** Over the runs that succeeded; null without any. */
  ...requiredFor(sweepMeasures, nullable(spread)),
  runs: required(list(sweepRun, 1, sweep_seeds_max)),
});
export type SweepPoint = t.TypeOf<typeof sweepPoint>;

/** Returns whether a value has two measured runs, without which nothing is known of the variance within a value. */
export const isRepeated = (points: readonly SweepPoint[], measure: SweepMeasure): boolean =>
  points.some(({ runs }) => runs.filter((run) => run[measure] !== null).length > 1);

const sensitivity = object('Sensitivity', {
  measure: required(choice(...sweepMeasures)),
  /** Least-squares slope of the means over the values; null for fewer than two values, and beyond the largest double. */
  slope: required(nullable(finite)),
  /** The share of the variance over all runs that the field explains (correlation ratio η²); null where nothing varies, or no value has two measured runs. */
  explained: required(nullable(number(0, 1))),
});
export type Sensitivity = t.TypeOf<typeof sensitivity>;

export const sweepRecord = object('Sweep', {
  ...summary,
  /** The request of the first run. */
  request: required(settledRequest),
  progress: required(number(0, 1)),
  counts: required(object('SweepCounts', requiredFor(runStates, integer(0, sweep_runs_max)))),
  points: required(list(sweepPoint, 1, sweep_values_max)),
  sensitivity: required(list(sensitivity, sweepMeasures.length, sweepMeasures.length)),
});
export type SweepRecord = t.TypeOf<typeof sweepRecord>;
