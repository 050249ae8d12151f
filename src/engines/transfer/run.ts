/** Creates a run, and verifies one by creating it again. */
import * as E from 'fp-ts/lib/Either.js';
import { canonicalJson } from '../../base/canonical-json.js';
import { invalid, ok, type Refusal, refuse, type Result } from '../../base/refusal.js';
import type { Arm, Policy, Score, TaskResult, TransferCore, TransferRun } from '../../codec/transfer-run.js';
import { capabilitySchema, evidenceLevel, learner, policies, runSchema, timingSource } from '../../codec/transfer-run.js';
import { digestOf } from '../../codec/transfer-text.js';
import type { TransferSpec, TransferTask } from '../../codec/transfer.js';
import { firstDifference } from './difference.js';
import { outcomeOf, type Outcome } from './outcome.js';
import { standardWords, type Words, wordsOf } from './words.js';
import { largest, periodOf, predict, sum, rounded } from './policies.js';

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

// Chooses a policy by its errors on values that are known already, and freezes that choice.

const first_forecast_after = 3;

/**
 * Learns by walking forward: each value is predicted from the previous ones by every policy for which the series is long enough
 * (two periods and one value). The mean absolute error decides; the first policy wins a tie.
 * @param observed at least six values
 */
export function learn(observed: readonly number[]) {
  const scores = policies.filter((policy) => observed.length > 2 * periodOf(policy)).map((policy) => scoreOf(policy, observed));
  const best = scores.reduce((least, score) => (score.error_milli < least.error_milli ? score : least));
  return { policy: best.policy, scores, forecast_calls: sum(scores.map((score) => score.forecast_calls)) };
}

function scoreOf(policy: Policy, observed: readonly number[]): Score {
  const start = Math.max(first_forecast_after, periodOf(policy));
  const errors = observed.slice(start).map((actual, i) => {
    const [predicted = 0] = predict(policy, observed.slice(0, start + i), 1);
    return Math.abs(predicted - actual * 1000);
  });
  return { policy, error_milli: rounded(BigInt(sum(errors)), BigInt(errors.length)), forecast_calls: errors.length };
}

type Capability = TransferCore['capability'];

/** Returns the policy learned only on the training values, with the digests that fix it. */
function freeze(training: readonly number[], { contract, rollback }: Pick<Capability, 'contract' | 'rollback'>): Capability {
  const { policy, scores, forecast_calls } = learn(training);
  const body = {
    schema: capabilitySchema,
    training_sha256: digestOf(training),
    learner,
    policy,
    scores,
    training_forecast_calls: forecast_calls,
    contract,
    rollback,
  } as const;
  return { ...body, sha256: digestOf(body) };
}

/** An experiment is computed once and, for the validator, once more. */
export const compute_passes = 2;

/** Computes everything in a run that follows from its spec. Errors are in thousandths of a unit. */
export function computeCore(spec: TransferSpec, words: Words): Result<TransferCore> {
  const capability = freeze(spec.training, words);
  const tooShort = shortTask(spec, capability.policy);
  if (tooShort !== null) return refuse(tooShort);
  const arms = armsOf(spec, capability);
  const untaken = spec.archive_enabled ? 0 : capability.training_forecast_calls;
  const calls = untaken + sum(Object.values(arms).map((arm) => arm.forecast_calls));
  return ok({
    spec_sha256: digestOf(spec),
    capability,
    arms,
    execution_accounting: { forecast_calls_per_compute: calls, creation_compute_passes: compute_passes },
    metrics: metricsOf(spec, arms, calls),
    baseline_profile: words.baseline_profile,
    unmeasured_baselines: words.unmeasured_baselines,
    evidence_contact: { level: evidenceLevel, ...words.evidence },
  });
}

/** Returns a refusal if a task has fewer observed values than the policy's period, which a seasonal policy repeats; else null. */
function shortTask({ archive_enabled, tasks }: TransferSpec, policy: Policy): ReturnType<typeof invalid> | null {
  const period = periodOf(policy);
  const i = archive_enabled ? tasks.findIndex(({ observed }) => observed.length < period) : -1;
  if (i < 0) return null;
  return invalid(`tasks[${i}].observed`, `the training chose ${policy}, which needs ${period} values or more`);
}

interface Chosen {
  readonly policy: Policy;
  readonly calls: number;
}

function armsOf({ tasks, archive_enabled }: TransferSpec, capability: Capability): TransferCore['arms'] {
  const fixed = (policy: Policy) => (): Chosen => ({ policy, calls: 0 });
  const onEach = ({ observed }: TransferTask): Chosen => {
    const { policy, forecast_calls } = learn(observed);
    return { policy, calls: forecast_calls };
  };
  return {
    B0: armOf(tasks, fixed('last'), 0),
    B3: armOf(tasks, fixed('linear'), 0),
    B5: armOf(tasks, onEach, 0),
    B6: archive_enabled ? armOf(tasks, fixed(capability.policy), capability.training_forecast_calls) : armOf(tasks, onEach, 0),
  };
}

function armOf(tasks: readonly TransferTask[], choose: (task: TransferTask) => Chosen, callsBefore: number): Arm {
  const chosen = tasks.map((task) => ({ task, ...choose(task) }));
  const results = chosen.map(({ task, policy }) => resultOf(task, policy));
  return {
    tasks: results,
    error_milli: sum(results.map((result) => result.error_milli)),
    forecast_calls: callsBefore + sum(chosen.map(({ calls }) => calls + 1)),
    max_error_milli: largest(results.map((result) => result.max_error_milli)),
  };
}

function resultOf({ id, observed, heldout }: TransferTask, policy: Policy): TaskResult {
  const predictions_milli = predict(policy, observed, heldout.length);
  const actual_milli = heldout.map((value) => value * 1000);
  const errors = actual_milli.map((actual, i) => Math.abs(actual - (predictions_milli[i] ?? 0)));
  return {
    task_id: id,
    policy,
    predictions_milli,
    actual_milli,
    absolute_errors_milli: errors,
    error_milli: sum(errors),
    max_error_milli: largest(errors),
  };
}

/** @param calls the cost of one whole computation, all arms: the price of a validator */
function metricsOf(spec: TransferSpec, { B5, B6 }: TransferCore['arms'], calls: number): TransferCore['metrics'] {
  const raw_gain_milli = B5.error_milli - B6.error_milli;
  const additional_forecast_calls = B6.forecast_calls - B5.forecast_calls;
  const modeled_overhead_milli = (additional_forecast_calls + calls) * spec.call_cost_milli + spec.coordination_cost_milli;
  return {
    raw_gain_milli,
    additional_forecast_calls,
    validator_forecast_calls: calls,
    modeled_overhead_milli,
    advantage_before_human_milli: raw_gain_milli - modeled_overhead_milli,
    risk_passed: B6.max_error_milli <= spec.risk_limit_milli,
    task_wins: B6.tasks.filter(({ error_milli }, i) => error_milli < (B5.tasks[i]?.error_milli ?? 0)).length,
  };
}
