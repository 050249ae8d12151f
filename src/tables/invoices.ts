/** Invoices and receipts, each compared with the signed entries of its stream. */
import { address, amountUnits, hash32 } from '../codec/chain.js';
import type { Event } from '../codec/event.js';
import { choice, decode, integer, nullable, object, required, text } from '../codec/kit.js';
import { count, hash, sequence, time, uuid } from '../codec/scalars.js';
import {
  type Invoice,
  type InvoiceEvent,
  invoiceStates,
  invoiceStream,
  type Receipt,
  type ReceiptEvent,
} from '../domain/invoice.js';
import { requireSigned, type StreamPlace } from '../journal/stream.js';
import { rowProjector } from './project.js';
import { decoded, named, type Table, valuesOf } from './table.js';
import type { Db } from '../store/database.js';
import type { CheckedTable } from './compare.js';
import { connectionOf, isDamaged, isSmall } from './connection.js';
import { readByEntries, readMany, readOne } from './read.js';
import { receiptTable } from './receipts.js';

/** One row an invoice, keyed by the entry that issued it, so that pages go from the newest. Amounts are texts: they exceed 2^63. */
const ddl = `CREATE TABLE invoice(
  issued_seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  mission TEXT NOT NULL,
  state TEXT NOT NULL,
  result_hash TEXT NOT NULL,
  payer TEXT NOT NULL,
  recipient TEXT NOT NULL,
  amount_units TEXT NOT NULL,
  chain_id INTEGER NOT NULL,
  chain_config_hash TEXT NOT NULL,
  issued_after_block INTEGER NOT NULL,
  expires_at TEXT,
  transaction_hash TEXT,
  log_index INTEGER,
  created_at TEXT NOT NULL,
  revision INTEGER NOT NULL
) STRICT;
CREATE INDEX invoice_mission ON invoice(mission);
`;

const rowCodec = object('InvoiceRow', {
  issued_seq: required(sequence),
  id: required(text({ min: 1 })),
  mission: required(uuid),
  state: required(choice(...invoiceStates)),
  result_hash: required(hash),
  payer: required(address),
  recipient: required(address),
  amount_units: required(amountUnits),
  chain_id: required(integer(1, Number.MAX_SAFE_INTEGER)),
  chain_config_hash: required(hash),
  issued_after_block: required(count),
  expires_at: required(nullable(time)),
  transaction_hash: required(nullable(hash32)),
  log_index: required(nullable(count)),
  created_at: required(time),
  revision: required(sequence),
});
const columns = Object.keys(rowCodec.fields);
const id_column = columns.indexOf('id');

const invoiceTable: Table<Invoice, InvoiceEvent> = {
  stream: invoiceStream,
  name: 'invoice',
  columns,
  idOf: (row) => String(row[id_column]),
  rowsOf: (invoice) => [valuesOf(columns, { ...invoice })],
  stateOf: ([row]) => (row === undefined ? null : decoded('invoice', decode(rowCodec, named(columns, row)))),
};

export const invoicesProjector = rowProjector(invoiceTable, {
  name: 'invoices',
  version: 1,
  ddl,
  key: 'id',
});

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
