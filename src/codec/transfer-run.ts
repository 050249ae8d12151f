/**
 * The report of a transfer experiment. Members with free text are descriptions, covered by the digests only. Everything else is
 * recomputed when a run is verified, so its only bounds here are those of the protocol's integers.
 */
import * as E from 'fp-ts/lib/Either.js';
import type * as t from 'io-ts';
import {
  transfer_heldout_max,
  transfer_heldout_min,
  transfer_review_points_max,
  transfer_statements_max,
  transfer_tasks_max,
  transfer_tasks_min,
  transfer_timing_ms_max,
} from '../base/limits.js';
import { refuse, type Result } from '../base/refusal.js';
import { CheckedType, choice, decode, flag, integer, list, nullable, object, required, text } from './kit.js';
import { hash } from './scalars.js';
import { idCodec, protocol, specCodec } from './transfer.js';
import { isWrittenForm, readTransferText, type TransferText } from './transfer-text.js';

export const runSchema = `${protocol}.run`;
export const capabilitySchema = `${protocol}.capability`;
export const learner = 'walk-forward-mae-v1';
export const evidenceLevel = 'E2';
export const timingSource = 'local-monotonic-clock';
export const arms = ['B0', 'B3', 'B5', 'B6'] as const;
export type ArmName = (typeof arms)[number];

export const policies = [
  'last',
  'mean',
  'linear',
  'seasonal-2',
  'seasonal-3',
  'seasonal-4',
  'seasonal-5',
  'seasonal-6',
  'seasonal-7',
  'seasonal-8',
] as const;
export type Policy = (typeof policies)[number];

const whole = integer(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
const words = text();
const policy = choice(...policies);
const milli = list(whole, transfer_heldout_min, transfer_heldout_max);

const result = object('TransferResult', {
  task_id: required(idCodec),
  policy: required(policy),
  predictions_milli: required(milli),
  actual_milli: required(milli),
  absolute_errors_milli: required(milli),
  error_milli: required(whole),
  max_error_milli: required(whole),
});
export type TaskResult = t.TypeOf<typeof result>;

const arm = object('TransferArm', {
  tasks: required(list(result, transfer_tasks_min, transfer_tasks_max)),
  error_milli: required(whole),
  forecast_calls: required(whole),
  max_error_milli: required(whole),
});
export type Arm = t.TypeOf<typeof arm>;

const score = object('TransferScore', {
  policy: required(policy),
  error_milli: required(whole),
  forecast_calls: required(whole),
});
export type Score = t.TypeOf<typeof score>;

const capability = object('TransferCapability', {
  schema: required(choice(capabilitySchema)),
  training_sha256: required(hash),
  learner: required(choice(learner)),
  policy: required(policy),
  scores: required(list(score, 1, policies.length)),
  training_forecast_calls: required(whole),
  contract: required(words),
  rollback: required(words),
  sha256: required(hash),
});

const metrics = object('TransferMetrics', {
  raw_gain_milli: required(whole),
  additional_forecast_calls: required(whole),
  validator_forecast_calls: required(whole),
  modeled_overhead_milli: required(whole),
  advantage_before_human_milli: required(whole),
  risk_passed: required(flag),
  task_wins: required(whole),
});

export const coreCodec = object('TransferCore', {
  spec_sha256: required(hash),
  capability: required(capability),
  arms: required(object('TransferArms', { B0: required(arm), B3: required(arm), B5: required(arm), B6: required(arm) })),
  execution_accounting: required(
    object('TransferAccounting', { forecast_calls_per_compute: required(whole), creation_compute_passes: required(whole) }),
  ),
  metrics: required(metrics),
  baseline_profile: required(words),
  unmeasured_baselines: required(list(words, 0, transfer_statements_max)),
  evidence_contact: required(
    object('TransferEvidence', {
      level: required(choice(evidenceLevel)),
      meaning: required(words),
      E3: required(words),
      E4: required(words),
      E5: required(words),
    }),
  ),
});
export type TransferCore = t.TypeOf<typeof coreCodec>;

export const decisions = ['accept', 'reject', 'repair'] as const;
export const timingSources = ['operator-reported', 'browser-elapsed'] as const;
const timing = integer(1, transfer_timing_ms_max);

const isStatement = (u: unknown): u is string =>
  typeof u === 'string' && u.isWellFormed() && /[^\s\p{Cc}]/u.test(u) && Array.from(u).length <= transfer_review_points_max;
const statement = new CheckedType(
  'statement',
  isStatement,
  () => `must be a text of 1 to ${transfer_review_points_max} characters that is not blank`,
);

export const reviewCodec = object('TransferReview', {
  run_sha256: required(hash),
  decision: required(choice(...decisions)),
  reviewer: required(statement),
  reason: required(statement),
  control_ms: required(timing),
  treatment_ms: required(timing),
  timing_source: required(choice(...timingSources)),
});
export type TransferReview = t.TypeOf<typeof reviewCodec>;

export const runCodec = object('TransferRun', {
  schema: required(choice(runSchema)),
  spec: required(specCodec),
  core: required(coreCodec),
  observations: required(
    object('TransferObservations', {
      wall_ms: required(timing),
      source: required(choice(timingSource)),
      energy_wh: required(choice(null)),
      creation_forecast_calls: required(whole),
    }),
  ),
  sha256: required(hash),
  review: required(nullable(reviewCodec)),
});
export type TransferRun = t.TypeOf<typeof runCodec>;

/** Decodes a run in one of the layouts that programs of this protocol write; its numbers are not recomputed here. */
export function decodeRun(bytes: Uint8Array, isForm: (document: TransferText) => boolean = isWrittenForm): Result<TransferRun> {
  const document = readTransferText(bytes);
  if (E.isLeft(document)) return document;
  const run = decode(runCodec, document.right.value);
  if (E.isLeft(run) || isForm(document.right)) return run;
  return refuse({
    code: 'malformed',
    detail: 'the bytes are not as runs are written: canonical JSON, or indented by two spaces with a newline at the end',
  });
}

/** Decodes a spec, which people write, in any layout. */
export function decodeSpec(bytes: Uint8Array): Result<t.TypeOf<typeof specCodec>> {
  const document = readTransferText(bytes);
  return E.isLeft(document) ? document : decode(specCodec, document.right.value);
}
