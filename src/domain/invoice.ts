/** The lifecycle of an invoice: awaiting payment, then paid, cancelled or expired. A mission has at most one that awaits payment. */
import * as E from 'fp-ts/lib/Either.js';
import { invalid, type Refusal } from '../base/refusal.js';
import { ok, type Result } from '../base/result.js';
import type { Documents } from '../codec/event.js';
import type { ReceiptEvidence } from '../codec/events/invoice.js';
import type { Mission } from '../codec/record.js';
import type { Control } from './control.js';
import { pausedRefusal } from './mission-decide.js';
import { type EventContext, type EventIn, streams } from './stream.js';

export const invoiceStates = ['awaiting_payment', 'paid', 'cancelled', 'expired'] as const;
type InvoiceState = (typeof invoiceStates)[number];

export interface Invoice extends Omit<Documents['invoice.issued'], 'actor'> {
  readonly id: string;
  readonly state: InvoiceState;
  /** The transfer that paid it; null before that. */
  readonly transaction_hash: string | null;
  readonly log_index: number | null;
  readonly created_at: string;
  /** Sequence of the entry that issued it. */
  readonly issued_seq: number;
  /** Sequence of its newest event. */
  readonly revision: number;
}

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
  switch (type) {
    case 'invoice.cancelled':
      return { ...invoice, state: 'cancelled', revision };
    case 'invoice.expired':
      return { ...invoice, state: 'expired', revision };
    case 'invoice.paid': {
      const { transaction_hash, log_index } = document;
      return { ...invoice, state: 'paid', transaction_hash, log_index, revision };
    }
  }
}

/** Whether the time in which an invoice may be paid is over at a time; a payment made before may still be settled. */
export const isOverdue = ({ state, expires_at }: Pick<Invoice, 'state' | 'expires_at'>, now: string): boolean =>
  state === 'awaiting_payment' && expires_at !== null && now > expires_at;

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** Returns why nothing can be invoiced for a mission now, or null. @param newest its newest invoice */
export function invoiceRefusal(
  control: Control,
  { id, state }: Pick<Mission, 'id' | 'state'>,
  newest: Invoice | null,
  now: string,
): Refusal | null {
  if (control.state === 'paused') return pausedRefusal;
  if (state !== 'completed')
    return { code: 'wrong_state', detail: `mission ${id} is ${state}; only approved work can be invoiced`, facts: { state } };
  if (newest?.state === 'paid') return { code: 'wrong_state', detail: `mission ${id} was paid`, hint: `agent-cli show ${id}` };
  if (newest?.state !== 'awaiting_payment' || isOverdue(newest, now)) return null;
  return {
    code: 'wrong_state',
    detail: `mission ${id} has an invoice that awaits payment`,
    facts: { invoice: newest.id },
    hint: `agent-cli invoice-cancel ${id}`,
  };
}

interface Issue {
  readonly control: Control;
  readonly mission: Pick<Mission, 'id' | 'state' | 'result_hash'>;
  readonly newest: Invoice | null;
  readonly now: string;
  readonly document: Documents['invoice.issued'];
}

/** An invoice's id and the event decided on its stream. */
interface InvoiceDecision {
  readonly invoice: string;
  readonly event: InvoiceEvent;
}

/** Decides to issue an invoice; one before it whose time is over ends with that. @param id of the new invoice */
export function decideInvoice(
  id: string,
  { control, mission, newest, now, document }: Issue,
): Result<readonly InvoiceDecision[]> {
  const refusal = invoiceRefusal(control, mission, newest, now);
  if (refusal !== null) return E.left(refusal);
  if (isSame(document.payer, document.recipient)) return E.left(invalid('payer', 'is the bound address itself'));
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
export interface Receipt extends ReceiptEvidence {
  readonly actor: string;
  /** `<chain>:<transaction>:<log>`. */
  readonly key: string;
  readonly recorded_at: string;
  /** Sequence of the entry that recorded it. */
  readonly revision: number;
}

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
