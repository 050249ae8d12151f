/** Frames: canonical JSON followed by bytes, as jobs and results travel. A frame is the length of the JSON (32 bits, big-endian), the JSON, the bytes. */
import type * as t from 'io-ts';
import { utf8 } from '../../base/bytes.js';
import { canonicalJson } from '../../base/canonical-json.js';
import { parseJsonBytes } from '../../base/json-parse.js';
import { isRefused } from '../../base/result.js';
import { decode } from '../../codec/kit.js';

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
  const json = parseJsonBytes(frame.subarray(length_bytes, end));
  const header = isRefused(json) ? json : decode(codec, json.right);
  return isRefused(header) ? null : { header: header.right, bytes: frame.subarray(end) };
}
