import { Flags } from '@oclif/core';
import type { InvoiceList } from '../src/codec/api-invoices.js';
import { AgentCommand, type ParsedInput } from '../src/cli/command.js';
import { invoiceTable } from '../src/cli/invoices.js';
import { filterWords } from '../src/cli/mission-filters.js';

export default class Invoices extends AgentCommand<InvoiceList> {
  static override description =
    'List invoices, the newest first: what awaits payment, and what was paid, cancelled or has expired.';
  static override examples = ['<%= config.bin %> invoices', '<%= config.bin %> invoices --limit 10 --json'];
  static override flags = {
    limit: Flags.integer({ description: 'how many', helpValue: 'N' }),
    cursor: Flags.string({ description: 'next_cursor of the previous page', helpValue: 'CURSOR' }),
  };

  /** The flag that the next page needs again. */
  private limit = '';

  protected async act({ flags }: ParsedInput<typeof Invoices>): Promise<InvoiceList> {
    this.limit = filterWords({ limit: flags.limit });
    const { invoices } = await import('../src/app/invoices/issue.js');
    return this.withHome((home) => invoices(home, flags));
  }

  protected present({ items, next_cursor }: InvoiceList): readonly string[] {
    if (items.length === 0) return ['no invoices'];
    const more = next_cursor === null ? [] : [`more: agent-cli invoices --cursor ${next_cursor}${this.limit}`];
    return [...invoiceTable(items), ...more];
  }
}
