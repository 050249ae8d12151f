import { Flags } from '@oclif/core';
import type { InvoiceRecord } from '../src/codec/api-invoices.js';
import { actorFlag, AgentCommand, type ParsedInput, missionArg } from '../src/cli/command.js';
import { invoiceLines, qrLines } from '../src/cli/invoices.js';

export default class Invoice extends AgentCommand<InvoiceRecord> {
  static override description =
    `Invoice an approved result: record who is to pay how much to the bound wallet, and print the request for the payer.
The request is an EIP-681 address, on a terminal also as a QR code. A mission has one open invoice. Nothing is sent to the chain.`;
  static override examples = [
    '<%= config.bin %> invoice 0f8fad5b-d9cb-469f-a165-70867728950e --payer 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed --amount 1.5',
    '<%= config.bin %> invoice 0f8fad5b-d9cb-469f-a165-70867728950e --payer 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed --amount-units 1500000000000000000 --expires-in 30',
  ];
  static override args = { mission: missionArg };
  static override flags = {
    payer: Flags.string({ description: 'the address that will pay', required: true, helpValue: '0x…' }),
    amount: Flags.string({
      description: 'the amount in tokens, with at most 18 decimals; this or --amount-units',
      helpValue: 'TOKENS',
    }),
    'amount-units': Flags.string({ description: 'the amount in base units (10^-18 tokens)', helpValue: 'UNITS' }),
    'expires-in': Flags.integer({ description: 'days within which the payment must be in a block', helpValue: 'DAYS' }),
    as: actorFlag,
  };

  private qr: readonly string[] = [];

  protected async act({ args, flags }: ParsedInput<typeof Invoice>): Promise<InvoiceRecord> {
    const { amount, payer, 'amount-units': amount_units, 'expires-in': expires_in_days, as: actor } = flags;
    const asked = {
      payer,
      actor,
      ...(amount === undefined ? {} : { amount }),
      ...(amount_units === undefined ? {} : { amount_units }),
      ...(expires_in_days === undefined ? {} : { expires_in_days }),
    };
    const { issueInvoice } = await import('../src/app/invoices/issue.js');
    const invoice = await this.withMission(args.mission, (home, id) => issueInvoice(home, id, asked));
    if (process.stdout.isTTY && !this.jsonEnabled()) this.qr = await qrLines(invoice.uri);
    return invoice;
  }

  protected present(invoice: InvoiceRecord): readonly string[] {
    return [...invoiceLines(invoice), ...this.qr];
  }
}
