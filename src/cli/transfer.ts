/** Formats the reports of the transfer commands for people. */
import type { TransferReport } from '../app/transfer/report.js';
import type { TransferRunReport } from '../app/transfer/run.js';
import type { TransferVerdict } from '../app/transfer/verify.js';
import { paint } from './paint.js';
import { screen } from './screen.js';
import { transferPicture } from './pictures/transfer.js';
import { known, pairs } from './table.js';
import { printable } from '../base/text.js';

/** Returns a file name for a pasted command line; `otherwise` if the shell would interpret the name. */
export const pastedFile = (file: string, otherwise: string): string => (/^[\w./][\w./-]*$/.test(file) ? file : otherwise);

/** Formats what was written and its content. */
export function reportLines(report: TransferReport & Partial<Pick<TransferRunReport, 'signed'>>): string[] {
  const { output, sha256, bytes, run, signed } = report;
  return [
    ...pairs(
      known([
        ['output', printable(output)],
        ['sha256', sha256],
        ['bytes', String(bytes)],
        ['run', run.sha256],
        ['scenario', `${run.scenario}, seed ${run.seed}`],
        ['note', signed === undefined || signed === null ? null : printable(signed.note)],
        ['verifier key', signed?.vkey ?? null],
      ]),
    ),
    '',
    ...transferPicture(run, report, screen()),
  ];
}

export function verdictLines(verdict: TransferVerdict): string[] {
  const { run, kind, sha256, valid, reason, run_signed_by, review_signed } = verdict;
  if (run === null) return [paint.out('red', '✗ refuted'), ...pairs([['reason', printable(reason ?? '')]])];
  return [
    valid
      ? paint.out('green', `✓ verified: every number of this ${kind} was computed again`)
      : paint.out('red', `✗ not valid: ${printable(reason ?? '')}; the numbers of this ${kind} were computed again and agree`),
    ...pairs(
      known([
        ['sha256', sha256],
        ['run', run.sha256],
        ['scenario', `${run.scenario}, seed ${run.seed}`],
        ['run signed by', run_signed_by],
        ['review', run_signed_by === null || review_signed === null ? null : 'not signed: the note covers only the run'],
      ]),
    ),
    '',
    ...transferPicture(run, verdict, screen()),
  ];
}
