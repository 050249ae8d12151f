import { Args } from '@oclif/core';
import type { InvoiceRecord } from '../src/codec/api-invoices.js';
import { actorFlag, AgentCommand } from '../src/cli/command.js';
import { invoiceLines } from '../src/cli/invoices.js';

export default class InvoiceCancel extends AgentCommand<InvoiceRecord> {
  static override description = `Cancel an invoice that awaits payment. A later payment of it cannot be settled.
The mission can be invoiced again.`;
  static override examples = ['<%= config.bin %> invoice-cancel 0f8fad5b-d9cb-469f-a165-70867728950e'];
  static override args = { id: Args.string({ description: 'the UUID of the mission or of the invoice', required: true }) };
  static override flags = { as: actorFlag };

  protected async act(): Promise<InvoiceRecord> {
    const { args, flags } = await this.parse(InvoiceCancel);
    const { cancelInvoice } = await import('../src/app/invoices/issue.js');
    return this.withHome(flags.home, (home) => cancelInvoice(home, args.id, flags.as));
  }

  protected present(invoice: InvoiceRecord): readonly string[] {
    return invoiceLines(invoice);
  }
}
