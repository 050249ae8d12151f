/** Receipts: one row for each transfer that paid an invoice. */
import { type Receipt, receiptCodec, receiptStream } from '../domain/invoice.js';
import type { Db } from '../store/database.js';
import { readNewestOf, readOne, takeGroup } from './read.js';
import { defineRowTable } from '../state/rows.js';

export const receiptTable = defineRowTable<Receipt>({
  stream: receiptStream,
  name: 'receipt',
  projection: 'receipts',
  version: 3,
  row: receiptCodec,
  unique: ['key'],
  key: 'key',
  groupsOf: ({ mission, transaction_hash }) => [mission, transaction_hash],
});

/** Returns the receipt of a transfer; null while it has paid nothing. */
export const readReceipt = (db: Db, key: string): Receipt | null => readOne(db, receiptTable, key);

/** Returns the receipt of a mission's payment, or null. */
export const missionReceipt = (db: Db, mission: string): Receipt | null => readNewestOf(db, receiptTable, mission);

/** Returns the receipts of a transaction's transfers, on whatever chain. */
export const transactionReceipts = (db: Db, transaction: string): Receipt[] => takeGroup(db, receiptTable, transaction);
