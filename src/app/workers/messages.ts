/**
 * What homes and workers send each other: frames (canonical JSON followed by bytes, as jobs and results travel), signed results, and messages
 * of workers about themselves. A frame is the length of the JSON (32 bits, big-endian), the JSON, the bytes.
 */
import type * as t from 'io-ts';
import { fromBase64, fromHex, sha256Hex, toBase64, toHex, utf8 } from '../../base/bytes.js';
import { canonicalJson } from '../../base/canonical-json.js';
import { isRefused } from '../../base/refusal.js';
import { job_inline_bytes_max } from '../../base/limits.js';
import { job_protocol, type JobClaim, resultHeader, workerBeat, type WorkerBeat } from '../../codec/jobs.js';
import { decodeJson } from '../../codec/decode-json.js';
import { type Signer, verifySignature } from '../../journal/keys.js';
import { programVersion } from '../home/home.js';

const length_bytes = 4;

export interface Frame<A> {
  readonly header: A;
  /** A view of the frame's memory. */
  readonly bytes: Uint8Array;
}

export function writeFrame(header: object, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const text = utf8(canonicalJson(header));
  const frame = new Uint8Array(length_bytes + text.length + bytes.length);
  new DataView(frame.buffer).setUint32(0, text.length);
  frame.set(text, length_bytes);
  frame.set(bytes, length_bytes + text.length);
  return frame;
}

/** Returns the parts of a frame, or null for bytes that are none. */
export function readFrame<A>(codec: t.Type<A, unknown>, frame: Uint8Array): Frame<A> | null {
  if (frame.length < length_bytes) return null;
  const end = length_bytes + new DataView(frame.buffer, frame.byteOffset).getUint32(0);
  if (end > frame.length) return null;
  const header = decodeJson(codec, frame.subarray(length_bytes, end), { bigIntegers: 'round' });
  return isRefused(header) ? null : { header: header.right, bytes: frame.subarray(end) };
}

/** The release of a program: homes and workers exchange jobs only with programs of the same version, which compute the same bytes. */
export const ownRelease = `${job_protocol}-${programVersion.replaceAll(/[^A-Za-z0-9-]/g, '_')}`.slice(0, 64);

/** Returns a worker's message about itself, or null for bytes that are none. */
export function readBeat(message: Uint8Array): WorkerBeat | null {
  const beat = decodeJson(workerBeat, message);
  return isRefused(beat) ? null : beat.right;
}

/** Precedes what is signed, so that the signature means nothing elsewhere. */
const context = 'agent-cli job result v1\n';
const signedBytes = (claim: JobClaim): Buffer => utf8(context + canonicalJson(claim));

type JobIdentity = Omit<JobClaim, 'key' | 'output_sha256'>;

/** Returns the message of a result, and whether its output travels through the object store. */
export function signResult(signer: Signer, job: JobIdentity, output: Uint8Array) {
  const { task, name, delivery, release, input_sha256 } = job;
  const output_sha256 = sha256Hex(output);
  const claim = { task, name, delivery, release, input_sha256, output_sha256, key: toHex(signer.publicKey) };
  const isStored = output.length > job_inline_bytes_max;
  const header = { ...claim, signature: toBase64(signer.sign(signedBytes(claim))), is_stored: isStored };
  return { message: writeFrame(header, isStored ? new Uint8Array() : output), isStored };
}

/**
 * Returns the result that a message holds, or null unless it is well-formed and signed by the key that it names. Its output is null when it
 * is in the object store.
 */
export function readResult(message: Uint8Array) {
  const frame = readFrame(resultHeader, message);
  if (frame === null) return null;
  const { signature, is_stored, ...claim } = frame.header;
  const [key, signed] = [fromHex(claim.key), fromBase64(signature)];
  if (key === null || signed === null || !verifySignature(key, signedBytes(claim), signed)) return null;
  if (!is_stored && sha256Hex(frame.bytes) !== claim.output_sha256) return null;
  return { claim, output: is_stored ? null : frame.bytes };
}
