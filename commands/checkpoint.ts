import { Flags } from '@oclif/core';
import { standard_stream } from '../src/base/text.js';
import { AgentCommand, type ParsedInput } from '../src/cli/command.js';
import type { CheckpointReport, CosignedReport } from '../src/app/log/checkpoint.js';

export default class Checkpoint extends AgentCommand<CheckpointReport | CosignedReport> {
  static override description =
    'Print the newest signed checkpoint. Keep it elsewhere: with it, verify --against detects entries that were cut off.';
  static override examples = [
    '<%= config.bin %> checkpoint --output checkpoint.txt',
    '<%= config.bin %> checkpoint --cosign --output checkpoint.txt',
  ];
  static override streams = ['output'];
  static override flags = {
    output: Flags.string({
      description: 'a file that must not exist, or - for the checkpoint alone on standard output',
      helpValue: 'FILE',
    }),
    cosign: Flags.boolean({ description: 'request cosignatures from the witnesses, and add their lines' }),
  };

  protected async act({ flags }: ParsedInput<typeof Checkpoint>): Promise<CheckpointReport | CosignedReport> {
    const { checkpoint, cosignedCheckpoint } = await import('../src/app/log/checkpoint.js');
    const isPrinted = flags.output === standard_stream;
    const output = isPrinted ? undefined : flags.output;
    const report = await this.withHome(async (home) =>
      flags.cosign ? await cosignedCheckpoint(home, output) : checkpoint(home, output),
    );
    if (isPrinted) this.printDocument(report.note);
    return report;
  }

  protected present(report: CheckpointReport | CosignedReport): readonly string[] {
    const key = `verifier key: ${report.vkey}`;
    if (report.output !== null) return [`written to ${report.output}`, key];
    // Not on standard output: what a shell writes from there into a file is a checkpoint.
    this.logToStderr(key);
    return [report.note.trimEnd()];
  }
}
