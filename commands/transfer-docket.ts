import { Args, Flags } from '@oclif/core';
import type { TransferDocketReport } from '../src/app/transfer/run.js';
import { AgentCommand, type ParsedInput } from '../src/cli/command.js';
import { pastedFile, reportLines } from '../src/cli/transfer.js';

export default class TransferDocket extends AgentCommand<TransferDocketReport> {
  static override description = `Write the evidence docket of a transfer run, reviewed or not, into a new ZIP archive.
Thirteen sections from manifest to summary, and their checksums. What was not measured is named as missing.`;
  static override examples = ['<%= config.bin %> transfer-docket reviewed.json --output docket.zip'];
  static override args = { run: Args.string({ description: 'a run or a reviewed run', required: true }) };
  static override flags = {
    output: Flags.string({ description: 'a file that must not exist', required: true, helpValue: 'FILE' }),
  };

  protected async act({ args, flags }: ParsedInput<typeof TransferDocket>): Promise<TransferDocketReport> {
    const { transferDocket } = await import('../src/app/transfer/run.js');
    return transferDocket(args.run, flags.output);
  }

  protected present(report: TransferDocketReport): readonly string[] {
    return [...reportLines(report), '', `next: agent-cli transfer-verify ${pastedFile(report.output, 'DOCKET.zip')}`];
  }
}
