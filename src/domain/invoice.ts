/** The lifecycle of an invoice: awaiting payment, then paid, cancelled or expired. A mission has at most one that awaits payment. */
import * as E from 'fp-ts/lib/Either.js';
import type * as t from 'io-ts';
import { invalid, ok, type Refusal, type Result } from '../base/refusal.js';
import type { Documents } from '../codec/event.js';
import { invoiceTerms, receiptEvidence } from '../codec/events/invoice.js';
import { type Mission, stateWords } from '../codec/record.js';
import type { Control } from './control.js';
import { pausedRefusal } from './mission-decide.js';
import { type EventContext, type EventIn, streams } from './stream.js';
import { hash32, sameAddress, type SettlementReason, tokenAddress, transferTopic } from '../codec/chain.js';
import type { PaymentSeen, RpcLog, RpcReceipt } from '../codec/rpc.js';
import { formatTime } from '../base/time.js';
import { choice, nullable, object, required, text } from '../codec/kit.js';
import { actor, count, sequence, time } from '../codec/scalars.js';

export const invoiceStates = ['awaiting_payment', 'paid', 'cancelled', 'expired'] as const;

/** An invoice, by the entry that issued it, so that pages go from the newest. Amounts are texts: they exceed 2^63. */
export const invoiceCodec = object('InvoiceRow', {
  /** Sequence of the entry that issued it. */
  issued_seq: required(sequence),
  id: required(text({ min: 1 })),
  state: required(choice(...invoiceStates)),
  ...invoiceTerms,
  /** The transfer that paid it; null before that. */
  transaction_hash: required(nullable(hash32)),
  log_index: required(nullable(count)),
  created_at: required(time),
  /** Sequence of its newest event. */
  revision: required(sequence),
});

export type Invoice = t.TypeOf<typeof invoiceCodec>;

export type InvoiceEvent = EventIn<'invoice.'>;

export const invoiceStream = streams<Invoice, 'invoice.'>('@invoice:', {
  noun: 'invoice',
  events: ['invoice.'],
  evolve: evolveInvoice,
});

function evolveInvoice(invoice: Invoice | null, { type, document }: InvoiceEvent, at: EventContext): Invoice | null {
  const { id, sequence: revision, time } = at;
  if (type === 'invoice.issued') {
    const { actor: _1, via: _2, ...terms } = document;
    const unpaid = { transaction_hash: null, log_index: null };
    return { ...terms, ...unpaid, id, state: 'awaiting_payment', created_at: time, issued_seq: revision, revision };
  }
  if (invoice === null) return null;
  if (type !== 'invoice.paid') return { ...invoice, state: type === 'invoice.cancelled' ? 'cancelled' : 'expired', revision };
  const { transaction_hash, log_index } = document;
  return { ...invoice, state: 'paid', transaction_hash, log_index, revision };
}

/** Whether the time in which an invoice may be paid is over at a time; a payment made before may still be settled. */
export const isOverdue = ({ state, expires_at }: Pick<Invoice, 'state' | 'expires_at'>, now: string): boolean =>
  state === 'awaiting_payment' && expires_at !== null && now > expires_at;

/** Returns why nothing can be invoiced for a mission now, or null. @param newest its newest invoice */
export function invoiceRefusal(
  control: Control,
  { id, state }: Pick<Mission, 'id' | 'state'>,
  newest: Invoice | null,
  now: string,
): Refusal | null {
  if (control.state === 'paused') return pausedRefusal;
  if (state !== 'completed')
    return {
      code: 'wrong_state',
      detail: `mission ${id} is ${stateWords(state)}; only approved work can be invoiced`,
      facts: { state },
    };
  if (newest?.state === 'paid') return { code: 'wrong_state', detail: `mission ${id} was paid`, hint: `agent-cli show ${id}` };
  if (newest?.state !== 'awaiting_payment' || isOverdue(newest, now)) return null;
  return {
    code: 'wrong_state',
    detail: `mission ${id} has an invoice that awaits payment; once it is cancelled, no payment of it can be settled`,
    facts: { invoice: newest.id },
    hint: `agent-cli show ${id}`,
  };
}

