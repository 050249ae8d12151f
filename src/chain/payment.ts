/** Reads what a node says of a transaction, at a confirmed block. */
import type { PaymentSeen } from '../codec/rpc.js';
import type { ConfirmedBlock } from './confirmed.js';
import type { ChainNode } from './node.js';

export async function readPayment(node: ChainNode, at: ConfirmedBlock, transaction: string): Promise<PaymentSeen> {
  const receipt = await node.receipt(transaction);
  // The block of the canonical chain with that number; a receipt of another block there was reorganised away.
  const block = receipt === null || receipt.blockNumber > at.number ? null : await node.block(receipt.blockNumber);
  return { at, receipt, block };
}
