/** `verify-receipt`: whether the chain still has the payment that a receipt names, by any node. */
import { RefusalError } from '../../base/result.js';
import type { ReceiptVerification } from '../../codec/api-invoices.js';
import type { Receipt } from '../../domain/receipt.js';
import { missionReceipt, readInvoice } from '../../rows/invoices.js';
import type { Home } from '../home/home.js';
import { requireMission } from '../missions/record.js';
import { requireTool } from '../tools/require.js';
import { checkReceipt, type ReceiptCheck } from './check-receipt.js';

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
  if (receipt === null)
    throw new RefusalError({ code: 'not_found', detail: `mission ${mission} has no receipt`, hint: 'agent-cli invoices' });
  requireTool(home.db, 'chain_read');
  const node = rpcUrl ?? home.config().chain?.rpc_url;
  if (node === undefined) {
    const detail = 'the configuration names no chain; name a node with --rpc-url';
    throw new RefusalError({ code: 'chain_unconfigured', detail });
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
