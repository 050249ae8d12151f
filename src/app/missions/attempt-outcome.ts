/** The document that records an attempt's result. */
import { canonicalJson } from '../../base/canonical-json.js';
import type { Documents } from '../../codec/event.js';
import { prepareResult, type PreparedResult } from '../threads/engine-protocol.js';
import type { Answered } from './compute.js';
import type { Leased } from './lease.js';

/** Returns a large result as it is stored, which an engine's thread has prepared, or null for a small one. */
export const preparedOf = ({ result, prepared = prepareResult(canonicalJson(result)) }: Answered): PreparedResult | null =>
  prepared;

/** @param blob the hash of the blob that holds the result, or null for a result within the event */
export const producedOf = (
  { mission, max_evaluations }: Leased,
  answer: Answered,
  warm_start: unknown,
  blob: string | null,
): Documents['mission.produced'] => ({
  state: 'review',
  attempt: mission.attempt,
  ...(blob === null ? { result: answer.result as Readonly<Record<string, unknown>> } : { result_blob: blob }),
  result_hash: answer.result_hash,
  solution: answer.solution,
  warm_start,
  effort: { max_evaluations, iterations: answer.iterations },
  verification: answer.verification,
});
