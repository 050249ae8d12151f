/** Invoices as commands and the operator's HTTP API take and return them. */
import type * as t from 'io-ts';
import { invoice_expiry_days_max, page_items_max } from '../base/limits.js';
import { address, amountUnits, environment, hash32, settlementReason } from './chain.js';
import { receiptEvidence } from './events/invoice.js';
import { choice, flag, integer, list, nullable, object, optional, required, text } from './kit.js';
import { count, hash, time, uuid } from './scalars.js';

export const invoiceRecordCodec = object('InvoiceRecord', {
  id: required(uuid),
  mission: required(uuid),
  /** `expired` once the time to pay is over; a payment made before may still be settled. */
  state: required(choice('awaiting_payment', 'paid', 'cancelled', 'expired')),
  payer: required(address),
  recipient: required(address),
  amount_units: required(amountUnits),
  /** The same in tokens. */
  amount: required(text()),
  chain_id: required(integer(1, Number.MAX_SAFE_INTEGER)),
  environment: required(environment),
  chain_config_hash: required(hash),
  result_hash: required(hash),
  issued_after_block: required(count),
  expires_at: required(nullable(time)),
  created_at: required(time),
  /** EIP-681. */
  uri: required(text()),
  transaction_hash: required(nullable(hash32)),
  log_index: required(nullable(count)),
});
export type InvoiceRecord = t.TypeOf<typeof invoiceRecordCodec>;

export const invoiceListCodec = object('InvoiceList', {
  items: required(list(invoiceRecordCodec, 0, page_items_max)),
  /** Sent as `cursor` it returns the next page; null at the end. */
  next_cursor: required(nullable(text({ pattern: /^[1-9][0-9]{0,15}$/ }))),
});
export type InvoiceList = t.TypeOf<typeof invoiceListCodec>;

/** Exactly one of `amount` and `amount_units`. */
export const invoiceBody = object('InvoiceBody', {
  payer: required(text({ max: 100 })),
  amount: optional(text({ max: 100 })),
  amount_units: optional(text({ max: 100 })),
  expires_in_days: optional(integer(1, invoice_expiry_days_max)),
});
export type InvoiceBody = t.TypeOf<typeof invoiceBody>;

/** The id of an invoice or of its mission. */
export const invoiceParams = object('InvoiceParams', { id: required(uuid) });

export const settleBody = object('SettleBody', {
  /** The hash of the paying transaction: 0x and 64 hexadecimal digits in any case. */
  transaction: required(text({ max: 100 })),
  /** Among all logs of the block; without it the transaction's one matching log is found. */
  log_index: optional(count),
});

/** The evidence of a payment, and when it was recorded. */
export const receiptRecordCodec = object('ReceiptRecord', { ...receiptEvidence.fields, recorded_at: required(time) });
export type ReceiptRecord = t.TypeOf<typeof receiptRecordCodec>;

export const settleReportCodec = object('SettleReport', {
  /** Only `settled` records anything, unless it is `already_recorded`. */
  outcome: required(choice('settled', 'not_yet', 'refused')),
  /** Why it is refused; null for the other outcomes. */
  reason: required(nullable(settlementReason)),
  detail: required(text()),
  receipt: required(nullable(receiptRecordCodec)),
  /** There where the payment was settled before, and nothing was recorded now. */
  already_recorded: optional(choice(true)),
});
export type SettleReport = t.TypeOf<typeof settleReportCodec>;

export const receiptVerificationCodec = object('ReceiptVerification', {
  valid: required(flag),
  /** The first failed check's reason; null for a valid receipt. */
  reason: required(nullable(settlementReason)),
  detail: required(text()),
  /** Head − block + 1 now; null where the block is not on the chain any more. */
  confirmations: required(nullable(count)),
  environment: required(environment),
  checks: required(list(object('ReceiptCheck', { name: required(text()), ok: required(flag) }), 0, 100)),
});
export type ReceiptVerification = t.TypeOf<typeof receiptVerificationCodec>;
