/** Creates a run, and verifies one by creating it again. */
import * as E from 'fp-ts/lib/Either.js';
import { canonicalJson } from '../../base/canonical-json.js';
import { ok, type Refusal, refuse, type Result } from '../../base/refusal.js';
import { runSchema, timingSource, type TransferCore, type TransferRun } from '../../codec/transfer-run.js';
import { digestOf } from '../../codec/transfer-text.js';
import type { TransferSpec } from '../../codec/transfer.js';
import { compute_passes, computeCore } from './compute.js';
import { firstDifference } from './difference.js';
import { outcomeOf, type Outcome } from './outcome.js';
import { standardWords, wordsOf } from './words.js';

export const experiment = (spec: TransferSpec): Result<TransferCore> => computeCore(spec, standardWords);

/** Returns the report of an experiment that was computed twice, in `wall_ms`; without a review. */
export function reportOf(spec: TransferSpec, core: TransferCore, wall_ms: number): TransferRun {
  const body = {
    schema: runSchema,
    spec,
    core,
    observations: { wall_ms, source: timingSource, energy_wh: null, creation_forecast_calls: creationCalls(core) },
  } as const;
  return { ...body, sha256: digestOf(body), review: null };
}

const creationCalls = (core: TransferCore): number => compute_passes * core.execution_accounting.forecast_calls_per_compute;

/** Recomputes every number and digest of a run; refuses a run with the path of the first one that differs. */
export function replay(run: TransferRun): Result<Outcome> {
  const again = computeCore(run.spec, wordsOf(run.core));
  if (E.isLeft(again)) return refuse(differs('spec', again.left.detail));
  const path = firstDifference(again.right, run.core, 'core');
  if (path !== null) return refuse(differs(path, 'recomputing gives another value'));
  if (run.observations.creation_forecast_calls !== creationCalls(again.right)) {
    return refuse(differs('observations.creation_forecast_calls', 'recomputing gives another value'));
  }
  const { sha256, review, ...body } = run;
  if (digestOf(body) !== sha256) return refuse(differs('sha256', 'is not the digest of the run'));
  if (review !== null && review.run_sha256 !== sha256)
    return refuse(differs('review.run_sha256', 'the review belongs to another run'));
  return ok(outcomeOf(run));
}

const differs = (path: string, message: string): Refusal => ({
  code: 'verification_failed',
  detail: `${path}: ${message}`,
  errors: [{ path, message }],
});

/** Returns the bytes of a run as the command line writes it: canonical JSON, no newline. */
export const runText = (run: TransferRun): string => canonicalJson(run);
