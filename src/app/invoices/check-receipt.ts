/** Compares a receipt with what a node of its chain says now. It needs no home. */
import { ChainError } from '../../chain/chain-error.js';
import { readConfirmed, type ChainReading } from '../../chain/confirmed.js';
import { readPayment } from '../../chain/payment.js';
import { isRefused, RefusalError } from '../../base/result.js';
import { invalid } from '../../base/refusal.js';
import type { ReceiptVerification } from '../../codec/api-invoices.js';
import { earmarkOf, environmentOf, tokenAddress, type SettlementReason } from '../../codec/chain.js';
import { chainConfig, type ChainConfig } from '../../codec/config.js';
import type { ReceiptEvidence } from '../../codec/events/invoice.js';
import { decode } from '../../codec/kit.js';
import type { PaymentSeen } from '../../codec/rpc.js';
import { judgePayment } from '../../domain/settlement.js';
import { chainRefusal } from '../wallet/chain.js';

interface Seen extends PaymentSeen {
  /** The hash of the canonical block with the receipt's number; null for none. */
  readonly blockHash: string | null;
}

export interface ReceiptCheck {
  readonly name: string;
  readonly ok: boolean;
  readonly reason: SettlementReason;
}

/**
 * Returns whether the chain has the payment of a receipt.
 * @param own the checks of where the receipt comes from
 * @param signal ends the reading
 * @throws RefusalError when the node gave no usable answer
 */
export async function checkReceipt(
  receipt: ReceiptEvidence,
  rpcUrl: string,
  own: readonly ReceiptCheck[],
  signal?: AbortSignal,
): Promise<ReceiptVerification> {
  const { environment, block_number } = receipt;
  const settings = settingsOf(receipt, rpcUrl);
  try {
    const { at, value } = await look(settings, receipt, signal);
    const checks = [...own, ...coherenceOf(receipt), ...chainChecks(receipt, value)];
    const failed = checks.find(({ ok }) => !ok);
    const isThere = value.blockHash === receipt.block_hash;
    const end = block_number > at.number ? `; the node's chain is confirmed to block ${at.number} only` : '';
    return {
      valid: failed === undefined,
      reason: failed?.reason ?? null,
      detail: failed === undefined ? 'the chain has the payment' : `the check ${failed.name} failed${end}`,
      confirmations: isThere ? at.head - block_number + 1 : null,
      environment,
      checks: checks.map(({ name, ok }) => ({ name, ok })),
    };
  } catch (error) {
    if (!(error instanceof ChainError) || error.verdict === 'unreachable' || error.verdict === 'not_yet')
      throw new RefusalError(chainRefusal(error));
    const checks = [{ name: 'chain', ok: false }];
    return { valid: false, reason: error.verdict, detail: error.message, confirmations: null, environment, checks };
  }
}

/** Returns the receipt's chain with a node's address. One confirmation is enough to read: how many there are is part of the report. */
function settingsOf({ chain_id, token_code_sha256 }: ReceiptEvidence, rpc_url: string): ChainConfig {
  const decoded = decode(chainConfig, { rpc_url, chain_id, token_code_sha256, confirmations: 1 });
  // What is wrong with the address is said without the address.
  if (isRefused(decoded)) throw new RefusalError(invalid('rpc_url', decoded.left.errors?.[0]?.message ?? 'is invalid'));
  return decoded.right;
}

const look = (
  settings: ChainConfig,
  { transaction_hash, block_number }: ReceiptEvidence,
  signal?: AbortSignal,
): Promise<ChainReading<Seen>> =>
  readConfirmed(
    settings,
    async (node, at) => {
      const block = block_number > at.number ? null : await node.block(block_number);
      return { ...(await readPayment(node, at, transaction_hash)), blockHash: block?.hash ?? null };
    },
    { signal },
  );

/** Checks the members of a receipt that follow from others. */
const coherenceOf = ({ amount_units, reinvest_bps, earmark_units, ...receipt }: ReceiptEvidence): ReceiptCheck[] => [
  { name: 'earmark', ok: earmarkOf(amount_units, reinvest_bps) === earmark_units, reason: 'wrong_amount' },
  { name: 'environment', ok: environmentOf(receipt.chain_id) === receipt.environment, reason: 'wrong_chain' },
  { name: 'token', ok: receipt.token === tokenAddress, reason: 'wrong_token' },
];

function chainChecks(receipt: ReceiptEvidence, seen: Seen): ReceiptCheck[] {
  const { transaction_hash, log_index, block_hash, block_number } = receipt;
  const isCanonical = seen.blockHash === block_hash;
  const terms = { ...receipt, issued_after_block: 0, expires_at: null };
  const judged = judgePayment(terms, transaction_hash, log_index, seen);
  const isPaid = judged.outcome === 'paid';
  const inBlock = seen.receipt?.blockHash === block_hash && seen.receipt.blockNumber === block_number;
  return [
    { name: 'chain', ok: true, reason: 'wrong_chain' },
    { name: 'block', ok: isCanonical, reason: 'block_not_canonical' },
    { name: 'transaction', ok: inBlock, reason: 'node_inconsistent' },
    { name: 'transfer', ok: isPaid, reason: judged.outcome === 'refused' ? judged.reason : 'log_missing' },
  ];
}
