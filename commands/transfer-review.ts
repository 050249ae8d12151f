import { Args, Flags } from '@oclif/core';
import type { TransferReport } from '../src/app/transfer/run.js';
import { AgentCommand, type ParsedInput } from '../src/cli/command.js';
import { pastedFile, reportLines } from '../src/cli/transfer.js';
import { decisions, timingSources } from '../src/codec/transfer-run.js';

export default class TransferReview extends AgentCommand<TransferReport> {
  static override description = `Write a transfer run with your decision on it into a new file.
Bounded transfer is accepted only when you accept, the treatment gained, the gain outweighs all costs with your time among them, its
largest error is within the risk limit, and the archive was on. The file is not signed: it holds your decision as you give it here.`;
  static override examples = [
    '<%= config.bin %> transfer-review run.json --decision accept --reviewer Ana --reason "checked the predictions" --control-ms 12000 --treatment-ms 14000 --output reviewed.json',
  ];
  static override args = { run: Args.string({ description: 'a run, reviewed before or not', required: true }) };
  static override flags = {
    decision: Flags.string({ description: 'accept, reject or repair', options: [...decisions], required: true }),
    reviewer: Flags.string({ description: 'who decides, 1 to 500 characters', required: true, helpValue: 'NAME' }),
    reason: Flags.string({ description: 'why, 1 to 500 characters', required: true, helpValue: 'TEXT' }),
    'control-ms': Flags.integer({ description: 'milliseconds that you needed for B5', required: true, helpValue: 'N' }),
    'treatment-ms': Flags.integer({ description: 'milliseconds that you needed for B6', required: true, helpValue: 'N' }),
    'timing-source': Flags.string({
      description: 'who measured these times',
      options: [...timingSources],
      default: timingSources[0],
    }),
    output: Flags.string({ description: 'a file that must not exist', required: true, helpValue: 'FILE' }),
  };

  protected async act({ args, flags }: ParsedInput<typeof TransferReview>): Promise<TransferReport> {
    const { transferReview } = await import('../src/app/transfer/run.js');
    const { decision, reviewer, reason, output } = flags;
    const times = { control_ms: flags['control-ms'], treatment_ms: flags['treatment-ms'], timing_source: flags['timing-source'] };
    return transferReview({ run: args.run, decision, reviewer, reason, ...times, output });
  }

  protected present(report: TransferReport): readonly string[] {
    return [
      ...reportLines(report),
      '',
      `next: agent-cli transfer-docket ${pastedFile(report.output, 'REVIEWED.json')} --output docket.zip`,
    ];
  }
}