interface Issue {
  readonly control: Control;
  readonly mission: Pick<Mission, 'id' | 'state' | 'result_hash'>;
  readonly newest: Invoice | null;
  readonly now: string;
  readonly document: Documents['invoice.issued'];
}

/** Decides to issue an invoice, by events and the ids of their invoices; one before it whose time is over ends with that. @param id of the new one */
export function decideInvoice(
  id: string,
  { control, mission, newest, now, document }: Issue,
): Result<readonly { readonly invoice: string; readonly event: InvoiceEvent }[]> {
  const refusal = invoiceRefusal(control, mission, newest, now);
  if (refusal !== null) return E.left(refusal);
  if (sameAddress(document.payer, document.recipient)) return E.left(invalid('payer', 'is the bound address itself'));
  if (mission.result_hash !== document.result_hash)
    return E.left({ code: 'conflict', detail: 'the mission changed while the chain was read; try again' });
  const issued = { invoice: id, event: { type: 'invoice.issued', document } } as const;
  const { actor } = document;
  return newest?.state === 'awaiting_payment'
    ? ok([{ invoice: newest.id, event: { type: 'invoice.expired', document: { actor } } }, issued])
    : ok([issued]);
}

/** Decides to cancel an invoice that awaits payment. */
export function decideInvoiceCancel(control: Control, { id, state }: Invoice, actor: string): Result<readonly InvoiceEvent[]> {
  if (control.state === 'paused') return E.left(pausedRefusal);
  if (state === 'awaiting_payment') return ok([{ type: 'invoice.cancelled', document: { actor } }]);
  return E.left({ code: 'wrong_state', detail: `invoice ${id} is ${state}`, facts: { state }, hint: 'agent-cli invoices' });
}

/** Receipts: the evidence of a payment. The stream is named by the transfer, so a transfer pays at most one invoice. */
export const receiptCodec = object('ReceiptRow', {
  /** Sequence of the entry that recorded it. */
  revision: required(sequence),
  /** `<chain>:<transaction>:<log>`. */
  key: required(text()),
  ...receiptEvidence.fields,
  actor: required(actor),
  recorded_at: required(time),
});
export type Receipt = t.TypeOf<typeof receiptCodec>;

export type ReceiptEvent = EventIn<'receipt.recorded'>;

export const receiptStream = streams<Receipt, 'receipt.recorded'>('@receipt:', {
  noun: 'receipt',
  events: ['receipt.recorded'],
  evolve(receipt, { document }: ReceiptEvent, { id: key, sequence: revision, time: recorded_at }: EventContext) {
    const { via: _, ...recorded } = document;
    return receipt ?? { ...recorded, key, recorded_at, revision };
  },
});

/** Returns the name of a transfer on a chain, which is consumed once. */
export const transferKey = (chainId: number, transaction: string, log: number): string => `${chainId}:${transaction}:${log}`;

// Judges whether a transaction paid an invoice, by what a node says of it. Nothing but the exact transfer counts.

export type Judgement =
  | { readonly outcome: 'paid'; readonly log: RpcLog }
  | { readonly outcome: 'not_yet'; readonly detail: string }
  | RefusedPayment;
export interface RefusedPayment {
  readonly outcome: 'refused';
  readonly reason: SettlementReason;
  readonly detail: string;
}

export const refused = (reason: SettlementReason, detail: string): RefusedPayment => ({ outcome: 'refused', reason, detail });
const notYet = (detail: string): Judgement => ({ outcome: 'not_yet', detail });

type Terms = Pick<Invoice, 'payer' | 'recipient' | 'amount_units' | 'issued_after_block' | 'expires_at'>;

export const blockTime = (seconds: number): string => formatTime(seconds * 1_000);

