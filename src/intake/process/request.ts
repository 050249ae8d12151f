/** What the process that reads files is sent: a line of JSON, then the bytes of the files one after the other. */
import { utf8 } from '../../base/bytes.js';
import type { Kind } from '../../codec/kinds.js';
import type { Recorded } from '../compare/types.js';
import type { IntakeOptions } from '../../codec/api-intake.js';
import type { InputFile } from '../types.js';

/** What the process leaves on standard error when it is ended because of its memory. */
export const memory_mark = 'too much memory';

export interface ReadingLimits {
  readonly ms_max: number;
  /** Memory of the process that reads, as the system counts it. */
  readonly resident_bytes_max: number;
}

export interface ReadingRequest {
  readonly kind: Kind;
  readonly files: readonly InputFile[];
  readonly options: IntakeOptions;
  readonly limits: ReadingLimits;
  /** With it the files are compared with what a mission says of them, and no draft is made. */
  readonly recorded?: Recorded;
}

interface Head extends Omit<ReadingRequest, 'files'> {
  readonly files: readonly { readonly name: string; readonly bytes: number }[];
}

export function encodeRequest({ files, ...rest }: ReadingRequest): Buffer {
  const head: Head = { ...rest, files: files.map(({ name, bytes }) => ({ name, bytes: bytes.length })) };
  return Buffer.concat([utf8(`${JSON.stringify(head)}\n`), ...files.map(({ bytes }) => bytes)]);
}

/** @param bytes what `encodeRequest` returned */
export function decodeRequest(bytes: Buffer): ReadingRequest {
  const head_bytes = bytes.indexOf('\n') + 1;
  const { files, ...rest } = JSON.parse(bytes.toString('utf8', 0, head_bytes)) as Head;
  let at = head_bytes;
  const sliced = files.map(({ name, bytes: length }) => ({ name, bytes: bytes.subarray(at, (at += length)) }));
  return { ...rest, files: sliced };
}
