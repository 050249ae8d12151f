/** Finding a run's request and outcome in the journal, and the results object that is shown. */
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

/** A stored value: inline, or the blob's text. Both are our own writing; the hash and the codec check it. */
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

/** The settled request and the islands' names, as they were recorded. @throws RefusalError `integrity` */
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

/** The recorded text of a run that succeeded, which matches its signed hash. @throws RefusalError `wrong_state` or `integrity` */
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

/** What the results object says beside the outcome's own members. */
export interface ResultsFrame extends Pick<Results, 'id' | 'outcome_hash' | 'created_at' | 'completed_at' | 'journal'> {
  readonly draws?: Draws;
}

/** @param request the run's settled request, where it is at hand */
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

/** The results object of a run that succeeded, genomes only where they are asked for. */
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
