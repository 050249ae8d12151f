import { Flags } from '@oclif/core';
import { AgentCommand, type ParsedInput, missionArg } from '../src/cli/command.js';
import { pairs } from '../src/cli/table.js';
import type { ExportReport } from '../src/app/exports/export.js';
import { invalid, RefusalError } from '../src/base/refusal.js';
import { standard_stream } from '../src/base/text.js';

export default class Export extends AgentCommand<ExportReport> {
  static override description = `Write an approved result with its proofs into a new file that anyone can verify.
The export of a paid result also holds the signed record of its payment.`;
  static override examples = ['<%= config.bin %> export 0f8fad5b-d9cb-469f-a165-70867728950e --output result.export.json'];
  static override args = { mission: missionArg };
  static override streams = ['output'];
  static override flags = {
    output: Flags.string({
      description: 'a file that must not exist, or - for standard output',
      required: true,
      helpValue: 'FILE',
    }),
    'without-approvals': Flags.boolean({ description: 'leave out the signed approvals, for verifiers that do not know them' }),
    'without-settlement': Flags.boolean({
      description: 'leave out the payment of a paid result',
    }),
  };

  protected async act({ args, flags }: ParsedInput<typeof Export>): Promise<ExportReport> {
    const { exportMission, requireApprovals } = await import('../src/app/exports/export.js');
    if (flags.output === standard_stream && process.stdout.isTTY)
      throw new RefusalError(invalid('--output', 'standard output is a terminal; name a file, or a program that reads it'));
    const [withoutSettlement, withoutApprovals] = [flags['without-settlement'], flags['without-approvals']];
    const options = { withoutSettlement, withoutApprovals, print: (text: string) => this.printDocument(text) };
    return this.withMission(
      args.mission,
      async (home, id) => {
        await requireApprovals(home, id);
        return exportMission(home, id, flags.output, options);
      },
      { onlyReads: true },
    );
  }

  protected present(report: ExportReport): readonly string[] {
    return [
      ...pairs([
        ['output', report.output],
        ['sha256', report.sha256],
        ['bytes', String(report.bytes)],
        ['head', `${report.events}:${report.head.slice(0, 16)}`],
      ]),
    ];
  }
}
