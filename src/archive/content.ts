/**
 * The content of one member, streamed: what is inflated is counted as it comes, and the first byte beyond the declared size ends
 * it, so that a bomb costs no more than it declares.
 */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';
import { errorCode } from '../base/fault.js';
import { archive_chunk_bytes } from '../base/limits.js';
import type { RefusalError } from '../base/result.js';
import { deflated, type Member } from './format.js';
import { shownName } from './names.js';
import { chunks, malformed, type Source } from './source.js';

export interface Extracted {
  /** Hexadecimal, of the content. */
  readonly sha256: string;
  readonly bytes: number;
}

const fault = (source: Source, { name }: Member, why: string): RefusalError =>
  malformed(source, `has a member ${shownName(Buffer.from(name, 'utf8'))} ${why}`);

/** The deflate stream (RFC 1951) of a member: it must end with its last block, at the last of its bytes. */
async function* inflated(source: Source, member: Member): AsyncGenerator<Buffer, void, undefined> {
  const { packed_bytes } = member.header;
  const input = Readable.from(chunks(source, member.data_at, packed_bytes), { objectMode: false });
  const inflate = createInflateRaw({ chunkSize: archive_chunk_bytes });
  // pipe() carries no errors: a source that fails would leave the stream waiting.
  input.on('error', (error) => inflate.destroy(error));
  try {
    for await (const chunk of input.pipe(inflate)) yield chunk as Buffer;
    const rest = packed_bytes - inflate.bytesWritten;
    if (rest > 0) throw fault(source, member, `with ${rest} bytes behind the end of its deflate stream`);
  } catch (error) {
    if (errorCode(error) === 'Z_BUF_ERROR') throw fault(source, member, 'whose deflate stream is cut short');
    if (errorCode(error) === 'Z_DATA_ERROR') throw fault(source, member, 'whose deflate stream is broken');
    throw error;
  }
}

/** Hands the content over in pieces, none beyond the declared size, and checks size and CRC (APPNOTE 4.4.7) at the end. */
export async function extractMember(source: Source, member: Member, write: (chunk: Buffer) => void): Promise<Extracted> {
  const { header } = member;
  const pieces = header.method === deflated ? inflated(source, member) : chunks(source, member.data_at, header.packed_bytes);
  const hash = createHash('sha256');
  let bytes = 0;
  let crc = 0;
  for await (const chunk of pieces) {
    bytes += chunk.length;
    if (bytes > header.bytes) throw fault(source, member, `that holds more than the ${header.bytes} bytes it declares`);
    crc = crc32(chunk, crc);
    hash.update(chunk);
    write(chunk);
  }
  if (bytes < header.bytes) throw fault(source, member, `that holds ${bytes} bytes and declares ${header.bytes}`);
  if (crc !== header.crc) throw fault(source, member, 'whose content does not have its CRC');
  source.expectUnchanged();
  return { sha256: hash.digest('hex'), bytes };
}
