/** Requests and responses of the simulation's HTTP API, except for the request of a run itself. */
import type * as t from 'io-ts';
import {
  page_items_max,
  workers_listed_max,
  idempotency_key_chars_max,
  insight_curves_max,
  insight_ids_max,
  insight_id_chars_max,
  simulation_attempts_max,
  simulation_generations_max,
  simulation_horizon_max,
  simulation_population_max,
  simulation_name_chars_max,
  simulation_sectors_max,
} from '../base/limits.js';
import { problemCodec } from './api-problem.js';
import {
  requiredFor,
  choice,
  flag,
  integer,
  list,
  nullable,
  number,
  object,
  optional,
  required,
  text,
  withDefault,
  tagged,
} from './kit.js';
import { roles } from './roles.js';
import { islandNames, runError } from './events/simulation.js';
import { workerState } from './jobs.js';
import { forecastEntry, individual as recordedIndividual, outcomeCodec } from './simulation-results.js';
import { runId, runName, runners, runState, settledRequest } from './simulation.js';
import { hash, sequence, time } from './scalars.js';

const share = number(0, 1);
const positive = number(0, Number.MAX_VALUE);

/** Accepts any text: a text that is not an id names no run. */
export const runParams = object('RunParams', { id: required(text()) });
export const genomeQuery = object('GenomeQuery', { genome: optional(choice('0', '1')) });
export const keyHeaders = object('KeyHeaders', {
  'idempotency-key': optional(text({ min: 1, max: idempotency_key_chars_max })),
});
export const simulateHeaders = object('SimulateHeaders', {
  ...keyHeaders.fields,
  /** Preferences of RFC 7240, of which `wait` is followed. */
  prefer: optional(text()),
});

/** The response to a request for a run. */
export const createdCodec = object('SimulationCreated', {
  id: required(runId),
  /** Present where the request had `Prefer: wait=…`: the state after that time, or after the end. */
  state: optional(runState),
});

const individual = object('Individual', {
  ...recordedIndividual.fields,
  /** One gene per sector; present with `genome=1`. */
  genome: optional(list(share, 1, simulation_sectors_max)),
});
/** Without its genome unless that is asked for. */
export type ListedIndividual = t.TypeOf<typeof individual>;
export const populationCodec = list(individual, 1, simulation_population_max);

export type Population = t.TypeOf<typeof populationCodec>;

const { request: _request, population: _population, forecast: _forecast, ...outcomeFields } = outcomeCodec.fields;
const lognormal = object('Lognormal', { distribution: required(choice('lognormal')), sigma: required(positive) });

/** How the draws behind the quantiles vary the curve. */
const draws = object('Draws', {
  samples: required(sequence),
  /** Time is multiplied by e^(sigma·z). */
  pace: required(lognormal),
  /** k is multiplied by e^(sigma·z'); null where k does not apply. */
  steepness: required(nullable(lognormal)),
});
export type Draws = t.TypeOf<typeof draws>;

export const resultsCodec = object('SimulationResults', {
  id: required(runId),
  forecast: required(list(forecastEntry, 1, simulation_horizon_max)),
  population: required(populationCodec),
  ...outcomeFields,
  request: required(settledRequest),
  /** Present with samples. */
  draws: optional(draws),
  outcome_hash: required(hash),
  created_at: required(time),
  completed_at: required(time),
  journal: required(object('JournalEntry', { seq: required(sequence), hash: required(hash) })),
});
export type Results = t.TypeOf<typeof resultsCodec>;

export const insightBody = object('InsightRequest', {
  ids: withDefault<readonly string[] | null>(nullable(list(text({ max: insight_id_chars_max }), 0, insight_ids_max)), null),
  /** Whether the response carries the curves of single runs. */
  curves: withDefault(flag, false),
});

const insightEntry = object('InsightEntry', {
  year: required(integer(1, simulation_horizon_max)),
  /** The mean over the runs that reach this year. */
  capability: required(share),
  runs: required(sequence),
  min: required(share),
  max: required(share),
});
export type InsightEntry = t.TypeOf<typeof insightEntry>;

const insightCurve = object('InsightCurve', {
  id: required(runId),
  /** The capability of each year, from year 1 to the last of the run. */
  capability: required(list(share, 1, simulation_horizon_max)),
});
export type InsightCurve = t.TypeOf<typeof insightCurve>;

