/** `transfer-verify`: recomputes a run or a docket, and checks the signed note of a run. */
import { openArchiveBytes } from '../../archive/read.js';
import { sha256Hex } from '../../base/bytes.js';
import { fromUtf8 } from '../../base/text.js';
import { transfer_document_bytes_max } from '../../base/limits.js';
import { invalid, RefusalError, unwrap } from '../../base/refusal.js';
import { checkDocket, type CheckedDocket } from '../../engines/transfer/docket-check.js';
import { type DocketName, docketNames } from '../../engines/transfer/docket.js';
import type { Outcome } from '../../engines/transfer/outcome.js';
import { readInput } from '../../home/files.js';
import { checkNote, isArchive, labelWarnings, readNote, replayed, type RunSummary, summaryOf, verdictOf } from './run.js';

const transfer_docket_bytes_max = 3_000_000;

export interface TransferVerifyOptions {
  readonly file: string;
  readonly note: string | undefined;
  readonly publicKey: string | undefined;
}

export interface TransferVerdict extends Omit<ReturnType<typeof verdictOf>, 'replay'> {
  readonly valid: boolean;
  /** The file that was verified. */
  readonly output: string;
  /** SHA-256 of the file. */
  readonly sha256: string;
  readonly kind: 'run' | 'docket';
  readonly replay: Outcome['replay'] | 'refuted';
  /** Why it is not valid; null when it is. */
  readonly reason: string | null;
  /** The signer of the run according to the note; null without a valid note. */
  readonly run_signed_by: string | null;
  /** False when there is a review, which no note covers: it is the reviewer's own statement. Null without a review. */
  readonly review_signed: false | null;
  /** The run; null when its numbers were refuted. */
  readonly run: RunSummary | null;
  readonly warnings: readonly string[];
}

/**
 * Verifies a run or a docket. Invalid content returns a verdict; a file that is neither a run nor a docket is refused.
 * @throws RefusalError
 */
export async function transferVerify({ file, note, publicKey }: TransferVerifyOptions): Promise<TransferVerdict> {
  if ((note === undefined) !== (publicKey === undefined)) {
    const [given, other] = note === undefined ? ['public-key', '--note FILE'] : ['note', '--public-key HEX'];
    throw new RefusalError(invalid(given, `says nothing without ${other}`));
  }
  const claim = note === undefined || publicKey === undefined ? null : readNote(note, publicKey);
  const bytes = readInput(file, transfer_docket_bytes_max);
  const kind = isArchive(bytes) ? 'docket' : 'run';
  const base = { output: file, sha256: sha256Hex(bytes), kind } as const;
  const refuted = (reason: string): TransferVerdict => ({ ...base, ...nothing, reason });
  const texts = kind === 'docket' ? await readDocket(bytes, file) : null;
  let checked: CheckedDocket;
  try {
    checked = texts === null ? checkRun(bytes, file) : unwrap(checkDocket(texts));
  } catch (error) {
    if (error instanceof RefusalError && error.refusal.code === 'verification_failed') return refuted(error.refusal.detail);
    throw error;
  }
  const { run, outcome } = checked;
  const signed = claim === null ? { identity: null } : checkNote(claim, run.sha256);
  // An invalid note does not refute the numbers.
  const note_fault = 'reason' in signed ? signed.reason : null;
  return {
    ...base,
    valid: note_fault === null,
    ...verdictOf(outcome),
    reason: note_fault,
    run_signed_by: 'reason' in signed ? null : signed.identity,
    review_signed: run.review === null ? null : false,
    run: summaryOf(run),
    warnings: labelWarnings(run.spec),
  };
}

const nothing = {
  valid: false,
  replay: 'refuted',
  bounded_transfer: 'hold',
  human_overhead_milli: null,
  adjusted_advantage_milli: null,
  manuscript_promotion: 'hold',
  run_signed_by: null,
  review_signed: null,
  run: null,
  warnings: [],
} as const;

function checkRun(bytes: Buffer, file: string): CheckedDocket {
  if (bytes.length > transfer_document_bytes_max) {
    throw new RefusalError('too_large', `${file} has more than ${transfer_document_bytes_max} bytes`);
  }
  return replayed(file, bytes);
}

async function readDocket(bytes: Buffer, file: string): Promise<ReadonlyMap<DocketName, string>> {
  const limits = { members: docketNames, bytes_max: transfer_docket_bytes_max, file_bytes_max: transfer_docket_bytes_max };
  const archive = await openArchiveBytes(bytes, limits, file);
  try {
    const texts = new Map<DocketName, string>();
    for (const name of docketNames) {
      const text = fromUtf8(await archive.read(name, transfer_document_bytes_max));
      if (text === null) throw new RefusalError('malformed', `${name}: not valid UTF-8`);
      texts.set(name, text);
    }
    return texts;
  } finally {
    archive.close();
  }
}
