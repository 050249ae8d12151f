import { Args, Flags } from '@oclif/core';
import type { ReceiptVerification } from '../src/codec/api-invoices.js';
import { AgentCommand } from '../src/cli/command.js';
import { pairs } from '../src/cli/table.js';

export default class VerifyReceipt extends AgentCommand<ReceiptVerification> {
  static override description =
    `Verify that the chain still has the payment of a mission's receipt, by the configured node or any other one.
A payment that a reorganisation removed after its settlement is found: it ends with 3.`;
  static override examples = [
    '<%= config.bin %> verify-receipt 0f8fad5b-d9cb-469f-a165-70867728950e',
    '<%= config.bin %> verify-receipt 0f8fad5b-d9cb-469f-a165-70867728950e --rpc-url https://rpc.example',
  ];
  static override args = { mission: Args.string({ description: "the mission's UUID", required: true }) };
  static override flags = {
    'rpc-url': Flags.string({ description: 'another node of the same chain than the configured one', helpValue: 'URL' }),
  };

  protected async act(): Promise<ReceiptVerification> {
    const { args, flags } = await this.parse(VerifyReceipt);
    const { verifyReceipt } = await import('../src/app/invoices/verify-receipt.js');
    const report = await this.withHome(flags.home, (home) => verifyReceipt(home, args.mission, flags['rpc-url']));
    if (!report.valid) this.answerNo('verification_failed');
    return report;
  }

  protected present({ valid, reason, detail, confirmations, checks }: ReceiptVerification): readonly string[] {
    return pairs([
      ['valid', valid ? 'yes' : `no: ${reason ?? ''} (${detail})`],
      ['confirmations', confirmations === null ? 'none' : String(confirmations)],
      ...checks.map(({ name, ok }) => [name, ok ? 'ok' : 'failed'] as const),
    ]);
  }
}
