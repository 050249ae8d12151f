/** The reports that the transfer commands print. */
import { sha256Hex } from '../../base/hash.js';
import { arms, type ArmName, type TransferCore, type TransferReview, type TransferRun } from '../../codec/transfer-run.js';
import type { Outcome } from '../../engines/transfer/outcome.js';

export interface ArmSummary {
  readonly arm: ArmName;
  /** The policies, one per task. */
  readonly policies: readonly string[];
  readonly task_errors_milli: readonly number[];
  readonly error_milli: number;
  readonly max_error_milli: number;
  readonly forecast_calls: number;
}

export interface RunSummary {
  /** The run's own digest: it covers everything in the run except the review. */
  readonly sha256: string;
  readonly scenario: string;
  readonly seed: number;
  readonly archive_enabled: boolean;
  readonly risk_limit_milli: number;
  readonly arms: readonly ArmSummary[];
  readonly metrics: TransferCore['metrics'];
  readonly review: TransferReview | null;
}

export interface TransferReport
  extends Pick<
    Outcome,
    'replay' | 'bounded_transfer' | 'human_overhead_milli' | 'adjusted_advantage_milli' | 'manuscript_promotion'
  > {
  readonly output: string;
  /** SHA-256 of the file. */
  readonly sha256: string;
  readonly bytes: number;
  readonly run: RunSummary;
}

export const verdictOf = (
  outcome: Outcome,
): Pick<
  Outcome,
  'replay' | 'bounded_transfer' | 'human_overhead_milli' | 'adjusted_advantage_milli' | 'manuscript_promotion'
> => {
  const { replay, bounded_transfer, human_overhead_milli, adjusted_advantage_milli, manuscript_promotion } = outcome;
  return { replay, bounded_transfer, human_overhead_milli, adjusted_advantage_milli, manuscript_promotion };
};

export function summaryOf({ spec, core, sha256, review }: TransferRun): RunSummary {
  return {
    sha256,
    scenario: spec.scenario,
    seed: spec.seed,
    archive_enabled: spec.archive_enabled,
    risk_limit_milli: spec.risk_limit_milli,
    arms: arms.map((arm) => {
      const { tasks, error_milli, max_error_milli, forecast_calls } = core.arms[arm];
      return {
        arm,
        policies: tasks.map(({ policy }) => policy),
        task_errors_milli: tasks.map((task) => task.error_milli),
        error_milli,
        max_error_milli,
        forecast_calls,
      };
    }),
    metrics: core.metrics,
    review,
  };
}

/** Returns the report of a command. @param content the bytes that were written to `output` */
export const transferReport = (output: string, content: Buffer, run: TransferRun, outcome: Outcome): TransferReport => ({
  output,
  sha256: sha256Hex(content),
  bytes: content.length,
  ...verdictOf(outcome),
  run: summaryOf(run),
});
