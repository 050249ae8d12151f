/** Reads a run's request and outcome from the journal, and builds the results object. */
import { unwrap } from '../../base/result.js';
import type { Documents } from '../../codec/event.js';
import { decode } from '../../codec/kit.js';
import { decodeSettled, type SimulationRequest } from '../../codec/simulation.js';
import { outcomeCodec, type Individual, type SimulationOutcome } from '../../codec/simulation-results.js';
import type { Draws, Results } from '../../codec/api-simulation.js';
import type { SimulationRun } from '../../domain/simulation.js';
import { pace_sigma, slope_sigma } from '../../engines/simulation/draws.js';
import { integrityFailure } from '../../journal/position.js';
import type { Db } from '../../store/database.js';
import { requireEntry } from '../home/require-entry.js';
import { outcomeText, storedBytes } from './stored-outcome.js';

function requestedOf(db: Db, run: SimulationRun): Documents['simulation.requested'] {
  const { event } = requireEntry(db, run.request_seq);
  if (event?.type === 'simulation.requested') return event.document;
  throw integrityFailure('the request is not where the run says', run.request_seq);
}

/** Returns the settled request, the islands' names and the run's name as recorded. @throws RefusalError `integrity` */
export function storedRun(
  db: Db,
  run: SimulationRun,
): { readonly request: SimulationRequest; readonly islands: readonly string[]; readonly name?: string } {
  const { request, request_blob, islands, name } = requestedOf(db, run);
  const value: unknown = request ?? JSON.parse(storedBytes(db, request_blob, run.request_seq).toString('utf8'));
  return { request: unwrap(decodeSettled(value)), islands, ...(name === undefined ? {} : { name }) };
}

export function storedOutcome(db: Db, run: SimulationRun): SimulationOutcome {
  const { request, ...outcome } = unwrap(decode(outcomeCodec, JSON.parse(outcomeText(db, run))));
  return { ...outcome, request: unwrap(decodeSettled(request)) };
}

/** The members of the results object besides those of the outcome. */
export interface ResultsFrame extends Pick<Results, 'id' | 'outcome_hash' | 'created_at' | 'completed_at' | 'journal'> {
  readonly draws?: Draws;
  readonly name?: string;
}

/** Returns the frame of a run's results. */
export function resultsFrame(db: Db, run: SimulationRun): ResultsFrame {
  const { request, name } = storedRun(db, run);
  const draws = drawsOf(request);
  return {
    id: run.id,
    ...(draws === null ? {} : { draws }),
    outcome_hash: run.outcome_hash ?? '',
    ...(name === undefined ? {} : { name }),
    created_at: run.created_at,
    completed_at: run.finished_at ?? run.created_at,
    journal: { seq: run.result_seq, hash: requireEntry(db, run.result_seq).hash },
  };
}

/** Returns the results object of a run that succeeded, with genomes only if requested. */
export function resultsOf(db: Db, run: SimulationRun, { genome = false }: { readonly genome?: boolean } = {}): Results {
  const { forecast, population, ...outcome } = storedOutcome(db, run);
  const { id, ...frame } = resultsFrame(db, run);
  return { id, forecast, population: genome ? population : population.map(withoutGenome), ...outcome, ...frame };
}

const withoutGenome = ({ effectiveness, risk, complexity, rank }: Individual): Omit<Individual, 'genome'> => ({
  effectiveness,
  risk,
  complexity,
  rank,
});

function drawsOf({ samples, curve }: SimulationRequest): Draws | null {
  if (samples === 0) return null;
  const lognormal = (sigma: number) => ({ distribution: 'lognormal', sigma }) as const;
  return { samples, pace: lognormal(pace_sigma), steepness: curve === 'linear' ? null : lognormal(slope_sigma) };
}
