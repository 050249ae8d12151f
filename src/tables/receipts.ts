/** Receipts: one row for each transfer that paid an invoice. */
import { canonicalJson } from '../base/canonical-json.js';
import { receiptEvidence } from '../codec/events/invoice.js';
import { decode, object, required, text } from '../codec/kit.js';
import { actor, sequence, time, uuid } from '../codec/scalars.js';
import { type Receipt, receiptStream } from '../domain/invoice.js';
import type { Db } from '../store/database.js';
import { readNewestOf, readOne } from './read.js';
import { decoded, defineTable, named, parsed } from '../state/table.js';

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

export const receiptTable = defineTable<Receipt>({
  stream: receiptStream,
  name: 'receipt',
  projection: 'receipts',
  ddl,
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
  groupsOf: ({ mission }) => [mission],
});

/** Returns the receipt of a transfer; null while it has paid nothing. */
export const readReceipt = (db: Db, key: string): Receipt | null => readOne(db, receiptTable, key);

/** Returns the receipt of a mission's payment, or null. */
export const missionReceipt = (db: Db, mission: string): Receipt | null => readNewestOf(db, receiptTable, mission);
