/** Files of the transfer commands: untrusted inputs, and outputs that must not exist. */
import { transfer_document_bytes_max } from '../../base/limits.js';
import { RefusalError, unwrap } from '../../base/result.js';
import { decodeRun, type TransferRun } from '../../codec/transfer-run.js';
import type { Outcome } from '../../engines/transfer/outcome.js';
import { replay } from '../../engines/transfer/run.js';
import { createFile, fileError, readInput } from '../../home/files.js';

const readable_by_all = 0o644;

export function writeNew(file: string, content: Uint8Array): void {
  try {
    createFile(file, content, readable_by_all);
  } catch (error) {
    throw fileError(error, file);
  }
}

/** Whether the file is a ZIP: local file headers and the end record begin with these bytes (APPNOTE 4.3.7, 4.3.16). */
export const isArchive = (bytes: Buffer): boolean => bytes.subarray(0, 2).toString('latin1') === 'PK';

/** Reads and recomputes a run. @throws RefusalError */
export function readRun(file: string): { readonly run: TransferRun; readonly outcome: Outcome } {
  const bytes = readInput(file, transfer_document_bytes_max);
  if (isArchive(bytes)) {
    throw new RefusalError({ code: 'invalid', detail: `${file} is an archive; give the JSON file of a run` });
  }
  const run = unwrap(decodeRun(bytes));
  return { run, outcome: unwrap(replay(run)) };
}

/** Checks that content can be read back. @throws RefusalError when it cannot */
export function expectReadable(content: Uint8Array, what: string): void {
  if (content.length <= transfer_document_bytes_max) return;
  throw new RefusalError({ code: 'too_large', detail: `${what} would have more than ${transfer_document_bytes_max} bytes` });
}
