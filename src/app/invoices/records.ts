/** The list of invoices, and the invoice that a person names. */
import { type Candidate, idNamed } from '../../base/id-prefix.js';
import { type AskedPage, pageOf } from '../../base/page.js';
import type { InvoiceList } from '../../codec/api-invoices.js';
import { invoicesWithPrefix, listInvoices } from '../../tables/invoices.js';
import type { Db } from '../../store/database.js';
import type { Home } from '../home/home.js';
import { uuids } from '../missions/named.js';
import { invoiceRecord } from '../missions/record.js';

/** Returns one page of invoices, the newest first. */
export function invoices(home: Home, asked: AskedPage): InvoiceList {
  const page = pageOf(
    asked,
    (before, limit) => listInvoices(home.db, { before, limit }),
    ({ issued_seq }) => issued_seq,
  );
  return { ...page, items: page.items.map((invoice) => invoiceRecord(home, invoice)) };
}

/** Returns an invoice's id, or that of the mission that has invoices. @throws RefusalError `invalid`, `not_found` */
export const invoiceNamed = (db: Db, given: string): string =>
  idNamed({ ...uuids, noun: 'invoice', hint: 'agent-cli invoices' }, given, (prefix, limit) => {
    const found = invoicesWithPrefix(db, prefix, limit).flatMap(({ id, mission, state }): Candidate[] => [
      ...(id.startsWith(prefix) ? [{ id, text: `invoice, ${state}` }] : []),
      ...(mission.startsWith(prefix) ? [{ id: mission, text: 'mission' }] : []),
    ]);
    return found.filter(({ id }, i) => found.findIndex((other) => other.id === id) === i);
  });
