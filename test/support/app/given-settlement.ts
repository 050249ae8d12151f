/** Payments that are recorded without a chain, for what is done with the record alone. */
import type { Home } from '../../../src/app/home/home.js';
import { requireMission } from '../../../src/app/missions/record.js';
import type { ReceiptEvidence } from '../../../src/codec/events/invoice.js';
import { receiptStream, transferKey } from '../../../src/domain/invoice.js';
import { event } from '../codec/given-events.js';

/** Records a payment of a mission's result. @param key of the transfer that the stream names, when another than the receipt's */
export function settled(home: Home, mission: string, changes: Partial<ReceiptEvidence> = {}, key?: string): void {
  const result_hash = requireMission(home.db, mission).result_hash ?? '';
  const recorded = event('receipt.recorded', { mission, result_hash, ...changes });
  const { chain_id, transaction_hash, log_index } = recorded.document;
  const name = receiptStream.nameOf(key ?? transferKey(chain_id, transaction_hash, log_index));
  home.writer.transact((tx) => tx.append(name, recorded));
}
