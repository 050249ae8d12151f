/** The list of invoices, and the invoice that a person names. */
import { type Candidate, idNamed } from '../../base/id-prefix.js';
import { page_items_default, page_items_max } from '../../base/limits.js';
import { invalid } from '../../base/refusal.js';
import { RefusalError } from '../../base/result.js';
import type { InvoiceList } from '../../codec/api-invoices.js';
import { invoicesWithPrefix, listInvoices } from '../../tables/invoices.js';
import type { Db } from '../../store/database.js';
import type { Home } from '../home/home.js';
import { uuids } from '../missions/named.js';
import { invoiceRecord } from '../missions/record.js';

interface InvoicesOptions {
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

/** Returns one page of invoices, the newest first. */
export function invoices(home: Home, { cursor, limit = page_items_default }: InvoicesOptions): InvoiceList {
  if (cursor !== undefined && !/^[1-9][0-9]{0,15}$/.test(cursor))
    throw new RefusalError(invalid('cursor', 'is not the next_cursor of a page'));
  if (!Number.isInteger(limit) || limit < 1 || limit > page_items_max)
    throw new RefusalError(invalid('limit', `must be from 1 to ${page_items_max}`));
  const before = cursor === undefined ? undefined : Number(cursor);
  const found = listInvoices(home.db, { before, limit: limit + 1 });
  const page = found.slice(0, limit);
  const next_cursor = found.length > limit ? String(page.at(-1)?.issued_seq) : null;
  return { items: page.map((invoice) => invoiceRecord(home, invoice)), next_cursor };
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
