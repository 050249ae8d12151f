/** Receipts: one row for each transfer that paid an invoice. */
import { receiptEvidence } from '../codec/events/invoice.js';
import { object, required, text } from '../codec/kit.js';
import { actor, sequence, time, uuid } from '../codec/scalars.js';
import { type Receipt, receiptStream } from '../domain/invoice.js';
import type { Db } from '../store/database.js';
import { readNewestOf, readOne, takeGroup } from './read.js';
import { rowForm } from '../state/rows.js';
import { defineTable } from '../state/table.js';

/** One row a receipt: the transfer that it consumed, and the evidence as canonical JSON. */
const { mission: _mission, ...evidence } = receiptEvidence.fields;
const { write, read, ...form } = rowForm(
  'receipt',
  object('ReceiptRow', {
    revision: required(sequence),
    key: required(text()),
    mission: required(uuid),
    recorded_at: required(time),
    evidence: required(object('ReceiptEvidence', { ...evidence, actor: required(actor) })),
  }),
  ['key'],
);

export const receiptTable = defineTable<Receipt>({
  stream: receiptStream,
  name: 'receipt',
  projection: 'receipts',
  version: 2,
  ...form,
  key: 'key',
  rowsOf: ({ revision, key, mission, recorded_at, ...rest }) => [write({ revision, key, mission, recorded_at, evidence: rest })],
  stateOf([row]) {
    if (row === undefined) return null;
    const { evidence: rest, ...values } = read(row);
    return { ...values, ...rest };
  },
  groupsOf: ({ mission, transaction_hash }) => [mission, transaction_hash],
});

/** Returns the receipt of a transfer; null while it has paid nothing. */
export const readReceipt = (db: Db, key: string): Receipt | null => readOne(db, receiptTable, key);

/** Returns the receipt of a mission's payment, or null. */
export const missionReceipt = (db: Db, mission: string): Receipt | null => readNewestOf(db, receiptTable, mission);

/** Returns the receipts of a transaction's transfers, on whatever chain. */
export const transactionReceipts = (db: Db, transaction: string): Receipt[] => takeGroup(db, receiptTable, transaction);
