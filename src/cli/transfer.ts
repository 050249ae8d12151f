/** Formats the reports of the transfer commands for people, and draws an experiment. */
import type { ArmSummary, RunSummary, TransferReport, TransferRunReport } from '../app/transfer/run.js';
import type { TransferVerdict } from '../app/transfer/verify.js';
import { printable } from '../base/text.js';
import { count, figure, type Screen, signed } from '../pictures/screen.js';
import { apart, bar, type Fact, facts, grid, heading, strip } from '../pictures/layout.js';
import { pairs, screen } from './table.js';
import { paint } from './text.js';

/** Returns a file name for a pasted command line; `otherwise` if the shell would interpret the name. */
export const pastedFile = (file: string, otherwise: string): string => (/^[\w./][\w./-]*$/.test(file) ? file : otherwise);

/** Formats what was written and its content. */
export function reportLines(report: TransferReport & Partial<Pick<TransferRunReport, 'signed'>>): string[] {
  const { output, sha256, bytes, run, signed } = report;
  return [
    ...pairs([
      ['output', printable(output)],
      ['sha256', sha256],
      ['bytes', String(bytes)],
      ['run', run.sha256],
      ['scenario', `${run.scenario}, seed ${run.seed}`],
      ['note', signed === undefined || signed === null ? null : printable(signed.note)],
      ['verifier key', signed?.vkey ?? null],
    ]),
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
    ...pairs([
      ['sha256', sha256],
      ['run', run.sha256],
      ['scenario', `${run.scenario}, seed ${run.seed}`],
      ['run signed by', run_signed_by],
      ['review', run_signed_by === null || review_signed === null ? null : 'not signed: the note covers only the run'],
    ]),
    '',
    ...transferPicture(run, verdict, screen()),
  ];
}

const bar_columns_max = 24;
/** Where there is less room there are no bars. */
const bar_columns_min = 8;
const policies_shown_max = 2;

const armNames: Readonly<Record<ArmSummary['arm'], string>> = {
  B0: 'B0 last value',
  B3: 'B3 straight line',
  B5: 'B5 learns on each task',
  B6: 'B6 frozen on training',
};

const nameOf = (arm: ArmSummary['arm'], { archive_enabled }: RunSummary): string =>
  arm === 'B6' && !archive_enabled ? 'B6 as B5, archive off' : armNames[arm];

function policiesText(policies: readonly string[]): string {
  const all = [...new Set(policies)];
  const shown = all.slice(0, policies_shown_max).join(', ');
  return all.length > policies_shown_max ? `${shown}, +${all.length - policies_shown_max}` : shown;
}

function armLines(run: RunSummary, screen: Screen): string[] {
  const worst = run.arms.reduce((most, { error_milli }) => Math.max(most, error_milli), 0);
  const head = ['arm', 'error', 'largest', 'calls', 'policy'];
  const rows = run.arms.map((arm) => [
    nameOf(arm.arm, run),
    figure(arm.error_milli),
    figure(arm.max_error_milli),
    figure(arm.forecast_calls),
    policiesText(arm.policies),
  ]);
  const taken = head.reduce((sum, name, x) => sum + 2 + Math.max(name.length, ...rows.map((row) => row[x]?.length ?? 0)), 4);
  const columns = Math.max(1, Math.min(bar_columns_max, screen.columns - taken));
  const bars = run.arms.map(({ error_milli }) => bar(error_milli, worst, columns, screen));
  const lines = [head, ...rows].map(([name = '', ...cells], y) => [
    name,
    ...(columns < bar_columns_min ? [] : [bars[y - 1] ?? '']),
    ...cells,
  ]);
  return [
    heading('absolute error on the held-out values, milliunits', screen),
    ...grid(
      lines,
      (lines[0] ?? []).map((_, x) => x > 0),
      screen,
    ),
  ];
}

function taskLines({ arms }: RunSummary, screen: Screen): string[] {
  const rows = arms.filter(({ arm }) => arm === 'B5' || arm === 'B6');
  return strip(
    [
      ['task', rows[0]?.task_errors_milli.map((_, i) => String(i + 1)) ?? []],
      ...rows.map(({ arm, task_errors_milli }) => [arm, task_errors_milli.map((error) => figure(error))] as const),
    ],
    screen,
  );
}

type Verdict = Pick<TransferReport, 'bounded_transfer' | 'human_overhead_milli' | 'adjusted_advantage_milli'>;

/** Returns every condition of bounded transfer that this run does not meet. */
function missing({ metrics, review, archive_enabled }: RunSummary, { adjusted_advantage_milli: adjusted }: Verdict): string[] {
  const conditions: readonly (readonly [boolean, string])[] = [
    [review !== null, 'no review yet'],
    [review === null || review.decision === 'accept', `the review says ${review?.decision ?? ''}`],
    [metrics.raw_gain_milli > 0, 'no gain'],
    [adjusted === null || adjusted > 0, 'no advantage after all costs'],
    [metrics.risk_passed, 'over the risk limit'],
    [archive_enabled, 'the archive was off'],
  ];
  return conditions.filter(([met]) => !met).map(([, words]) => words);
}

function factsOf(run: RunSummary, verdict: Verdict): Fact[] {
  const { metrics, review, risk_limit_milli: limit } = run;
  const { human_overhead_milli: human, adjusted_advantage_milli: adjusted, bounded_transfer } = verdict;
  const tasks = run.arms[0]?.policies.length ?? 0;
  const largest = run.arms.find(({ arm }) => arm === 'B6')?.max_error_milli ?? 0;
  const reason = missing(run, verdict).join(', ');
  return [
    ['gain of B6', `${signed(metrics.raw_gain_milli)} against B5; better on ${metrics.task_wins} of ${count(tasks, 'task')}`],
    [
      'cost modelled',
      `${figure(metrics.modeled_overhead_milli)}${human === null ? '' : `, of the reviewer's time ${signed(human)}`}`,
    ],
    [
      'advantage',
      signed(adjusted ?? metrics.advantage_before_human_milli) + (adjusted === null ? " before the reviewer's time" : ''),
    ],
    ['risk', `largest error ${figure(largest)}, limit ${figure(limit)}: ${metrics.risk_passed ? 'passed' : 'not passed'}`],
    ...(review === null ? [] : [['review', `${review.decision} by ${review.reviewer}: ${review.reason}`] as const]),
    ['bounded transfer', bounded_transfer + (reason === '' ? '' : ` (${reason})`)],
  ];
}

export const transferPicture = (run: RunSummary, verdict: Verdict, screen: Screen): string[] =>
  apart([armLines(run, screen), taskLines(run, screen), facts(factsOf(run, verdict), screen)]);
