/** `settle`: records that an invoice was paid, once the payment is confirmed on the chain. Nothing is sent to the chain. */
import { invalid, RefusalError } from '../../base/refusal.js';
import { ChainError } from '../../chain/node.js';
import { readConfirmed, readPayment } from '../../chain/confirmed.js';
import type { SettleReport } from '../../codec/api-invoices.js';
import { earmarkOf, environmentOf, tokenAddress } from '../../codec/chain.js';
import type { ChainConfig } from '../../codec/config.js';
import type { ReceiptEvidence } from '../../codec/events/invoice.js';
import type { PaymentSeen, RpcLog } from '../../codec/rpc.js';
import {
  blockTime,
  findPayments,
  type Invoice,
  invoiceStream,
  type Judgement,
  judgePayment,
  receiptStream,
  refused,
  type RefusedPayment,
  transferKey,
} from '../../domain/invoice.js';
import { pausedRefusal } from '../../domain/mission-decide.js';
import type { Transaction } from '../../journal/writer.js';
import { readControl } from '../../tables/control.js';
import { newestInvoice, readInvoice } from '../../tables/invoices.js';
import { missionReceipt, readReceipt, transactionReceipts } from '../../tables/receipts.js';
import type { Db } from '../../store/database.js';
import type { Home } from '../home/home.js';
import { requireApprovals } from '../exports/export.js';
import { receiptRecord, requireMission } from '../missions/record.js';
import { isNamedByReference, isOfReference } from '../reference/mission.js';
import { requireTool } from '../tools/tools.js';
import { refuseChain } from '../wallet/bind.js';
import { chainConfigHash, requireSameConfig } from './issue.js';

export interface SettleOptions {
  readonly transaction: string;
  /** Among all logs of the block; undefined to find the transaction's one matching log. */
  readonly log_index?: number | undefined;
  readonly actor: string;
  /** Ends the reading of the chain. */
  readonly signal?: AbortSignal;
}

type OpenJudgement = Exclude<Judgement, { readonly outcome: 'paid' }>;

const unsettled = (judged: OpenJudgement): SettleReport => ({
  outcome: judged.outcome,
  reason: judged.outcome === 'refused' ? judged.reason : null,
  detail: judged.detail,
  receipt: null,
});

/** Returns the outcome; only `settled` records anything. @throws RefusalError when the chain could not be read at all */
export async function settle(home: Home, mission: string, options: SettleOptions): Promise<SettleReport> {
  const transaction = options.transaction.toLowerCase();
  if (!/^0x[0-9a-f]{64}$/.test(transaction))
    throw new RefusalError(invalid('transaction', 'must be 0x and 64 hexadecimal digits'));
  const { log_index } = options;
  if (log_index !== undefined && !(Number.isSafeInteger(log_index) && log_index >= 0))
    throw new RefusalError(invalid('log_index', 'must be a whole number from 0'));
  requireMission(home.db, mission);
  // Nothing is judged while config.json is not the signed one.
  home.config();
  const known = recorded(home.db, mission, { ...options, transaction });
  if (known !== null) return known;
  requireMay(home.db);
  const { config_hash } = readControl(home.db);
  const found = openInvoice(home, mission);
  const open = 'outcome' in found ? found : (usedByReference(home.db, transaction) ?? found);
  if ('outcome' in open) return unsettled(open);
  const { invoice, chain } = open;
  requireTool(home.db, 'chain_read');
  await requireApprovals(home, mission);
  const seen = await look(chain, transaction, options.signal);
  if ('outcome' in seen) return unsettled(seen);
  const index = log_index ?? indexOf(home.db, invoice, transaction, seen);
  if (typeof index !== 'number') return unsettled(index);
  const judged = judgePayment(invoice, transaction, index, seen);
  if (judged.outcome !== 'paid') return unsettled(judged);
  const evidence = evidenceOf(invoice, chain, seen, judged.log);
  return home.transact((tx) => record(tx, evidence, config_hash, options.actor));
}

function requireMay(db: Db): void {
  requireTool(db, 'settle');
  if (readControl(db).state === 'paused') throw new RefusalError(pausedRefusal);
}

/** Returns the report of a transfer that has paid the mission's own invoice, or null. A transaction without an index is the one that paid. */
function recorded(db: Db, mission: string, { transaction, log_index }: Omit<SettleOptions, 'actor'>): SettleReport | null {
  const receipt = missionReceipt(db, mission);
  if (receipt?.transaction_hash !== transaction || (log_index ?? receipt.log_index) !== receipt.log_index) return null;
  const detail = 'the payment was recorded before';
  return { outcome: 'settled', reason: null, detail, receipt: receiptRecord(receipt), already_recorded: true };
}

/** Returns the invoice that awaits payment and its chain, which must be configured as when it was issued. */
function openInvoice(home: Home, mission: string): { readonly invoice: Invoice; readonly chain: ChainConfig } | RefusedPayment {
  const invoice = newestInvoice(home.db, mission);
  if (invoice === null) return refused('invoice_not_open', noInvoice(home, mission));
  if (invoice.state !== 'awaiting_payment') return refused('invoice_not_open', `the invoice is ${invoice.state}`);
  const { chain } = home.config();
  if (chain === null || chainConfigHash(chain) !== invoice.chain_config_hash) {
    const detail = "the configuration's chain is not that of the invoice: restore the invoice's chain settings, then retry";
    return refused('chain_settings_changed', detail);
  }
  return { invoice, chain };
}

