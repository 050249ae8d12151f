/** Reads recorded outcomes from the journal. */
import { canonicalJson } from '../../base/canonical-json.js';
import { sha256Hex } from '../../base/hash.js';
import { RefusalError } from '../../base/result.js';
import type { Documents } from '../../codec/event.js';
import type { SimulationRun } from '../../domain/simulation.js';
import { integrityFailure } from '../../journal/position.js';
import { readBlob } from '../../journal/reader.js';
import type { Db } from '../../store/database.js';
import { requireEntry } from '../home/require-entry.js';

/** An outcome in the `blob` table, and what its signed entry says of it. */
export interface OutcomeBlob {
  readonly blob: string;
  readonly outcome_hash: string;
  /** The sequence of the entry. */
  readonly sequence: number;
}

const notSucceeded = ({ id, state, error }: SimulationRun): RefusalError =>
  new RefusalError({
    code: 'wrong_state',
    detail: `run ${id} is ${state}${error === null ? '' : ` (${error.code}: ${error.message})`}; it has no results`,
    facts: { run: id, state, error },
  });

/** Returns the bytes of a blob of a run. @throws RefusalError `integrity` */
export function storedBytes(db: Db, blob: string | undefined, sequence: number): Buffer {
  const bytes = blob === undefined ? null : readBlob(db, blob);
  if (bytes === null) throw integrityFailure('a blob of the run is missing', sequence);
  return bytes;
}

function completionOf(db: Db, run: SimulationRun): Documents['simulation.completed'] {
  if (run.result_seq === 0) throw notSucceeded(run);
  const { event } = requireEntry(db, run.result_seq);
  if (event?.type === 'simulation.completed') return event.document;
  throw integrityFailure('the outcome is not where the run says', run.result_seq);
}

function verified<A extends string | Uint8Array>(outcome: A, outcome_hash: string, sequence: number): A {
  if (sha256Hex(outcome) === outcome_hash) return outcome;
  throw integrityFailure('the outcome does not match its hash', sequence);
}

/** Returns where the outcome is stored; null if it is part of its entry. @throws RefusalError `wrong_state` or `integrity` */
export function outcomeBlob(db: Db, run: SimulationRun): OutcomeBlob | null {
  const { result_blob, outcome_hash } = completionOf(db, run);
  return result_blob === undefined ? null : { blob: result_blob, outcome_hash, sequence: run.result_seq };
}

/** Returns the outcome's bytes, verified against its signed hash. @throws RefusalError `integrity` */
export const outcomeBytes = (db: Db, { blob, outcome_hash, sequence }: OutcomeBlob): Buffer =>
  verified(storedBytes(db, blob, sequence), outcome_hash, sequence);

/**
 * Returns the recorded outcome of a run that succeeded, verified against its signed hash.
 * @throws RefusalError `wrong_state` or `integrity`
 */
export function outcomeText(db: Db, run: SimulationRun): string {
  const { outcome, result_blob, outcome_hash } = completionOf(db, run);
  const sequence = run.result_seq;
  if (outcome !== undefined) return verified(canonicalJson(outcome), outcome_hash, sequence);
  return verified(storedBytes(db, result_blob, sequence).toString('utf8'), outcome_hash, sequence);
}
