/** Receipts: one row for each transfer that paid an invoice. */
import { canonicalJson } from '../base/canonical-json.js';
import { receiptEvidence } from '../codec/events/invoice.js';
import { decode, object, required, text } from '../codec/kit.js';
import { actor, sequence, time, uuid } from '../codec/scalars.js';
import { type Receipt, type ReceiptEvent, receiptStream } from '../domain/invoice.js';
import type { Db } from '../store/database.js';
import { rowProjector } from './project.js';
import { readNewestOf, readOne } from './read.js';
import { decoded, named, parsed, type RowTable } from './table.js';

/** One row a receipt: the transfer that it consumed, and the evidence as canonical JSON. */
const ddl = `CREATE TABLE receipt(
  revision INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  mission TEXT NOT NULL,
  recorded_at TEXT NOT NULL,
  evidence TEXT NOT NULL
) STRICT;
`;

const columns = ['revision', 'key', 'mission', 'recorded_at', 'evidence'] as const;

const { mission: _mission, ...evidence } = receiptEvidence.fields;
const receiptCodec = object('ReceiptRow', {
  ...evidence,
  mission: required(uuid),
  actor: required(actor),
  key: required(text()),
  recorded_at: required(time),
  revision: required(sequence),
});

const receiptTable: RowTable<Receipt, ReceiptEvent> = {
  stream: receiptStream,
  name: 'receipt',
  version: 1,
  columns,
  key: 'key',
  rowsOf: ({ revision, key, mission, recorded_at, ...rest }) => [[revision, key, mission, recorded_at, canonicalJson(rest)]],
  stateOf([row]) {
    if (row === undefined) return null;
    const { evidence: json, ...values } = named(columns, row);
    const rest = parsed('receipt', json);
    return decoded('receipt', decode(receiptCodec, typeof rest === 'object' ? { ...values, ...rest } : null));
  },
  codes: ['known'],
  codeOf: () => 'known',
  groupsOf: ({ mission }) => [mission],
};

export const receiptsProjector = rowProjector(receiptTable, { name: 'receipts', ddl });

/** Returns the receipt of a transfer; null while it has paid nothing. */
export const readReceipt = (db: Db, key: string): Receipt | null => readOne(db, receiptTable, key);

/** Returns the receipt of a mission's payment, or null. */
export const missionReceipt = (db: Db, mission: string): Receipt | null => readNewestOf(db, receiptTable, mission);
