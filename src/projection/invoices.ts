/** Projection of invoices: one row each. */
import { address, amountUnits, hash32 } from '../codec/chain.js';
import { choice, decode, integer, nullable, object, required, text } from '../codec/kit.js';
import { count, hash, sequence, time, uuid } from '../codec/scalars.js';
import { invoiceStates, invoiceStream, type Invoice, type InvoiceEvent } from '../domain/invoice.js';
import { projectionDdl } from './ddl.js';
import { rowProjector } from './project.js';
import { decoded, named, valuesOf, type Table } from './table.js';

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

export const invoiceTable: Table<Invoice, InvoiceEvent> = {
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
  ddl: projectionDdl('invoices.v1.sql'),
  key: 'id',
});
