/** The verdict of a verified run about bounded transfer. It claims nothing more: promotion stays on hold. */
import type { TransferRun } from '../../codec/transfer-run.js';
import { rounded } from './policies.js';

export interface Outcome {
  readonly replay: 'verified';
  /** The reviewer's additional time for the treatment compared with the control, priced; null without a review. */
  readonly human_overhead_milli: number | null;
  readonly adjusted_advantage_milli: number | null;
  readonly bounded_transfer: 'accepted' | 'hold';
  readonly manuscript_promotion: 'hold';
  readonly missing: readonly string[];
  readonly scope: string;
}

const outcomeWords = {
  missing: [
    'B1/B2/B4 comparisons',
    'independent validation',
    'measured multi-agent scaling',
    'delayed real-world outcomes',
    'calibrated alpha-WU',
  ],
  scope: 'Disclosed synthetic forecasting tasks; not external economic alpha or general intelligence',
};

/** @param run a run that was recomputed before */
export function outcomeOf({ spec, core, review }: Pick<TransferRun, 'spec' | 'core' | 'review'>): Outcome {
  const { metrics } = core;
  const human =
    review === null
      ? null
      : rounded(BigInt(review.treatment_ms - review.control_ms) * BigInt(spec.human_cost_milli_per_second), 1000n);
  const adjusted = human === null ? null : metrics.advantage_before_human_milli - human;
  const accepted =
    review?.decision === 'accept' &&
    adjusted !== null &&
    adjusted > 0 &&
    metrics.raw_gain_milli > 0 &&
    metrics.risk_passed &&
    spec.archive_enabled;
  return {
    replay: 'verified',
    human_overhead_milli: human,
    adjusted_advantage_milli: adjusted,
    bounded_transfer: accepted ? 'accepted' : 'hold',
    manuscript_promotion: 'hold',
    ...outcomeWords,
  };
}
