/** Invoices and the queries over them. */
import { type Invoice, invoiceCodec, invoiceStates, invoiceStream } from '../domain/invoice.js';
import { defineRowTable } from '../state/rows.js';
import type { Db } from '../store/database.js';
import { beginning, readByPrefix, readNewestOf, readOne, takeGroup } from './read.js';

/** The groups of all invoices, and of those of a mission. */
const every = 'every';
const ofMission = (mission: string): string => `of:${mission}`;

export const invoiceTable = defineRowTable<Invoice>({
  stream: invoiceStream,
  name: 'invoice',
  projection: 'invoices',
  version: 2,
  row: invoiceCodec,
  unique: ['id'],
  key: 'id',
  codes: invoiceStates,
  codeOf: ({ state }) => state,
  groupsOf: ({ mission }) => [every, ofMission(mission)],
});

export const readInvoice = (db: Db, id: string): Invoice | null => readOne(db, invoiceTable, id);

export const newestInvoice = (db: Db, mission: string): Invoice | null => readNewestOf(db, invoiceTable, ofMission(mission));

/** Returns the invoices whose own id or whose mission's id begins with a prefix, the newest first. The ids come from the table. */
export const invoicesWithPrefix = (db: Db, prefix: string, limit: number): Invoice[] =>
  readByPrefix(db, invoiceTable, prefix, limit, `${beginning} OR substr(mission, 1, @length) = @prefix ORDER BY issued_seq DESC`);

export interface InvoicePage {
  /** Only invoices that an earlier entry issued: the page after the one that ended there. */
  readonly before?: number | undefined;
  readonly limit: number;
}

/** Returns invoices, the newest first. */
export const listInvoices = (db: Db, { before, limit }: InvoicePage): Invoice[] =>
  takeGroup(db, invoiceTable, every, limit, before);
