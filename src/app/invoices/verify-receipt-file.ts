/** `verify-receipt` without a home: the receipt comes from an export, or from a file that holds only the receipt. */
import { fromUtf8 } from '../../base/bytes.js';
import { parseJsonNode } from '../../base/json.js';
import { receipt_file_bytes_max } from '../../base/limits.js';
import { invalid } from '../../base/refusal.js';
import { RefusalError, unwrap } from '../../base/result.js';
import { receiptRecordCodec, settleReportCodec, type ReceiptRecord, type ReceiptVerification } from '../../codec/api-invoices.js';
import { decode, either } from '../../codec/kit.js';
import { readInput } from '../../home/files.js';
import { verifyExport } from '../exports/verify-export.js';
import { checkReceipt, type ReceiptCheck } from './check-receipt.js';

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
  if (!valid) throw new RefusalError({ code: 'verification_failed', detail: `the export is not valid: ${reason ?? ''}` });
  if (settlement !== undefined) return settlement;
  const detail = 'the export holds no settlement: it was written before the payment was recorded, or without it';
  throw new RefusalError({ code: 'not_found', detail });
}

/** Reads a receipt as `settle --json` prints it, in its report or by itself. */
function readReceipt(file: string): ReceiptRecord {
  const text = fromUtf8(readInput(file, receipt_file_bytes_max));
  if (text === null) throw new RefusalError({ code: 'malformed', detail: `${file} is not UTF-8` });
  const found = unwrap(decode(either(settleReportCodec, receiptRecordCodec), unwrap(parseJsonNode(text)).value));
  const receipt = 'outcome' in found ? found.receipt : found;
  if (receipt !== null) return receipt;
  throw new RefusalError({ code: 'not_found', detail: `${file} reports no settlement, so it holds no receipt` });
}
