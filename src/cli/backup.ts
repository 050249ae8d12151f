/** Formats the reports of backup and restore for people. */
import type { BackupReport } from '../app/backup/backup.js';
import type { RestoreReport } from '../app/backup/restore.js';
import { pairs } from './table.js';
import { paint } from './text.js';

const head = (events: number, hash: string): string => `${events}:${hash.slice(0, 16)}`;
const warningLines = (warnings: readonly string[]): string[] =>
  warnings.map((warning) => `${paint.out('yellow', '!')} ${warning}`);

export function archiveLines(report: BackupReport): readonly string[] {
  const paths = report.paths ?? [report.path ?? ''];
  return [
    `${paint.out('green', '✓')} the home was backed up; the archive holds the private key, keep it as you keep the home`,
    ...pairs([
      ...paths.map((path, i) => [i === 0 ? 'archive' : '', path] as const),
      ['sha256', report.sha256],
      ['bytes', String(report.bytes)],
      ['head', head(report.events, report.head)],
      ['root', report.root],
    ]),
  ];
}

export function restoredLines(report: RestoreReport): readonly string[] {
  const { restored, behind, witness_fault } = report;
  return [
    `${paint.out('green', '✓')} the home was restored and verified; it is paused`,
    ...pairs([
      ['home', report.home],
      ['identity', report.identity],
      ['restored', head(restored.events, restored.head)],
      ['head', head(report.events, report.head)],
      ['signatures', String(report.signatures_checked)],
    ]),
    ...(report.supersede ? [] : ['', branchText]),
    ...warningLines([
      ...(behind === null ? [] : [behindText(behind.entries)]),
      ...(report.compared > 0 ? [] : ['no external checkpoint found, so it is not known whether this archive is the newest']),
      ...(witness_fault === null ? [] : [`the witness file could not be written (${witness_fault})`]),
      olderText('the archive'),
    ]),
    '',
    'next: agent-cli resume',
  ];
}

const branchText =
  'This home is a branch of the home that was backed up, which still works. To replace that home, restore with --supersede.';

/** What is in force again after an older state was taken. */
export const olderText = (source: string): string =>
  `the configuration, tokens and approvers are those of ${source}, without later changes and removals: agent-cli config show && agent-cli token list && agent-cli approver list`;

const behindText = (entries: number): string =>
  entries === 0
    ? 'an external checkpoint is of another home with this identity, such as an earlier restore: what was signed there since is not in this archive'
    : `this archive is not the newest: an external checkpoint has ${entries} more ${entries === 1 ? 'entry' : 'entries'}`;
