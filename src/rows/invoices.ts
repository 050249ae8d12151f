/** Invoices and receipts, each compared with the signed entries of its stream. */
import type { Invoice, InvoiceEvent } from '../domain/invoice.js';
import type { Receipt, ReceiptEvent } from '../domain/receipt.js';
import { requireSigned } from '../journal/stream.js';
import { invoiceTable } from '../projection/invoices.js';
import { receiptTable } from '../projection/receipts.js';
import type { Db } from '../store/database.js';
import type { CheckedTable } from './compare.js';
import { connectionOf } from './connection.js';
import { readMany, readOne } from './read.js';

/** Money is decided by these, so the signature of every entry is checked. */
const invoices: CheckedTable<Invoice, InvoiceEvent> = { ...invoiceTable, check: requireSigned };
const receipts: CheckedTable<Receipt, ReceiptEvent> = { ...receiptTable, check: requireSigned };
const selectInvoice = `SELECT ${invoiceTable.columns.join(', ')} FROM invoice`;
const selectReceipt = `SELECT ${receiptTable.columns.join(', ')} FROM receipt`;

export const readInvoice = (db: Db, id: string): Invoice | null => readOne(db, invoices, id, `${selectInvoice} WHERE id = ?`, id);

/** Returns the newest invoice of a mission, or null. */
export const newestInvoice = (db: Db, mission: string): Invoice | null =>
  connectionOf(db).snapshot(
    () => readMany(db, invoices, `${selectInvoice} WHERE mission = ? ORDER BY issued_seq DESC LIMIT 1`, mission)[0] ?? null,
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

export interface InvoicePage {
  /** Only invoices that an earlier entry issued: the page after the one that ended there. */
  readonly before?: number | undefined;
  readonly limit: number;
}

/** Returns invoices, the newest first. */
export const listInvoices = (db: Db, { before = Number.MAX_SAFE_INTEGER, limit }: InvoicePage): Invoice[] =>
  connectionOf(db).snapshot(() =>
    readMany(db, invoices, `${selectInvoice} WHERE issued_seq < ? ORDER BY issued_seq DESC LIMIT ?`, before, limit),
  );

/** Returns the receipt of a transfer; null while it has paid nothing. */
export const readReceipt = (db: Db, key: string): Receipt | null =>
  readOne(db, receipts, key, `${selectReceipt} WHERE key = ?`, key);

/** Returns the receipt of a mission's payment, or null. */
export const missionReceipt = (db: Db, mission: string): Receipt | null =>
  connectionOf(db).snapshot(
    () => readMany(db, receipts, `${selectReceipt} WHERE mission = ? ORDER BY revision DESC LIMIT 1`, mission)[0] ?? null,
  );
