/** `transfer-review`: writes a new file with a run and a reviewer's decision. The run itself and its digest do not change. */
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
  writeNew(output, content);
  return transferReport(output, content, reviewed, outcome);
}
