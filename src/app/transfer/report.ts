/** The reports that the transfer commands print, and the commands that write a reviewed run or a docket. */
import { archiveBytes } from '../../archive/write.js';
import { sha256Hex } from '../../base/hash.js';
import { unwrap } from '../../base/result.js';
import { decode } from '../../codec/kit.js';
import {
  type ArmName,
  arms,
  reviewCodec,
  type TransferCore,
  type TransferReview,
  type TransferRun,
} from '../../codec/transfer-run.js';
import { checkDocket } from '../../engines/transfer/docket-check.js';
import { docketMembers } from '../../engines/transfer/docket.js';
import type { Outcome } from '../../engines/transfer/outcome.js';
import { replay, runText } from '../../engines/transfer/run.js';
import { expectReadable, readRun } from './files.js';
import { createOutput } from '../../home/files.js';

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

/** `transfer-review`: writes a new file with a run and a reviewer's decision. The run itself and its digest do not change. */
interface TransferReviewOptions {
  readonly run: string;
  readonly decision: string;
  readonly reviewer: string;
  readonly reason: string;
  /** The reviewer's time for the control (B5) and for the treatment (B6), in ms. */
  readonly control_ms: number;
  readonly treatment_ms: number;
  readonly timing_source: string;
  readonly output: string;
}

/** Writes the reviewed run; replaces a review that the run already has. @throws RefusalError */
export function transferReview({ run: file, output, ...given }: TransferReviewOptions): TransferReport {
  const { run } = readRun(file);
  const review = unwrap(decode(reviewCodec, { run_sha256: run.sha256, ...given }));
  const reviewed: TransferRun = { ...run, review };
  const outcome = unwrap(replay(reviewed));
  const content = Buffer.from(runText(reviewed));
  expectReadable(content, 'the reviewed run');
  createOutput(output, content);
  return transferReport(output, content, reviewed, outcome);
}

/** `transfer-docket`: writes the evidence of a run as an archive, with the same bytes for the same run. */
export interface TransferDocketReport extends TransferReport {
  readonly files: readonly string[];
}

/** Writes the docket of a run into a new file. @throws RefusalError */
export async function transferDocket(file: string, output: string): Promise<TransferDocketReport> {
  const { run, outcome } = readRun(file);
  const members = docketMembers(run, outcome);
  for (const { name, text } of members) expectReadable(Buffer.from(text), name);
  // The output must be valid for transfer-verify.
  unwrap(checkDocket(new Map(members.map(({ name, text }) => [name, text]))));
  const content = await archiveBytes(members.map(({ name, text }) => ({ name, source: Buffer.from(text) })));
  createOutput(output, content);
  return { ...transferReport(output, content, run, outcome), files: members.map(({ name }) => name) };
}