function noInvoice({ db }: Home, mission: string): string {
  const isForeign = isOfReference(db, requireMission(db, mission));
  return `the mission has no invoice${isForeign ? ' of this program; one of the reference agent is kept and never settled' : ''}`;
}

type Transfer = Pick<ReceiptEvidence, 'chain_id' | 'transaction_hash' | 'log_index' | 'block_hash'>;

/** Returns why a transfer cannot pay: it paid, or its transaction did in another block, where its logs had other indices. */
function usedBy(db: Db, { chain_id, transaction_hash, log_index, block_hash }: Transfer): RefusedPayment | null {
  const paid = transactionReceipts(db, transaction_hash).find(
    (other) => other.chain_id === chain_id && (other.log_index === log_index || other.block_hash !== block_hash),
  );
  if (paid === undefined) return null;
  const where = `as log ${paid.log_index} of block ${paid.block_number}`;
  return refused('transfer_already_used', `the transfer paid the invoice of mission ${paid.mission}, ${where}`);
}

/** Entries of the reference agent are never added, so this need not be decided again inside the write lock. */
const usedByReference = (db: Db, transaction: string): RefusedPayment | null =>
  isNamedByReference(db, transaction)
    ? refused('transfer_already_used', 'an entry of the reference agent names the transaction, so its transfers count as used')
    : null;

/** Returns what the node says of the transaction; why there is no settlement where the chain itself does not fit. */
async function look(
  chain: ChainConfig,
  transaction: string,
  signal: AbortSignal | undefined,
): Promise<PaymentSeen | OpenJudgement> {
  try {
    return (await readConfirmed(chain, (node, at) => readPayment(node, at, transaction), { signal })).value;
  } catch (error) {
    if (!(error instanceof ChainError) || error.verdict === 'unreachable') return refuseChain(error);
    return error.verdict === 'not_yet' ? { outcome: 'not_yet', detail: error.message } : refused(error.verdict, error.message);
  }
}

/** Returns the index of a log that pays the invoice. @throws RefusalError `conflict` where several can: a person chooses */
function indexOf(db: Db, invoice: Invoice, transaction: string, seen: PaymentSeen): number | OpenJudgement {
  const found = findPayments(invoice, transaction, seen);
  if ('outcome' in found) return found.outcome === 'paid' ? found.log.logIndex : found;
  const [first] = found;
  if (first === undefined) return refused('log_missing', 'no log of the transaction pays the invoice');
  const transfer = { chain_id: invoice.chain_id, transaction_hash: transaction, block_hash: seen.receipt?.blockHash ?? '' };
  const free = found.find((log_index) => usedBy(db, { ...transfer, log_index }) === null);
  if (found.length === 1 || free === undefined) return first;
  const detail = `several logs of the transaction pay the invoice: ${found.join(', ')}; name one`;
  const hint = `agent-cli settle ${invoice.mission} --transaction ${transaction} --log-index ${free}`;
  throw new RefusalError('conflict', detail, { facts: { log_indices: found }, hint });
}

/** Returns what a stranger needs to find the payment and to compare it with the invoice. */
function evidenceOf(invoice: Invoice, chain: ChainConfig, { at, block }: PaymentSeen, log: RpcLog): ReceiptEvidence {
  const { mission, result_hash, payer, recipient, amount_units, chain_id, chain_config_hash } = invoice;
  const paid = block ?? at;
  return {
    mission,
    result_hash,
    payer,
    recipient,
    amount_units,
    chain_id,
    chain_config_hash,
    invoice: invoice.id,
    transaction_hash: log.transactionHash,
    log_index: log.logIndex,
    environment: environmentOf(chain_id),
    token: tokenAddress,
    token_code_sha256: chain.token_code_sha256,
    block_number: paid.number,
    block_hash: paid.hash,
    block_time: blockTime(paid.timestamp),
    confirmations: at.head - paid.number + 1,
    verified_at_block: at.number,
    verified_at_hash: at.hash,
    earmark_units: earmarkOf(amount_units, chain.reinvest_bps),
    reinvest_bps: chain.reinvest_bps,
    executed: false,
  };
}

/**
 * Decides again inside the write lock: another process may have settled, cancelled, paused or configured since.
 * @param before the configuration under which the chain was read
 */
function record(tx: Transaction, evidence: ReceiptEvidence, before: string | null, actor: string): SettleReport {
  requireMay(tx.db);
  requireSameConfig(before, readControl(tx.db).config_hash);
  const { chain_id, transaction_hash, log_index } = evidence;
  const key = transferKey(chain_id, transaction_hash, log_index);
  const known = recorded(tx.db, evidence.mission, { transaction: transaction_hash, log_index });
  if (known !== null) return known;
  const state = readInvoice(tx.db, evidence.invoice)?.state ?? 'cancelled';
  if (state !== 'awaiting_payment') return unsettled(refused('invoice_not_open', `the invoice is ${state}`));
  const used = usedBy(tx.db, evidence);
  if (used !== null) return unsettled(used);
  tx.append(receiptStream.nameOf(key), { type: 'receipt.recorded', document: { ...evidence, actor } });
  const document = { transaction_hash, log_index, actor };
  tx.append(invoiceStream.nameOf(evidence.invoice), { type: 'invoice.paid', document });
  const receipt = readReceipt(tx.db, key);
  return { outcome: 'settled', reason: null, detail: 'the payment is recorded', receipt: receipt && receiptRecord(receipt) };
}
