/** The shapes of the simulation server's answers, as far as the dashboard reads them; further members are left alone. */
import * as t from 'io-ts';
import { runStates } from '../../../codec/simulation.js';
import { choice } from '../../../codec/kit.js';

const orNull = <A>(codec: t.Type<A, unknown>): t.Type<A | null, unknown> => t.union([codec, t.null]);
const orAbsent = <A>(codec: t.Type<A, unknown>): t.Type<A | undefined, unknown> => t.union([codec, t.undefined]);
const state = choice(...runStates);

const sector = t.type({ name: t.string, energy: t.number, entropy: t.number, growth: t.number });

/** A request with every default. */
export const requestShape = t.type({
  horizon: t.number,
  pop_size: t.number,
  generations: t.number,
  mut_rate: t.number,
  xover_rate: t.number,
  curve: t.string,
  k: orNull(t.number),
  x0: orNull(t.number),
  energy: t.number,
  entropy: t.number,
  num_sectors: t.number,
  seed: t.number,
  samples: t.number,
  sectors: orNull(t.array(sector)),
});

export const runShape = t.type({
  id: t.string,
  state,
  progress: orNull(t.number),
  request: requestShape,
  islands: t.array(t.string),
  runner: t.string,
  attempt: t.number,
  outcome_hash: orNull(t.string),
  error: orNull(t.type({ code: t.string, message: t.string })),
  created_at: t.string,
  started_at: orNull(t.string),
  finished_at: orNull(t.string),
});
export const runPage = t.type({ items: t.array(runShape), next_cursor: orNull(t.string) });
export const startedShape = t.type({ id: t.string });

export const forecastShape = t.type({
  year: t.number,
  capability: t.number,
  affected: t.number,
  p05: orAbsent(t.number),
  p25: orAbsent(t.number),
  p50: orAbsent(t.number),
  p75: orAbsent(t.number),
  p95: orAbsent(t.number),
});

/** Numbers in plenty: one look at each instead of a codec's context for each. */
const isNumbers = (u: unknown): u is readonly number[] => Array.isArray(u) && u.every((x) => typeof x === 'number');
const numbers = new t.Type<readonly number[], readonly number[], unknown>(
  'numbers',
  isNumbers,
  (u, c) => (isNumbers(u) ? t.success(u) : t.failure(u, c, 'must be an array of numbers')),
  t.identity,
);

export const individualShape = t.type({
  effectiveness: t.number,
  risk: t.number,
  complexity: t.number,
  rank: t.number,
  /** There with `?genome=1`. */
  genome: orAbsent(numbers),
});
export const sectorShape = t.type({ name: t.string, disrupted_year: orNull(t.number), energy: numbers });

const spread = t.type({ distribution: t.string, sigma: t.number });
export const resultsShape = t.type({
  id: t.string,
  forecast: t.array(forecastShape),
  population: t.array(individualShape),
  sectors: t.array(sectorShape),
  seed: t.number,
  request: requestShape,
  warnings: t.array(t.string),
  hypervolume: orNull(t.number),
  islands: t.array(t.string),
  engine: t.type({ name: t.string, version: t.string }),
  draws: orAbsent(t.type({ samples: t.number, pace: spread, steepness: orNull(spread) })),
  outcome_hash: t.string,
  created_at: t.string,
  completed_at: t.string,
  journal: t.type({ seq: t.number, hash: t.string }),
});

/** What forecasts of several runs say together, by year. */
export const insightShape = t.type({
  forecast: t.array(t.type({ year: t.number, capability: t.number, runs: t.number, min: t.number, max: t.number })),
});
export const agentsShape = t.type({ agents: t.record(t.string, t.type({ last_beat: t.number, restarts: t.number })) });

/** One message of the progress socket. */
export const progressMessage = t.union([
  t.type({ id: t.string, type: t.literal('year'), year: t.number, affected: t.number }),
  t.type({ id: t.string, type: t.literal('generation'), generation: t.number }),
  t.type({ id: t.string, type: t.literal('ended'), state }),
]);

export type Run = t.TypeOf<typeof runShape>;
export type RunPage = t.TypeOf<typeof runPage>;
export type Request = t.TypeOf<typeof requestShape>;
export type ForecastEntry = t.TypeOf<typeof forecastShape>;
export type Individual = t.TypeOf<typeof individualShape>;
export type SectorPath = t.TypeOf<typeof sectorShape>;
export type Results = t.TypeOf<typeof resultsShape>;
export type Insight = t.TypeOf<typeof insightShape>;
