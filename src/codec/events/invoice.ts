/** Events of the streams `@invoice:<uuid>` and `@receipt:<chain>:<transaction>:<log>`. */
import type * as t from 'io-ts';
import { address, amountUnits, environment, hash32, unitsOrZero } from '../chain.js';
import { declare } from '../event-type.js';
import { choice, integer, nullable, object, required } from '../kit.js';
import { causedBy, count, hash, time, uuid } from '../scalars.js';

/** What is asked of whom for which result, and the chain on which a payment counts. */
const terms = {
  mission: required(uuid),
  result_hash: required(hash),
  payer: required(address),
  recipient: required(address),
  amount_units: required(amountUnits),
  chain_id: required(integer(1, Number.MAX_SAFE_INTEGER)),
  /** SHA-256 of the canonical `chain` of the configuration; the address of the node is in no event. */
  chain_config_hash: required(hash),
};

export const invoiceTerms = {
  ...terms,
  /** The head of the chain: a payment in this block or before is none of this invoice. */
  issued_after_block: required(count),
  /** Compared with the time of the paying block; null for no end. */
  expires_at: required(nullable(time)),
};

const transfer = {
  transaction_hash: required(hash32),
  /** Among all logs of the block. */
  log_index: required(count),
};

/** What a stranger needs to find the payment on the chain and to compare it with the invoice. */
export const receiptEvidence = object('ReceiptEvidence', {
  ...terms,
  ...transfer,
  invoice: required(uuid),
  environment: required(environment),
  token: required(address),
  token_code_sha256: required(hash),
  block_number: required(count),
  block_hash: required(hash32),
  block_time: required(time),
  /** Head − block + 1 when the payment was verified. */
  confirmations: required(integer(1, Number.MAX_SAFE_INTEGER)),
  /** The confirmed block to which the verification was bound. */
  verified_at_block: required(count),
  verified_at_hash: required(hash32),
  /** floor(amount · bps / 10 000). Nothing is sent: `executed` is always false. */
  earmark_units: required(unitsOrZero),
  reinvest_bps: required(integer(0, 10_000)),
  executed: required(choice(false)),
});
export type ReceiptEvidence = t.TypeOf<typeof receiptEvidence>;

export const invoiceEvents = [
  declare('invoice.issued', { ...invoiceTerms, ...causedBy }),
  declare('invoice.cancelled', { ...causedBy }),
  /** Another invoice takes the place of one whose time is over. */
  declare('invoice.expired', { ...causedBy }),
  declare('invoice.paid', { ...transfer, ...causedBy }),
  declare('receipt.recorded', { ...receiptEvidence.fields, ...causedBy }),
] as const;
