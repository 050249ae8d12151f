/** Chooses a policy by its errors on values that are known already, and freezes that choice. */
import { capabilitySchema, learner, policies, type Policy, type Score, type TransferCore } from '../../codec/transfer-run.js';
import { digestOf } from '../../codec/transfer-text.js';
import { periodOf, predict, rounded, sum } from './policies.js';

const first_forecast_after = 3;

export interface Learned {
  readonly policy: Policy;
  readonly scores: readonly Score[];
  readonly forecast_calls: number;
}

/**
 * Learns by walking forward: each value is predicted from the previous ones by every policy for which the series is long enough
 * (two periods and one value). The mean absolute error decides; the first policy wins a tie.
 * @param observed at least six values
 */
export function learn(observed: readonly number[]): Learned {
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

export type Capability = TransferCore['capability'];

/** Returns the policy learned only on the training values, with the digests that fix it. */
export function freeze(
  training: readonly number[],
  { contract, rollback }: Pick<Capability, 'contract' | 'rollback'>,
): Capability {
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
