/**
 * Checks the settlement in an export: the signed entry that recorded the payment of the result. Whether the chain still has the payment is
 * for `verify-receipt`.
 */
import { canonicalJson } from '../../base/canonical-json.js';
import type { JsonNode } from '../../base/json.js';
import { isRefused } from '../../base/result.js';
import type { ReceiptRecord } from '../../codec/api-invoices.js';
import { earmarkOf, environmentOf, tokenAddress } from '../../codec/chain.js';
import type { Body } from '../../codec/entry.js';
import { decodeEvent } from '../../codec/event.js';
import type { ReceiptEvidence } from '../../codec/events/invoice.js';
import type { ExportDocument } from '../../codec/export.js';
import { receiptStream, transferKey } from '../../domain/receipt.js';
import { sameBytes } from '../../journal/merkle.js';
import type { Checkpoint } from '../../journal/note.js';
import { refute } from './refuted.js';
import { checkProof, checkSigned } from './signed-entry.js';

interface Settled {
  readonly settlement: ExportDocument['settlement'];
  /** The member `settlement` in the text of the file. */
  readonly node: JsonNode | undefined;
  readonly text: string;
}

/** What the export itself proves. */
interface Completed {
  readonly mission: string;
  readonly result_hash: string;
  readonly sequence: number;
  /** Null for an export of the reference agent without a proof. */
  readonly checkpoint: Checkpoint | null;
}

/** Returns the receipt of an export's settlement; null where it has none. @throws Refuted with the first mismatch */
export function checkSettlement(
  { settlement, node, text }: Settled,
  completed: Completed,
  publicKey: Buffer,
): ReceiptRecord | null {
  if (settlement === undefined) return null;
  const readable = node?.members?.get('body');
  const { body, bodyText } = checkSigned(settlement, { readable, text }, publicKey);
  if (canonicalJson(body) !== bodyText) refute('the settlement is not in canonical form');
  const receipt = receiptOf(body);
  if (receipt.mission !== completed.mission || receipt.result_hash !== completed.result_hash)
    refute('the settlement is for another result');
  if (body.sequence <= completed.sequence) refute('the settlement was recorded before the result');
  const checkpoint = checkProof(settlement.proof, { ...settlement, sequence: body.sequence }, publicKey);
  if (completed.checkpoint !== null && !isSame(checkpoint, completed.checkpoint))
    refute('the settlement is proven under another checkpoint than the result');
  return receipt;
}

/** Returns the receipt that an entry records. */
function receiptOf(body: Body): ReceiptRecord {
  if (body.schema !== 2 || body.type !== 'receipt.recorded') return refute('the settlement is not the entry of a receipt');
  const event = decodeEvent(body.type, body.version, body.document);
  if (isRefused(event)) return refute(`the settlement does not decode: ${event.left.detail}`);
  if (event.right?.type !== 'receipt.recorded')
    return refute(`version ${body.version} of the settlement is not known to this program`);
  const { actor: _, ...receipt } = event.right.document;
  const key = transferKey(receipt.chain_id, receipt.transaction_hash, receipt.log_index);
  if (body.mission !== receiptStream.nameOf(key)) refute('the settlement is not on the stream of its transfer');
  if (!isCoherent(receipt)) refute('the settlement contradicts itself');
  return { ...receipt, recorded_at: body.time };
}

/** Whether the members that follow from others are what follows. */
const isCoherent = (receipt: ReceiptEvidence): boolean =>
  receipt.token === tokenAddress &&
  receipt.environment === environmentOf(receipt.chain_id) &&
  receipt.earmark_units === earmarkOf(receipt.amount_units, receipt.reinvest_bps) &&
  receipt.block_number <= receipt.verified_at_block;

const isSame = (one: Checkpoint, other: Checkpoint): boolean =>
  one.origin === other.origin && one.size === other.size && sameBytes(one.root, other.root);
