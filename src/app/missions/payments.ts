/** The newest invoice and the receipt of a mission, as records show them. Its own entries never change for a payment. */
import { formatTime } from '../../base/time.js';
import type { InvoiceRecord, ReceiptRecord } from '../../codec/api-invoices.js';
import { environmentOf, inTokens, paymentUri } from '../../codec/chain.js';
import type { Mission, Stage } from '../../codec/record.js';
import { isOverdue, type Invoice } from '../../domain/invoice.js';
import type { Receipt } from '../../domain/receipt.js';
import { readEntries } from '../../rows/compare.js';
import { missionReceipt, newestInvoice } from '../../rows/invoices.js';
import type { Home } from '../home/home.js';

export function invoiceRecord({ world }: Pick<Home, 'world'>, invoice: Invoice): InvoiceRecord {
  const { issued_seq: _1, revision: _2, ...shown } = invoice;
  const { chain_id, recipient, amount_units } = shown;
  return {
    ...shown,
    state: isOverdue(invoice, formatTime(world.clock())) ? 'expired' : shown.state,
    amount: inTokens(amount_units),
    environment: environmentOf(chain_id),
    uri: paymentUri(chain_id, recipient, amount_units),
  };
}

export function receiptRecord({ key: _1, revision: _2, actor: _3, ...shown }: Receipt): ReceiptRecord {
  return shown;
}

export interface Payments {
  readonly invoice: InvoiceRecord | null;
  readonly receipt: ReceiptRecord | null;
}

/** Returns the newest invoice and the receipt of a mission. Only a completed mission has any. */
export function paymentsOf(home: Pick<Home, 'db' | 'world'>, { id, state }: Mission): Payments {
  if (state !== 'completed') return { invoice: null, receipt: null };
  const invoice = readEntries(home.db, () => newestInvoice(home.db, id));
  const receipt = readEntries(home.db, () => missionReceipt(home.db, id));
  return {
    invoice: invoice === null ? null : invoiceRecord(home, invoice),
    receipt: receipt === null ? null : receiptRecord(receipt),
  };
}

/** Returns the stages with the revenue that a receipt proves. The recorded stage of the market is older than any payment. */
export function withRevenue(stages: readonly Stage[], receipt: ReceiptRecord | null): readonly Stage[] {
  if (receipt === null) return stages;
  const { amount_units, token, chain_id, environment } = receipt;
  const realized_revenue = { amount: inTokens(amount_units), amount_units, token, chain_id, environment };
  return stages.map((stage) =>
    stage.role === 'market' ? { ...stage, detail: { ...stage.detail, realized_revenue, token_settlement: 'recorded' } } : stage,
  );
}
