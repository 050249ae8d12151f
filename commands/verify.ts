import { Flags } from '@oclif/core';
import { damageFaults } from '../src/app/home/home.js';
import type { VerifyReport } from '../src/app/log/verify-home.js';
import { AgentCommand, type ParsedInput } from '../src/cli/command.js';
import { withProgress } from '../src/cli/progress.js';
import { pairs } from '../src/cli/table.js';
import { paint } from '../src/cli/text.js';

export default class Verify extends AgentCommand<VerifyReport> {
  static override description = 'Verify the whole journal from its stored bytes. Nothing is changed.';
  static override examples = ['<%= config.bin %> verify', '<%= config.bin %> verify --deep --against checkpoint.txt'];
  static override flags = {
    deep: Flags.boolean({ description: 'also every signature, those of people too, and the tables against a rebuild' }),
    against: Flags.string({ description: 'a checkpoint file or an export that the journal must extend', helpValue: 'FILE' }),
    'expect-head': Flags.string({
      description: 'a head that the journal must hold: 64 hex, or events:first-16-hex',
      helpValue: 'HEAD',
    }),
  };

  protected override linesHoldWarnings = true;
  protected async act({ flags }: ParsedInput<typeof Verify>): Promise<VerifyReport> {
    const [{ verifyHome }, { beyondKey }] = await Promise.all([
      import('../src/app/log/verify-home.js'),
      import('../src/app/exports/export.js'),
    ]);
    const { deep, against, 'expect-head': expectHead } = flags;
    const report = await withProgress(!this.jsonEnabled(), (update) => {
      const onProgress = (verified: number, total: number): void => update('verify', verified / total);
      return this.withHome((home) => verifyHome(home, { deep, against, expectHead, onProgress, beyondKey }), {
        tolerate: ['config', 'witness', ...damageFaults],
        asIs: true,
        onlyReads: true,
      });
    });
    if (report.failure !== null) this.answerNo(report.failure.code);
    return report;
  }

  protected present(report: VerifyReport): readonly string[] {
    const { failure, warnings } = report;
    const mark =
      failure === null ? paint.out('green', '✓ verified') : `${paint.out('red', `✗ ${failure.code}`)}: ${failure.detail}`;
    const lines = pairs([
      ['identity', report.identity],
      ['head', `${report.events}:${report.head.slice(0, 16)}`],
      ['root', report.root],
      ['signatures', String(report.signatures_checked)],
      ['entries', streamsOf(report)],
      ['elapsed', `${report.elapsed_ms} ms`],
    ]);
    return [mark, ...lines, ...warnings.map((warning) => `${paint.out('yellow', '!')} ${warning}`)];
  }
}

const streamsOf = ({ streams }: VerifyReport): string =>
  Object.entries(streams)
    .map(([name, entries]) => `${name} ${entries}`)
    .join(', ');
