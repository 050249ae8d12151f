import { Args, Flags } from '@oclif/core';
import { invalid, RefusalError } from '../src/base/refusal.js';
import { AgentCommand, type ParsedInput } from '../src/cli/command.js';
import { pairs } from '../src/cli/table.js';
import type { ReceiptVerification } from '../src/codec/api-invoices.js';

export default class VerifyReceipt extends AgentCommand<ReceiptVerification> {
  static override description =
    `Verify that the chain still has the payment of a receipt, using the configured node or another one.
Takes the receipt from a mission, or, without a home, from an export or a file. Exits with 3 if a reorganisation removed the
payment after its settlement.`;
  static override examples = [
    '<%= config.bin %> verify-receipt 0f8fad5b-d9cb-469f-a165-70867728950e',
    '<%= config.bin %> verify-receipt --export result.export.json --public-key HEX --rpc-url https://rpc.example',
    '<%= config.bin %> verify-receipt --receipt receipt.json --rpc-url https://rpc.example',
  ];
  static override args = { mission: Args.string({ description: "a mission's id, or its first 4 characters or more" }) };
  static override flags = {
    export: Flags.string({
      description: 'an export that holds a settlement',
      helpValue: 'FILE',
      exclusive: ['receipt'],
    }),
    'public-key': Flags.string({
      description: "the issuer's key, 64 hexadecimal digits, from a source that you trust",
      helpValue: 'HEX',
      dependsOn: ['export'],
    }),
    receipt: Flags.string({
      description: 'a receipt as settle --json prints it; that it was signed is not verified',
      helpValue: 'FILE',
    }),
    'rpc-url': Flags.string({ description: 'a node of the chain; default: the configured one', helpValue: 'URL' }),
  };

  protected async act({ args, flags }: ParsedInput<typeof VerifyReceipt>): Promise<ReceiptVerification> {
    const { export: exported, receipt, 'public-key': publicKey, 'rpc-url': rpcUrl } = flags;
    const [{ mission }, file] = [args, { exported, receipt, publicKey, rpcUrl }];
    if ((mission === undefined) === (exported === undefined && receipt === undefined))
      throw new RefusalError(invalid('mission', 'name either a mission, or a file with --export or --receipt'));
    const { verifyReceipt, verifyReceiptFile } = await import('../src/app/invoices/verify-receipt.js');
    const report = await (mission === undefined
      ? verifyReceiptFile(file)
      : this.withMission(mission, (home, id) => verifyReceipt(home, id, rpcUrl)));
    return this.judged(report);
  }

  protected present({ valid, reason, detail, confirmations, checks }: ReceiptVerification): readonly string[] {
    return pairs([
      ['valid', valid ? 'yes' : `no: ${reason ?? ''} (${detail})`],
      ['confirmations', confirmations === null ? 'none' : String(confirmations)],
      ...checks.map(({ name, ok }) => [name, ok ? 'ok' : 'failed'] as const),
    ]);
  }
}
