/** `verify-receipt`: whether the chain still has the payment that a receipt names, by any node. */
import { parseJsonNode } from '../../base/json.js';
import { invalid, isRefused, RefusalError, unwrap } from '../../base/refusal.js';
import { ChainError } from '../../chain/node.js';
import { type ChainReading, readConfirmed, readPayment } from '../../chain/confirmed.js';
import { type ReceiptRecord, receiptRecordCodec, type ReceiptVerification, settleReportCodec } from '../../codec/api-invoices.js';
import { earmarkOf, environmentOf, type SettlementReason, tokenAddress } from '../../codec/chain.js';
import { chainConfig, type ChainConfig } from '../../codec/config.js';
import type { ReceiptEvidence } from '../../codec/events/invoice.js';
import { decode, either } from '../../codec/kit.js';
import type { PaymentSeen, RpcBlock } from '../../codec/rpc.js';
import { blockTime, judgePayment, type Receipt } from '../../domain/invoice.js';
import { readInputText } from '../../home/files.js';
import { readInvoice } from '../../tables/invoices.js';
import { missionReceipt } from '../../tables/receipts.js';
import { verifyExport } from '../exports/verify-export.js';
import type { Home } from '../home/home.js';
import { requireMission } from '../missions/record.js';
import { requireTool } from '../tools/tools.js';
import { refuseChain } from '../wallet/bind.js';

/** A receipt as `settle --json` prints it. */
const receipt_file_bytes_max = 65_536;

/**
 * Reads the chain again and compares it with the receipt of a mission.
 * @param rpcUrl another node than the configured one
 * @param signal ends the reading
 */
export async function verifyReceipt(
  home: Home,
  mission: string,
  rpcUrl?: string,
  signal?: AbortSignal,
): Promise<ReceiptVerification> {
  requireMission(home.db, mission);
  const receipt = missionReceipt(home.db, mission);
  if (receipt === null) throw new RefusalError('not_found', `mission ${mission} has no receipt`, { hint: 'agent-cli invoices' });
  requireTool(home.db, 'chain_read');
  const node = rpcUrl ?? home.config().chain?.rpc_url;
  if (node === undefined) {
    const detail = 'the configuration names no chain; name a node with --rpc-url';
    throw new RefusalError('chain_unconfigured', detail);
  }
  return checkReceipt(receipt, node, ownChecks(home, receipt), signal);
}

/** Compares the receipt with the signed entries of its mission and invoice. */
function ownChecks(home: Home, receipt: Receipt): ReceiptCheck[] {
  const invoice = readInvoice(home.db, receipt.invoice);
  const members = ['mission', 'result_hash', 'payer', 'recipient', 'amount_units', 'chain_id', 'chain_config_hash'] as const;
  const isOfInvoice =
    invoice?.transaction_hash === receipt.transaction_hash && members.every((name) => invoice[name] === receipt[name]);
  const { result_hash } = requireMission(home.db, receipt.mission);
  return [
    { name: 'invoice', ok: isOfInvoice, reason: 'invoice_not_open' },
    { name: 'result', ok: result_hash === receipt.result_hash, reason: 'invoice_not_open' },
  ];
}

export interface ReceiptFile {
  /** An export; undefined for a single receipt. */
  readonly exported: string | undefined;
  /** A file that holds only a receipt, which nothing proves to be signed. */
  readonly receipt: string | undefined;
  /** The key of the export's issuer. */
  readonly publicKey: string | undefined;
  readonly rpcUrl: string | undefined;
}

/**
 * Compares the receipt of a file with the chain.
 * @throws RefusalError `verification_failed` for an export that is not valid, `not_found` for a file that holds no receipt
 */
export async function verifyReceiptFile({ exported, receipt, publicKey, rpcUrl }: ReceiptFile): Promise<ReceiptVerification> {
  if (rpcUrl === undefined) throw new RefusalError(invalid('rpc-url', 'is needed to verify the receipt of a file'));
  if (exported === undefined) return checkReceipt(readReceipt(receipt ?? ''), rpcUrl, []);
  if (publicKey === undefined) throw new RefusalError(invalid('public-key', 'is needed to verify an export'));
  // The export is valid, so the key signed the receipt, for this result.
  const own = ['export', 'result'].map((name): ReceiptCheck => ({ name, ok: true, reason: 'invoice_not_open' }));
  return checkReceipt(await exportedReceipt(exported, publicKey), rpcUrl, own);
}

