/** What the simulation's HTTP interface takes and answers, beside the request of a run itself. */
import { page_items_max } from '../base/limits.js';
import {
  idempotency_key_chars_max,
  insight_ids_max,
  insight_id_chars_max,
  simulation_attempts_max,
  simulation_horizon_max,
  simulation_population_max,
  simulation_sectors_max,
} from '../base/simulation-limits.js';
import { timePattern } from '../base/time.js';
import { roles } from './roles.js';
import { choice, integer, list, nullable, number, object, optional, required, text, withDefault } from './kit.js';
import { islandNames, runError } from './events/simulation.js';
import { forecastEntry, outcomeCodec, sectorPath } from './simulation-results.js';
import { runId, runners, runState, simulationInput } from './simulation.js';
import { hash, sequence } from './scalars.js';

const time = text({ pattern: timePattern });
const share = number(0, 1);
const finite = number(-Number.MAX_VALUE, Number.MAX_VALUE);
const positive = number(0, Number.MAX_VALUE);

/** Whatever stands in the path: what is no run's id is no run. */
export const runParams = object('RunParams', { id: required(text()) });
export const genomeQuery = object('GenomeQuery', { genome: optional(choice('0', '1')) });
export const simulateHeaders = object('SimulateHeaders', {
  'idempotency-key': optional(text({ min: 1, max: idempotency_key_chars_max })),
});

export const createdCodec = object('SimulationCreated', { id: required(runId) });

const individual = object('Individual', {
  effectiveness: required(finite),
  risk: required(finite),
  complexity: required(finite),
  /** 0 is the non-dominated front. */
  rank: required(integer(0, simulation_population_max)),
  /** Where it was asked for: one gene a sector. */
  genome: optional(list(share, 1, simulation_sectors_max)),
});
export const populationCodec = list(individual, 1, simulation_population_max);

const { request: _request, population: _population, forecast: _forecast, ...outcomeFields } = outcomeCodec.fields;
const lognormal = object('Lognormal', { distribution: required(choice('lognormal')), sigma: required(positive) });

export const resultsCodec = object('SimulationResults', {
  id: required(runId),
  forecast: required(list(forecastEntry, 1, simulation_horizon_max)),
  population: required(populationCodec),
  ...outcomeFields,
  sectors: required(list(sectorPath, 1, simulation_sectors_max)),
  request: required(simulationInput),
  draws: optional(
    object('Draws', {
      samples: required(sequence),
      pace: required(lognormal),
      steepness: required(nullable(lognormal)),
    }),
  ),
  outcome_hash: required(hash),
  created_at: required(time),
  completed_at: required(time),
  journal: required(object('JournalEntry', { seq: required(sequence), hash: required(hash) })),
});

export const insightBody = object('InsightRequest', {
  ids: withDefault<readonly string[] | null>(nullable(list(text({ max: insight_id_chars_max }), 0, insight_ids_max)), null),
});

export const insightCodec = object('Insight', {
  forecast: required(
    list(
      object('InsightEntry', {
        year: required(integer(1, simulation_horizon_max)),
        /** The mean over the runs that reach this year. */
        capability: required(share),
        runs: required(sequence),
        min: required(share),
        max: required(share),
      }),
      1,
      simulation_horizon_max,
    ),
  ),
});

export const runListQuery = object('RunListQuery', {
  state: optional(runState),
  cursor: optional(text({ pattern: /^[1-9][0-9]{0,15}$/ })),
});

export const runRecordCodec = object('Run', {
  id: required(runId),
  state: required(runState),
  progress: required(share),
  request: required(simulationInput),
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

export const runPageCodec = object('RunPage', {
  items: required(list(runRecordCodec, 0, page_items_max)),
  next_cursor: required(nullable(text())),
});

const agentBeat = object('AgentBeat', {
  /** Unix seconds. */
  last_beat: required(positive),
  restarts: required(integer(0, Number.MAX_SAFE_INTEGER)),
});

export const agentsCodec = object('AgentsStatus', {
  agents: required(object('Agents', Object.fromEntries(roles.map((role) => [role, required(agentBeat)])))),
});

export const genomeWanted = (query: { readonly genome?: '0' | '1' | undefined }): boolean => query.genome === '1';
