/** Invoices and receipts, each compared with the signed entries of its stream. */
import type { Invoice, InvoiceEvent } from '../domain/invoice.js';
import type { Receipt, ReceiptEvent } from '../domain/receipt.js';
import type { Event } from '../codec/event.js';
import { requireSigned, type StreamPlace } from '../journal/stream.js';
import { invoiceTable } from '../projection/invoices.js';
import { receiptTable } from '../projection/receipts.js';
import type { Db } from '../store/database.js';
import type { CheckedTable } from './compare.js';
import { connectionOf, isDamaged, isSmall } from './connection.js';
import { readByEntries, readMany, readOne } from './read.js';

/** Money is decided by these, so the signature of every entry is checked. */
const invoices: CheckedTable<Invoice, InvoiceEvent> = { ...invoiceTable, check: requireSigned };
const receipts: CheckedTable<Receipt, ReceiptEvent> = { ...receiptTable, check: requireSigned };
const selectInvoice = `SELECT ${invoiceTable.columns.join(', ')} FROM invoice`;
const selectReceipt = `SELECT ${receiptTable.columns.join(', ')} FROM receipt`;

export const readInvoice = (db: Db, id: string): Invoice | null => readOne(db, invoices, id, `${selectInvoice} WHERE id = ?`, id);

/** Returns the newest invoice of a mission, or null. */
export const newestInvoice = (db: Db, mission: string): Invoice | null =>
  newestOf(db, mission, invoices, `${selectInvoice} WHERE mission = ? ORDER BY issued_seq DESC LIMIT 1`, (id) =>
    readInvoice(db, id),
  );

/** Returns the invoices whose own id or whose mission's id begins with a prefix, the newest first. */
export const invoicesWithPrefix = (db: Db, prefix: string, limit: number): Invoice[] =>
  connectionOf(db).snapshot(() =>
    readMany(
      db,
      invoices,
      `${selectInvoice} WHERE substr(id, 1, @length) = @prefix OR substr(mission, 1, @length) = @prefix ORDER BY issued_seq DESC LIMIT @limit`,
      { length: prefix.length, prefix, limit },
    ),
  );

/**
 * Returns the newest state of a mission that a query selects. Its signed entries are searched instead once damage is tolerated, and in a small
 * journal also when the table has none: a row that names another mission is found so.
 */
function newestOf<State extends { readonly mission: string }, A extends Event>(
  db: Db,
  mission: string,
  table: CheckedTable<State, A>,
  query: string,
  read: (id: string) => State | null,
): State | null {
  return connectionOf(db).snapshot(() => {
    const [found] = isDamaged(db) ? [] : readMany(db, table, query, mission);
    if (found !== undefined && !isDamaged(db)) return found;
    if (!isDamaged(db) && !isSmall(db)) return null;
    for (const state of readByEntries(db, table, read, newestFirst)) if (state.mission === mission) return state;
    return null;
  });
}

const newestFirst = (one: StreamPlace, other: StreamPlace): number => other.first - one.first;

export interface InvoicePage {
  /** Only invoices that an earlier entry issued: the page after the one that ended there. */
  readonly before?: number | undefined;
  readonly limit: number;
}

/** Returns invoices, the newest first. */
export const listInvoices = (db: Db, { before = Number.MAX_SAFE_INTEGER, limit }: InvoicePage): Invoice[] =>
  connectionOf(db).snapshot(() => {
    const query = `${selectInvoice} WHERE issued_seq < ? ORDER BY issued_seq DESC LIMIT ?`;
    const found = isDamaged(db) ? [] : readMany(db, invoices, query, before, limit);
    if (!isDamaged(db)) return found;
    const all = [...readByEntries(db, invoices, (id) => readInvoice(db, id), newestFirst)];
    return all.filter(({ issued_seq }) => issued_seq < before).slice(0, limit);
  });

/** Returns the receipt of a transfer; null while it has paid nothing. */
export const readReceipt = (db: Db, key: string): Receipt | null =>
  readOne(db, receipts, key, `${selectReceipt} WHERE key = ?`, key);

/** Returns the receipt of a mission's payment, or null. */
export const missionReceipt = (db: Db, mission: string): Receipt | null =>
  newestOf(db, mission, receipts, `${selectReceipt} WHERE mission = ? ORDER BY revision DESC LIMIT 1`, (key) =>
    readReceipt(db, key),
  );
