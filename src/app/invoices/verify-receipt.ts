/** `verify-receipt`: whether the chain still has the payment that a receipt names, by any node. */
import { ChainError } from '../../chain/chain-error.js';
import { readConfirmed, type ChainReading } from '../../chain/confirmed.js';
import { readPayment } from '../../chain/payment.js';
import { isRefused, RefusalError } from '../../base/result.js';
import { invalid } from '../../base/refusal.js';
import type { ReceiptVerification } from '../../codec/api-invoices.js';
import { earmarkOf, type SettlementReason } from '../../codec/chain.js';
import { chainConfig, type ChainConfig } from '../../codec/config.js';
import { decode } from '../../codec/kit.js';
import type { PaymentSeen } from '../../codec/rpc.js';
import type { Receipt } from '../../domain/receipt.js';
import { judgePayment } from '../../domain/settlement.js';
import { missionReceipt, readInvoice } from '../../rows/invoices.js';
import type { Home } from '../home/home.js';
import { requireMission } from '../missions/store.js';
import { requireTool } from '../tools/require.js';
import { chainRefusal } from '../wallet/chain.js';

interface Seen extends PaymentSeen {
  /** The hash of the canonical block with the receipt's number; null for none. */
  readonly blockHash: string | null;
}

interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly reason: SettlementReason;
}

/** Reads the chain again and compares it with the receipt. @param rpcUrl another node than the configured one */
export async function verifyReceipt(home: Home, mission: string, rpcUrl?: string): Promise<ReceiptVerification> {
  requireMission(home.db, mission);
  const receipt = missionReceipt(home.db, mission);
  if (receipt === null)
    throw new RefusalError({ code: 'not_found', detail: `mission ${mission} has no receipt`, hint: 'agent-cli invoices' });
  requireTool(home.db, 'chain_read');
  const { environment } = receipt;
  try {
    const reading = await look(settingsOf(home, receipt, rpcUrl), receipt);
    const checks = [...ownChecks(home, receipt), ...chainChecks(receipt, reading.value)];
    const failed = checks.find(({ ok }) => !ok);
    const isThere = reading.value.blockHash === receipt.block_hash;
    return {
      valid: failed === undefined,
      reason: failed?.reason ?? null,
      detail: failed === undefined ? 'the chain has the payment' : `the check ${failed.name} failed`,
      confirmations: isThere ? reading.at.head - receipt.block_number + 1 : null,
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
function settingsOf(home: Home, { chain_id, token_code_sha256 }: Receipt, rpcUrl: string | undefined): ChainConfig {
  const rpc_url = rpcUrl ?? home.config().chain?.rpc_url;
  if (rpc_url === undefined) {
    const detail = 'the configuration names no chain; name a node with --rpc-url';
    throw new RefusalError({ code: 'chain_unconfigured', detail });
  }
  const decoded = decode(chainConfig, { rpc_url, chain_id, token_code_sha256, confirmations: 1 });
  // What is wrong with the address is said without the address.
  if (isRefused(decoded)) throw new RefusalError(invalid('rpc_url', decoded.left.errors?.[0]?.message ?? 'is invalid'));
  return decoded.right;
}

const look = (settings: ChainConfig, { transaction_hash, block_number }: Receipt): Promise<ChainReading<Seen>> =>
  readConfirmed(settings, async (node, at) => {
    const block = block_number > at.number ? null : await node.block(block_number);
    return { ...(await readPayment(node, at, transaction_hash)), blockHash: block?.hash ?? null };
  });

/** Compares the receipt with the signed entries of its mission and invoice. */
function ownChecks(home: Home, receipt: Receipt): Check[] {
  const invoice = readInvoice(home.db, receipt.invoice);
  const members = ['mission', 'result_hash', 'payer', 'recipient', 'amount_units', 'chain_id', 'chain_config_hash'] as const;
  const isOfInvoice =
    invoice?.transaction_hash === receipt.transaction_hash && members.every((name) => invoice[name] === receipt[name]);
  const { result_hash } = requireMission(home.db, receipt.mission);
  const { amount_units, reinvest_bps, earmark_units } = receipt;
  return [
    { name: 'invoice', ok: isOfInvoice, reason: 'invoice_not_open' },
    { name: 'result', ok: result_hash === receipt.result_hash, reason: 'invoice_not_open' },
    { name: 'earmark', ok: earmarkOf(amount_units, reinvest_bps) === earmark_units, reason: 'wrong_amount' },
  ];
}

function chainChecks(receipt: Receipt, seen: Seen): Check[] {
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
