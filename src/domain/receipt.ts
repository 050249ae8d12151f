/** Receipts: the evidence of a payment. The stream is named by the transfer, so a transfer pays at most one invoice. */
import type { ReceiptEvidence } from '../codec/events/invoice.js';
import { streams, type EventContext, type EventIn } from './stream.js';

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
  evolve: (receipt, { document }: ReceiptEvent, { id: key, sequence: revision, time: recorded_at }: EventContext) =>
    receipt ?? { ...document, key, recorded_at, revision },
});

/** Returns the name of a transfer on a chain, which is consumed once. */
export const transferKey = (chainId: number, transaction: string, log: number): string => `${chainId}:${transaction}:${log}`;
