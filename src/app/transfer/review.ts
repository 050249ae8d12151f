/** `transfer-review`: a new file with a run and the decision of whoever looked at it. The run itself and its digest stay as they are. */
import { unwrap } from '../../base/result.js';
import { decode } from '../../codec/kit.js';
import { reviewCodec, type TransferRun } from '../../codec/transfer-run.js';
import { replay, runText } from '../../engines/transfer/run.js';
import { expectReadable, readRun, writeNew } from './files.js';
import { transferReport, type TransferReport } from './report.js';

export interface TransferReviewOptions {
  readonly run: string;
  readonly decision: string;
  readonly reviewer: string;
  readonly reason: string;
  /** What the reviewer needed for the control (B5) and for the treatment (B6). */
  readonly control_ms: number;
  readonly treatment_ms: number;
  readonly timing_source: string;
  readonly output: string;
}

/** A review that the run has already is replaced in the new file. @throws RefusalError */
export function transferReview({ run: file, output, ...given }: TransferReviewOptions): TransferReport {
  const { run } = readRun(file);
  const review = unwrap(decode(reviewCodec, { run_sha256: run.sha256, ...given }));
  const reviewed: TransferRun = { ...run, review };
  const outcome = unwrap(replay(reviewed));
  const content = Buffer.from(runText(reviewed));
  expectReadable(content, 'the reviewed run');
  writeNew(output, content);
  return transferReport(output, content, reviewed, outcome);
}
