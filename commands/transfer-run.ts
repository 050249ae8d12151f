import { Flags } from '@oclif/core';
import { AgentCommand, type ParsedInput } from '../src/cli/command.js';
import { pastedFile, reportLines } from '../src/cli/transfer.js';
import { scenarios } from '../src/codec/transfer.js';
import type { TransferRunReport } from '../src/app/transfer/run.js';

export default class TransferRun extends AgentCommand<TransferRunReport> {
  static override description = `Run a transfer experiment and write its report into a new file.
A policy learned on one series forecasts the tasks of another, against three baselines; whole numbers only, so that anyone can compute
it again. It needs no home, identity or provider. With --home DIR the identity of that home signs a note beside the report.`;
  static override examples = [
    '<%= config.bin %> transfer-run --scenario seasonal --seed 37 --output run.json',
    '<%= config.bin %> transfer-run --spec spec.json --output run.json',
  ];
  static override flags = {
    scenario: Flags.string({
      description: 'a built-in scenario; custom goes with --spec',
      options: [...scenarios],
      helpValue: 'NAME',
    }),
    seed: Flags.integer({ description: 'of a built-in scenario, 1 to 9999 (default 37)', helpValue: 'N' }),
    spec: Flags.string({ description: 'a JSON file with the whole spec', helpValue: 'FILE' }),
    output: Flags.string({ description: 'a file that must not exist', required: true, helpValue: 'FILE' }),
  };

  protected async act({ flags }: ParsedInput<typeof TransferRun>): Promise<TransferRunReport> {
    const { signedTransferRun, transferRun } = await import('../src/app/transfer/run.js');
    const { scenario, seed, spec, output } = flags;
    const asked = { scenario, seed, spec, output };
    // Signs only with --home: AGENT_HOME is not enough.
    if (this.home === undefined) return transferRun({ ...asked, signer: null });
    return this.withHome((opened) => signedTransferRun(opened, asked));
  }

  protected present(report: TransferRunReport): readonly string[] {
    const file = pastedFile(report.output, 'RUN.json');
    return [
      ...reportLines(report),
      '',
      'next: look at the predictions, then review them',
      `  agent-cli transfer-review ${file} --decision accept --reviewer NAME \\`,
      '    --reason TEXT --control-ms N --treatment-ms N --output reviewed.json',
    ];
  }
}
