/** Projection of receipts: one row for each transfer that paid an invoice. */
import { canonicalJson } from '../base/canonical-json.js';
import { receiptEvidence } from '../codec/events/invoice.js';
import { decode, object, required, text } from '../codec/kit.js';
import { actor, sequence, time, uuid } from '../codec/scalars.js';
import { type Receipt, type ReceiptEvent, receiptStream } from '../domain/invoice.js';
import { rowProjector } from './project.js';
import { decoded, named, parsed, type Table } from './table.js';

/** One row a receipt: the transfer that it consumed, and the evidence as canonical JSON. */
const ddl = `CREATE TABLE receipt(
  revision INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  mission TEXT NOT NULL,
  recorded_at TEXT NOT NULL,
  evidence TEXT NOT NULL
) STRICT;
CREATE INDEX receipt_mission ON receipt(mission);
`;

const columns = ['revision', 'key', 'mission', 'recorded_at', 'evidence'] as const;
const key_column = columns.indexOf('key');

const { mission: _mission, ...evidence } = receiptEvidence.fields;
const receiptCodec = object('ReceiptRow', {
  ...evidence,
  mission: required(uuid),
  actor: required(actor),
  key: required(text()),
  recorded_at: required(time),
  revision: required(sequence),
});

export const receiptTable: Table<Receipt, ReceiptEvent> = {
  stream: receiptStream,
  name: 'receipt',
  columns,
  idOf: (row) => String(row[key_column]),
  rowsOf: ({ revision, key, mission, recorded_at, ...rest }) => [[revision, key, mission, recorded_at, canonicalJson(rest)]],
  stateOf([row]) {
    if (row === undefined) return null;
    const { evidence: json, ...values } = named(columns, row);
    const rest = parsed('receipt', json);
    return decoded('receipt', decode(receiptCodec, typeof rest === 'object' ? { ...values, ...rest } : null));
  },
};

export const receiptsProjector = rowProjector(receiptTable, {
  name: 'receipts',
  version: 1,
  ddl,
  key: 'key',
});
