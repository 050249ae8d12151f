/** Signed results of jobs. */
import { fromBase64, fromHex, toBase64, toHex, utf8 } from '../../base/bytes.js';
import { canonicalJson } from '../../base/canonical-json.js';
import { sha256Hex } from '../../base/hash.js';
import { job_inline_bytes_max } from '../../base/worker-limits.js';
import { resultHeader, type JobClaim } from '../../codec/jobs.js';
import { verifySignature, type Signer } from '../../journal/keys.js';
import { readFrame, writeFrame } from './frame.js';

/** Precedes what is signed, so that the signature means nothing elsewhere. */
const context = 'agent-cli job result v1\n';
const signedBytes = (claim: JobClaim): Buffer => utf8(context + canonicalJson(claim));

type Unsigned = Omit<JobClaim, 'key' | 'output_sha256'>;

export interface WrittenResult {
  readonly message: Uint8Array;
  /** Whether the output travels through the object store. */
  readonly isStored: boolean;
}

export function signResult(signer: Signer, job: Unsigned, output: Uint8Array): WrittenResult {
  const { task, name, delivery, release, input_sha256 } = job;
  const output_sha256 = sha256Hex(output);
  const claim = { task, name, delivery, release, input_sha256, output_sha256, key: toHex(signer.publicKey) };
  const isStored = output.length > job_inline_bytes_max;
  const header = { ...claim, signature: toBase64(signer.sign(signedBytes(claim))), is_stored: isStored };
  return { message: writeFrame(header, isStored ? new Uint8Array() : output), isStored };
}

export interface ReadResult {
  readonly claim: JobClaim;
  /** Null when it is in the object store. */
  readonly output: Uint8Array | null;
}

/** Returns the result that a message holds, or null unless it is well-formed and signed by the key that it names. */
export function readResult(message: Uint8Array): ReadResult | null {
  const frame = readFrame(resultHeader, message);
  if (frame === null) return null;
  const { signature, is_stored, ...claim } = frame.header;
  const [key, signed] = [fromHex(claim.key), fromBase64(signature)];
  if (key === null || signed === null || !verifySignature(key, signedBytes(claim), signed)) return null;
  if (!is_stored && sha256Hex(frame.bytes) !== claim.output_sha256) return null;
  return { claim, output: is_stored ? null : frame.bytes };
}