export const insightCodec = object('Insight', {
  forecast: required(list(insightEntry, 1, simulation_horizon_max)),
  /** Present if asked for: the first runs among those that contribute, the newest first unless ids name their order. */
  curves: optional(list(insightCurve, 0, insight_curves_max)),
});
export type Insight = t.TypeOf<typeof insightCodec>;

/** The body of a request to rename a run; null takes the name away. */
export const runChange = object('RunChange', { name: required(nullable(runName)) });

export const runListQuery = object('RunListQuery', {
  state: optional(runState),
  sweep: optional(text({ pattern: /^(?:none|[0-9a-f]{16})$/ })),
  search: optional(text({ min: 1, max: simulation_name_chars_max })),
  cursor: optional(text({ pattern: /^[1-9][0-9]{0,15}$/ })),
});

const runOutcome = object('RunOutcome', {
  /** In the last year. */
  capability: required(share),
  /** How many sectors are disrupted by then, of how many. */
  disrupted: required(integer(0, simulation_sectors_max)),
  sectors: required(integer(1, simulation_sectors_max)),
});
export type RunOutcome = t.TypeOf<typeof runOutcome>;

export const runRecordCodec = object('Run', {
  id: required(runId),
  /** Absent without one. */
  name: optional(runName),
  /** The interrupted run that this one stands for; absent for any other. */
  replaces: optional(runId),
  /** The sweep of which it is a run. */
  sweep: optional(runId),
  state: required(runState),
  progress: required(share),
  /** Its place in the daemon's run queue, from 1; absent unless it waits there. */
  queue_position: optional(sequence),
  /** An estimate from the progress so far, in seconds; absent while there is too little of it. */
  remaining_s: optional(positive),
  /** The end of the forecast; null unless the run succeeded. */
  outcome: required(nullable(runOutcome)),
  request: required(settledRequest),
  islands: required(islandNames),
  runner: required(choice(...runners)),
  attempt: required(integer(0, simulation_attempts_max)),
  lease_expires_at: required(nullable(time)),
  outcome_hash: required(nullable(hash)),
  error: required(nullable(runError)),
  created_at: required(time),
  started_at: required(nullable(time)),
  finished_at: required(nullable(time)),
  revision: required(sequence),
});
export type Run = t.TypeOf<typeof runRecordCodec>;

export const runPageCodec = object('RunPage', {
  items: required(list(runRecordCodec, 0, page_items_max)),
  next_cursor: required(nullable(text())),
});
export type RunPage = t.TypeOf<typeof runPageCodec>;

const agentBeat = object('AgentBeat', {
  /** Unix seconds. */
  last_beat: required(positive),
  restarts: required(integer(0, Number.MAX_SAFE_INTEGER)),
});

export type AgentBeat = t.TypeOf<typeof agentBeat>;

export const agentsCodec = object('AgentsStatus', {
  agents: required(object('Agents', requiredFor(roles, agentBeat))),
  /** The workers of the queues of islands, or of missions; absent while no queue is in use. */
  workers: optional(list(workerState, 0, workers_listed_max)),
});

/** A problem, with what the simulation's server adds to it. */
export const simulationProblem = object('Problem', {
  ...problemCodec.fields,
  /** The state of a run without results, and the reason why it has none. */
  state: optional(runState),
  progress: optional(number(0, 1)),
  reason: optional(text()),
  error: optional(nullable(runError)),
});

/** One message of the progress socket with `format=json`. */
export const progressMessage = tagged('ProgressMessage', 'type', {
  year: object('YearProgress', {
    id: required(runId),
    type: required(choice('year')),
    year: required(integer(1, simulation_horizon_max)),
    affected: required(integer(0, simulation_sectors_max)),
  }),
  generation: object('GenerationProgress', {
    id: required(runId),
    type: required(choice('generation')),
    generation: required(integer(1, simulation_generations_max)),
  }),
  ended: object('EndedProgress', { id: required(runId), type: required(choice('ended')), state: required(runState) }),
});
export type ProgressMessage = t.TypeOf<typeof progressMessage>;

export const genomeWanted = (query: { readonly genome?: '0' | '1' | undefined }): boolean => query.genome === '1';
