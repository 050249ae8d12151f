/**
 * A simulation's request: its fields with every default and bound. Nothing is coerced. The settled request has every member, so that
 * it determines what was computed.
 */
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import {
  seed_max,
  sector_name_chars_max,
  simulation_name_chars_max,
  simulation_amount_max,
  simulation_generations_max,
  simulation_genes_max,
  simulation_growth_max,
  simulation_growth_min,
  simulation_horizon_max,
  simulation_population_max,
  simulation_population_min,
  simulation_samples_max,
  simulation_samples_min,
  simulation_spread_max,
  simulation_sectors_max,
  simulation_work_max,
} from '../base/limits.js';
import type { FieldError, Result } from '../base/refusal.js';
import { canonicalOf } from './canonical.js';
import {
  choice,
  decode,
  described,
  EitherType,
  integer,
  list,
  nullable,
  number,
  object,
  optional,
  required,
  text,
  withDefault,
  refined,
} from './kit.js';
import { isObject } from './faults.js';
import type { Members } from './field.js';

export const curves = ['logistic', 'linear', 'exponential'] as const;
export type Curve = (typeof curves)[number];

const share = number(0, 1);
const amount = number(0, simulation_amount_max);
const finite = number(-Number.MAX_VALUE, Number.MAX_VALUE);
const sectorName = text({ min: 1, max: sector_name_chars_max });

export const sectorObject = object('Sector', {
  name: required(sectorName),
  energy: withDefault(amount, 1),
  entropy: withDefault(amount, 1),
  growth: withDefault(number(simulation_growth_min, simulation_growth_max), 0.05),
});
export type Sector = t.TypeOf<typeof sectorObject>;

/** A sector as a name or as an object; errors are those of the form that was given. */
class SectorType extends EitherType<string, Sector> {
  override readonly validate: t.Validate<unknown, string | Sector> = (u, c) =>
    typeof u === 'string'
      ? this.first.validate(u, c)
      : isObject(u)
        ? this.second.validate(u, c)
        : t.failure(u, c, 'must be a name or an object');
}

const fields = {
  horizon: described('The years that are forecast', withDefault(integer(1, simulation_horizon_max), 5)),
  pop_size: described(
    'Individuals of a generation; times the number of sectors at most 1 000 000',
    withDefault(integer(simulation_population_min, simulation_population_max), 6),
  ),
  generations: described(
    'Steps of the search; pop_size × generations × sectors × horizon is at most 10^10',
    withDefault(integer(1, simulation_generations_max), 3),
  ),
  mut_rate: described('The probability that a gene mutates', withDefault(share, 0.1)),
  xover_rate: described('The probability that a pair is crossed', withDefault(share, 0.5)),
  curve: described('How capability grows', withDefault<Curve>(choice(...curves), 'logistic')),
  k: described("The curve's steepness; null and 0 mean its default", withDefault<number | null>(nullable(finite), null)),
  x0: described(
    "The curve's midpoint as a share of the horizon; null means its default",
    withDefault<number | null>(nullable(finite), null),
  ),
  energy: described('The energy of each generated sector at the start', withDefault(amount, 1)),
  entropy: described('The entropy of each generated sector, which capability turns against it', withDefault(amount, 1)),
  num_sectors: described(
    'How many sectors are generated where `sectors` is null',
    withDefault(integer(1, simulation_sectors_max), 6),
  ),
  seed: described('Determines every random draw; drawn and returned when absent', optional(integer(0, seed_max))),
  samples: described(
    'Draws for the quantiles of capability: 0, or at least 20',
    withDefault(integer(0, simulation_samples_max), 0),
  ),
  /** Absent means 1. */
  spread: described('A factor on how much the draws vary the curve; 1 when absent', optional(number(0, simulation_spread_max))),
  sectors: described(
    'Names or objects with different names; null and an empty list mean generated sectors',
    withDefault<readonly (string | Sector)[] | null>(
      nullable(list(new SectorType(sectorName, sectorObject), 0, simulation_sectors_max)),
      null,
    ),
  ),
};
export type SimulationInput = Members<typeof fields>;

/** The request as a client sends it; `{}` is valid. The OpenAPI document is made from it. */
export const simulationInput = object('SimulationRequest', fields, faultsOf);

/** The name that people give a run. It is not part of the request, so it is in no hash of a request or an outcome. */
export const runName = text({ min: 1, max: simulation_name_chars_max, notBlank: true, isLine: true });

/** The body of a request for a run: the request, and the run's name. */
export const simulationBody = object(
  'SimulationBody',
  { ...fields, name: described('The name that people give the run', optional(runName)) },
  faultsOf,
);

/** A request with every default filled in: this form is recorded, hashed and computed. */
export interface SimulationRequest extends Omit<SimulationInput, 'seed' | 'sectors'> {
  readonly seed: number;
  readonly sectors: readonly Sector[] | null;
}

const nameOf = (sector: string | Sector): string => (typeof sector === 'string' ? sector : sector.name);

function faultsOf({ samples, sectors, num_sectors, pop_size, generations, horizon }: SimulationInput): FieldError[] {
  if (samples > 0 && samples < simulation_samples_min)
    return [{ path: 'samples', message: `must be 0, or from ${simulation_samples_min} to ${simulation_samples_max}` }];
  const seen = new Set<string>();
  for (const [i, sector] of (sectors ?? []).entries()) {
    const name = nameOf(sector);
    if (seen.has(name))
      return [{ path: `sectors[${i}]${typeof sector === 'string' ? '' : '.name'}`, message: 'names a sector twice' }];
    seen.add(name);
  }
  const count = sectors === null || sectors.length === 0 ? num_sectors : sectors.length;
  if (pop_size * count > simulation_genes_max)
    return [{ path: 'pop_size', message: `times ${count} sectors is more than ${simulation_genes_max}` }];
  const work = pop_size * generations * count * horizon;
  if (work <= simulation_work_max) return [];
  return [
    { path: 'generations', message: `pop_size × generations × sectors × horizon is ${work}, more than ${simulation_work_max}` },
  ];
}

/** Returns the settled form of an input, with `seed` when the input has none. k = 0 and an empty list of sectors count as absent. */
export function settled({ sectors, k, ...input }: SimulationInput, seed: number): SimulationRequest {
  const named = (sectors ?? []).map((sector) =>
    typeof sector === 'string' ? { name: sector, energy: 1, entropy: 1, growth: 0.05 } : sector,
  );
  return { ...input, k: k === 0 ? null : k, seed: input.seed ?? seed, sectors: named.length === 0 ? null : named };
}

/** Returns the form of a settled request that is recorded and hashed. */
export const canonicalRequest = (request: SimulationRequest): Readonly<Record<string, unknown>> =>
  canonicalOf(simulationInput, request);

/** Decodes a settled request; refuses one without a seed. */
export const settledRequest = refined(simulationInput, (input): Result<SimulationRequest> => {
  const { seed } = input;
  if (seed !== undefined) return E.right(settled(input, seed));
  return E.left({ code: 'invalid', detail: 'seed: required', errors: [{ path: 'seed', message: 'required' }] });
});

export const decodeSettled = (value: unknown): Result<SimulationRequest> => decode(settledRequest, value);

export const runStates = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const;
export type RunState = (typeof runStates)[number];
export const runState = choice(...runStates);
/** The process that executes a run: a command that waits for it, or the daemon, which has a queue. */
export const runners = ['command', 'daemon'] as const;
export type Runner = (typeof runners)[number];

export const runId = text({ pattern: /^[0-9a-f]{16}$/ });
export const isRunId = (id: string): boolean => /^[0-9a-f]{16}$/.test(id);