async function exportedReceipt(file: string, publicKey: string): Promise<ReceiptRecord> {
  const { valid, reason, settlement } = await verifyExport({ file, publicKey, recompute: false });
  if (!valid) throw new RefusalError('verification_failed', `the export is not valid: ${reason ?? ''}`);
  if (settlement !== undefined) return settlement;
  const detail = 'the export holds no settlement: it was written before the payment was recorded, or without it';
  throw new RefusalError('not_found', detail);
}

/** Reads a receipt as `settle --json` prints it, in its report or by itself. */
function readReceipt(file: string): ReceiptRecord {
  const text = readInputText(file, receipt_file_bytes_max);
  const found = unwrap(decode(either(settleReportCodec, receiptRecordCodec), unwrap(parseJsonNode(text)).value));
  const receipt = 'outcome' in found ? found.receipt : found;
  if (receipt !== null) return receipt;
  throw new RefusalError('not_found', `${file} reports no settlement, so it holds no receipt`);
}

interface Seen extends PaymentSeen {
  /** The canonical block with the receipt's number; null for none. */
  readonly named: RpcBlock | null;
  /** The canonical block to which the receipt says that its verification was bound; null for none. */
  readonly verified: RpcBlock | null;
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
async function checkReceipt(
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
    const isThere = value.named?.hash === receipt.block_hash;
    const end =
      Math.max(block_number, receipt.verified_at_block) > at.number
        ? `; the node's chain is confirmed to block ${at.number} only`
        : '';
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
      return refuseChain(error);
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
  { transaction_hash, block_number, verified_at_block }: ReceiptEvidence,
  signal?: AbortSignal,
): Promise<ChainReading<Seen>> =>
  readConfirmed(
    settings,
    async (node, at) => ({
      named: block_number > at.number ? null : await node.block(block_number),
      verified: verified_at_block > at.number ? null : await node.block(verified_at_block),
      ...(await readPayment(node, at, transaction_hash)),
    }),
    { signal },
  );

/** Checks the members of a receipt that follow from others. */
const coherenceOf = ({ amount_units, reinvest_bps, earmark_units, ...receipt }: ReceiptEvidence): ReceiptCheck[] => [
  { name: 'earmark', ok: earmarkOf(amount_units, reinvest_bps) === earmark_units, reason: 'wrong_amount' },
  { name: 'environment', ok: environmentOf(receipt.chain_id) === receipt.environment, reason: 'wrong_chain' },
  { name: 'token', ok: receipt.token === tokenAddress, reason: 'wrong_token' },
];

function chainChecks(receipt: ReceiptEvidence, seen: Seen): ReceiptCheck[] {
  const { transaction_hash, log_index, block_hash, block_number, block_time } = receipt;
  const isCanonical = seen.named?.hash === block_hash && blockTime(seen.named.timestamp) === block_time;
  const terms = { ...receipt, issued_after_block: 0, expires_at: null };
  const judged = judgePayment(terms, transaction_hash, log_index, seen);
  const isPaid = judged.outcome === 'paid';
  const { confirmations, verified_at_block, verified_at_hash } = receipt;
  const isConfirmed =
    seen.verified?.hash === verified_at_hash &&
    verified_at_block >= block_number &&
    confirmations > verified_at_block - block_number &&
    confirmations <= seen.at.head - block_number + 1;
  const inBlock = seen.receipt?.blockHash === block_hash && seen.receipt.blockNumber === block_number;
  return [
    { name: 'chain', ok: true, reason: 'wrong_chain' },
    { name: 'block', ok: isCanonical, reason: 'block_not_canonical' },
    { name: 'confirmations', ok: isConfirmed, reason: 'block_not_canonical' },
    { name: 'transaction', ok: inBlock, reason: 'node_inconsistent' },
    { name: 'transfer', ok: isPaid, reason: judged.outcome === 'refused' ? judged.reason : 'log_missing' },
  ];
}
