import { Flags } from '@oclif/core';
import { AgentCommand } from '../src/cli/command.js';
import type { CheckpointReport, CosignedReport } from '../src/app/log/checkpoint.js';

export default class Checkpoint extends AgentCommand<CheckpointReport | CosignedReport> {
  static override description =
    'Print the newest signed checkpoint. Keep it elsewhere: with it, verify --against detects entries that were cut off.';
  static override examples = [
    '<%= config.bin %> checkpoint --output checkpoint.txt',
    '<%= config.bin %> checkpoint --cosign --output checkpoint.txt',
  ];
  static override flags = {
    output: Flags.string({ description: 'a file that must not exist', helpValue: 'FILE' }),
    cosign: Flags.boolean({ description: 'request cosignatures from the witnesses, and add their lines' }),
  };

  protected async act(): Promise<CheckpointReport | CosignedReport> {
    const { flags } = await this.parse(Checkpoint);
    const { checkpoint, cosignedCheckpoint } = await import('../src/app/log/checkpoint.js');
    return this.withHome(flags.home, async (home) =>
      flags.cosign ? await cosignedCheckpoint(home, flags.output) : checkpoint(home, flags.output),
    );
  }

  protected present(report: CheckpointReport | CosignedReport): readonly string[] {
    const { note, vkey, output } = report;
    return [...(output === null ? [note.trimEnd(), ''] : [`written to ${output}`]), `verifier key: ${vkey}`];
  }

  protected override warningsOf(report: CheckpointReport | CosignedReport): readonly string[] {
    return 'warnings' in report ? report.warnings : [];
  }
}
