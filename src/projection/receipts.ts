/** Projection of receipts: one row for each transfer that paid an invoice. */
import { canonicalJson } from '../base/canonical-json.js';
import { receiptEvidence } from '../codec/events/invoice.js';
import { decode, object, required, text } from '../codec/kit.js';
import { actor, sequence, time, uuid } from '../codec/scalars.js';
import { receiptStream, type Receipt, type ReceiptEvent } from '../domain/receipt.js';
import { projectionDdl } from './ddl.js';
import { rowProjector } from './project.js';
import { decoded, named, parsed, type Table } from './table.js';

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
  ddl: projectionDdl('receipts.v1.sql'),
  key: 'key',
});
