/** Reads a run's request and outcome from the journal, and builds the results object. */
import { canonicalJson } from '../../base/canonical-json.js';
import { sha256Hex } from '../../base/hash.js';
import { RefusalError, unwrap } from '../../base/result.js';
import type { Documents } from '../../codec/event.js';
import { decode } from '../../codec/kit.js';
import { decodeSettled, type SimulationRequest } from '../../codec/simulation.js';
import { outcomeCodec, type Individual, type SimulationOutcome } from '../../codec/simulation-results.js';
import type { Draws, Results } from '../../codec/api-simulation.js';
import type { SimulationRun } from '../../domain/simulation.js';
import { pace_sigma, slope_sigma } from '../../engines/simulation/draws.js';
import { integrityFailure } from '../../journal/position.js';
import { readBlob } from '../../journal/reader.js';
import type { Db } from '../../store/database.js';
import { requireEntry } from '../home/require-entry.js';

/** Returns the text of a stored value, inline or in a blob. This program wrote both; the hash and the codec check them. */
function storedText(db: Db, inline: unknown, blob: string | undefined, sequence: number): string {
  if (inline !== undefined) return canonicalJson(inline);
  const bytes = blob === undefined ? null : readBlob(db, blob);
  if (bytes === null) throw integrityFailure('a blob of the run is missing', sequence);
  return bytes.toString('utf8');
}

function requestedOf(db: Db, run: SimulationRun): Documents['simulation.requested'] {
  const { event } = requireEntry(db, run.request_seq);
  if (event?.type === 'simulation.requested') return event.document;
  throw integrityFailure('the request is not where the run says', run.request_seq);
}

/** Returns the settled request and the islands' names as recorded. @throws RefusalError `integrity` */
export function storedRun(
  db: Db,
  run: SimulationRun,
): { readonly request: SimulationRequest; readonly islands: readonly string[] } {
  const { request, request_blob, islands } = requestedOf(db, run);
  const value: unknown = JSON.parse(storedText(db, request, request_blob, run.request_seq));
  return { request: unwrap(decodeSettled(value)), islands };
}

const notSucceeded = ({ id, state, error }: SimulationRun): RefusalError =>
  new RefusalError({
    code: 'wrong_state',
    detail: `run ${id} is ${state}${error === null ? '' : ` (${error.code}: ${error.message})`}; it has no results`,
    facts: { run: id, state, error },
  });

/**
 * Returns the recorded outcome of a run that succeeded, verified against its signed hash.
 * @throws RefusalError `wrong_state` or `integrity`
 */
export function outcomeText(db: Db, run: SimulationRun): string {
  if (run.result_seq === 0) throw notSucceeded(run);
  const { event } = requireEntry(db, run.result_seq);
  if (event?.type !== 'simulation.completed') throw integrityFailure('the outcome is not where the run says', run.result_seq);
  const { outcome, result_blob, outcome_hash } = event.document;
  const text = storedText(db, outcome, result_blob, run.result_seq);
  if (sha256Hex(text) !== outcome_hash) throw integrityFailure('the outcome does not match its hash', run.result_seq);
  return text;
}

export function storedOutcome(db: Db, run: SimulationRun): SimulationOutcome {
  const { request, ...outcome } = unwrap(decode(outcomeCodec, JSON.parse(outcomeText(db, run))));
  return { ...outcome, request: unwrap(decodeSettled(request)) };
}

/** The members of the results object besides those of the outcome. */
export interface ResultsFrame extends Pick<Results, 'id' | 'outcome_hash' | 'created_at' | 'completed_at' | 'journal'> {
  readonly draws?: Draws;
}

/** Returns the frame of a run's results. @param request the run's settled request, if it is already read */
export function resultsFrame(db: Db, run: SimulationRun, request = storedRun(db, run).request): ResultsFrame {
  const draws = drawsOf(request);
  return {
    id: run.id,
    ...(draws === null ? {} : { draws }),
    outcome_hash: run.outcome_hash ?? '',
    created_at: run.created_at,
    completed_at: run.finished_at ?? run.created_at,
    journal: { seq: run.result_seq, hash: requireEntry(db, run.result_seq).hash },
  };
}

/** Returns the results object of a run that succeeded, with genomes only if requested. */
export function resultsOf(db: Db, run: SimulationRun, { genome = false }: { readonly genome?: boolean } = {}): Results {
  const { forecast, population, ...outcome } = storedOutcome(db, run);
  const { id, ...frame } = resultsFrame(db, run, outcome.request);
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
