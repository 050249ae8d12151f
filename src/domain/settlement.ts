/** Judges whether a transaction paid an invoice, by what a node says of it. Nothing but the exact transfer counts. */
import { tokenAddress, transferTopic, type SettlementReason } from '../codec/chain.js';
import type { PaymentSeen, RpcLog, RpcReceipt } from '../codec/rpc.js';
import { formatTime } from '../base/time.js';
import type { Invoice } from './invoice.js';

export type Judgement =
  | { readonly outcome: 'paid'; readonly log: RpcLog }
  | { readonly outcome: 'not_yet'; readonly detail: string }
  | Refused;
export interface Refused {
  readonly outcome: 'refused';
  readonly reason: SettlementReason;
  readonly detail: string;
}

export const refused = (reason: SettlementReason, detail: string): Refused => ({ outcome: 'refused', reason, detail });
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
    return refused('block_not_canonical', `the transaction is in a block ${blockNumber} that was reorganised away`);
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
  const log = seen.receipt?.logs.find((one) => one.logIndex === logIndex);
  if (log === undefined) return refused('log_missing', `the transaction has no log ${logIndex}`);
  return logRefusal(invoice, log) ?? { outcome: 'paid', log };
}

/** Returns the indices of the logs that pay the invoice; a judgement where the transaction as a whole cannot. */
export function findPayments(invoice: Terms, transaction: string, seen: PaymentSeen): Judgement | readonly number[] {
  const whole = transactionJudgement(invoice, transaction, seen);
  if (whole !== null) return whole;
  const logs = seen.receipt?.logs ?? [];
  return logs.filter((log) => logRefusal(invoice, log) === null).map(({ logIndex }) => logIndex);
}

/** Returns why a log is not the payment, or null. */
function logRefusal({ payer, recipient, amount_units }: Terms, { removed, address, topics, data }: RpcLog): Refused | null {
  if (removed) return refused('log_removed', 'the node says that a reorganisation removed the log');
  if (!isSame(address, tokenAddress)) return refused('wrong_token', 'another contract emitted the log');
  const [topic, from, to] = topics;
  if (topic !== transferTopic || topics.length !== 3 || data.length !== word_chars)
    return refused('log_missing', "the log is one of the token's, but no transfer");
  if (from !== wordOf(payer)) return refused('wrong_sender', 'the transfer is from another address');
  if (to !== wordOf(recipient)) return refused('wrong_recipient', 'the transfer is to another address');
  return BigInt(data) === BigInt(amount_units) ? null : refused('wrong_amount', `the transfer is of ${BigInt(data)} base units`);
}

/** `0x` and the 64 digits of a word. */
const word_chars = 66;
const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();
/** Returns an address as a word of 32 bytes, as topics have it. */
const wordOf = (address: string): string => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;
