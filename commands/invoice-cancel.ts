import { Args } from '@oclif/core';
import { actorFlag, AgentCommand, type ParsedInput } from '../src/cli/command.js';
import { invoiceLines } from '../src/cli/invoices.js';
import type { InvoiceRecord } from '../src/codec/api-invoices.js';

export default class InvoiceCancel extends AgentCommand<InvoiceRecord> {
  static override description =
    `Cancel an invoice that awaits payment. No payment of it can be settled after that, not even an earlier one.
The mission can be invoiced again.`;
  static override examples = ['<%= config.bin %> invoice-cancel 0f8fad5b-d9cb-469f-a165-70867728950e'];
  static override args = {
    id: Args.string({
      description: 'the id of the mission or of the invoice, or its first 4 characters or more',
      required: true,
    }),
  };
  static override flags = { as: actorFlag };

  protected async act({ args, flags }: ParsedInput<typeof InvoiceCancel>): Promise<InvoiceRecord> {
    const { cancelInvoice, invoiceNamed } = await import('../src/app/invoices/issue.js');
    return this.withHome((home) => cancelInvoice(home, invoiceNamed(home.db, args.id), flags.as));
  }

  protected present = invoiceLines;
}