/** Returns why the transaction as a whole cannot pay the invoice, or null. */
function transactionJudgement(invoice: Terms, transaction: string, { at, receipt, block }: PaymentSeen): Judgement | null {
  if (receipt === null) return notYet('the transaction is in no block');
  const { blockNumber, blockHash } = receipt;
  if (blockNumber > at.number) return notYet(`block ${blockNumber} is not confirmed yet; block ${at.number} is`);
  if (block === null || block.number !== blockNumber) return refused('node_inconsistent', `the node has no block ${blockNumber}`);
  if (block.hash !== blockHash)
    return refused('block_not_canonical', `the transaction is in block ${blockNumber}, which was reorganised away`);
  if (!isConsistent(transaction, receipt)) return refused('node_inconsistent', "the receipt's parts do not belong together");
  if (receipt.status !== '0x1') return refused('transaction_failed', 'the transaction failed, so nothing was transferred');
  if (blockNumber <= invoice.issued_after_block)
    return refused('predates_invoice', `block ${blockNumber} is not after block ${invoice.issued_after_block}`);
  if (invoice.expires_at !== null && blockTime(block.timestamp) > invoice.expires_at)
    return refused('invoice_not_open', `the payment was made after ${invoice.expires_at}`);
  return null;
}

const isConsistent = (transaction: string, { transactionHash, blockHash, blockNumber, logs }: RpcReceipt): boolean =>
  transactionHash === transaction &&
  new Set(logs.map(({ logIndex }) => logIndex)).size === logs.length &&
  logs.every(
    (log) =>
      log.transactionHash === transaction && (log.removed || (log.blockHash === blockHash && log.blockNumber === blockNumber)),
  );

/** Judges one transfer. @param logIndex among all logs of the block */
export function judgePayment(invoice: Terms, transaction: string, logIndex: number, seen: PaymentSeen): Judgement {
  const whole = transactionJudgement(invoice, transaction, seen);
  if (whole !== null) return whole;
  const log = seen.receipt?.logs.find((entry) => entry.logIndex === logIndex);
  if (log === undefined) return refused('log_missing', `the transaction has no log ${logIndex}`);
  return logRefusal(invoice, log) ?? { outcome: 'paid', log };
}

/**
 * Returns the indices of the logs that pay the invoice; a judgement where the transaction as a whole cannot, or its only log does not. Those of
 * other contracts, as of a wallet that is one, are of no account beside one of the token.
 */
export function findPayments(invoice: Terms, transaction: string, seen: PaymentSeen): Judgement | readonly number[] {
  const whole = transactionJudgement(invoice, transaction, seen);
  if (whole !== null) return whole;
  const logs = seen.receipt?.logs ?? [];
  const own = logs.filter(({ address }) => sameAddress(address, tokenAddress));
  const [first, ...more] = own.length > 0 ? own : logs;
  if (first !== undefined && more.length === 0) return judgePayment(invoice, transaction, first.logIndex, seen);
  return logs.filter((log) => logRefusal(invoice, log) === null).map(({ logIndex }) => logIndex);
}

/** Returns why a log is not the payment, or null. */
function logRefusal(
  { payer, recipient, amount_units }: Terms,
  { removed, address, topics, data }: RpcLog,
): RefusedPayment | null {
  if (removed) return refused('log_removed', 'the node says that a reorganisation removed the log');
  if (!sameAddress(address, tokenAddress)) return refused('wrong_token', 'another contract emitted the log');
  const [topic, from, to] = topics;
  if (topic !== transferTopic || topics.length !== 3 || data.length !== word_chars)
    return refused('log_missing', "the log is one of the token's, but no transfer");
  if (from !== wordOf(payer)) return refused('wrong_sender', 'the transfer is from another address');
  if (to !== wordOf(recipient)) return refused('wrong_recipient', 'the transfer is to another address');
  if (BigInt(data) === BigInt(amount_units)) return null;
  return refused('wrong_amount', `the transfer is of ${BigInt(data)} base units, not ${amount_units}`);
}

/** `0x` and the 64 digits of a word. */
const word_chars = 66;
/** Returns an address as a word of 32 bytes, as topics have it. */
const wordOf = (address: string): string => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;
