/**
 * Reads ZIP archives that somebody else made. The reader is narrow: members stored or deflated, no Zip64, no encryption, no extra
 * fields, no comments; and every archive that it accepts can be read in only one way (see structure.ts). Refusals: `malformed` for the
 * archive's content, `too_large` for limits, `not_found` and `invalid` for a path without a file.
 */
import { Readable } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';
import { errorCode, Fault, type RefusalError } from '../base/refusal.js';
import { archive_chunk_bytes } from '../base/limits.js';
import { bytesSource, chunks, fileSource, malformed, type Source, shownName } from './source.js';
import { readStructure, type ArchiveLimits, type Member, type MemberData } from './structure.js';

export interface Archive {
  /** In the order of the central directory. */
  readonly names: readonly string[];
  /** Returns a whole member; refuses one that declares more than `bytes_max` bytes. No more than it declares is ever extracted. */
  readonly read: (name: string, bytes_max: number) => Promise<Buffer>;
  /** Passes a member on in pieces that are valid during the call only; the output counts only once this has resolved. */
  readonly extract: (name: string, write: (chunk: Buffer) => void) => Promise<void>;
  readonly close: () => void;
}

/** Opens a file and checks its whole structure; the caller closes it. @param named how refusals name it @throws RefusalError */
export const openArchive = async (file: string, limits: ArchiveLimits, named = file): Promise<Archive> =>
  open(fileSource(file, limits.file_bytes_max, named), limits);

/** Does the same for bytes that the caller does not change; `what` names them in refusals. */
export const openArchiveBytes = async (bytes: Buffer, limits: ArchiveLimits, what = 'the archive'): Promise<Archive> =>
  open(bytesSource(bytes, what, limits.file_bytes_max), limits);

async function open(source: Source, limits: ArchiveLimits): Promise<Archive> {
  try {
    return archiveOf(source, await readStructure(source, limits));
  } catch (error) {
    source.close();
    throw error;
  }
}

function archiveOf(source: Source, members: readonly Member[]): Archive {
  const find = (name: string): Member => {
    const member = members.find((each) => each.name === name);
    if (member === undefined) throw new Fault(`the archive has no member ${name}`);
    return member;
  };
  const read = async (name: string, bytes_max: number): Promise<Buffer> => {
    const member = find(name);
    if (member.entry.uncompressedSize > bytes_max) {
      const shown = shownName(Buffer.from(name, 'utf8'));
      throw source.refusal(
        'too_large',
        `has a member ${shown} of ${member.entry.uncompressedSize} bytes, at most ${bytes_max} are read`,
      );
    }
    const pieces: Buffer[] = [];
    await extractMember(source, member, (chunk) => pieces.push(chunk));
    return Buffer.concat(pieces);
  };
  return {
    names: members.map(({ name }) => name),
    read,
    extract: async (name, write) => extractMember(source, find(name), write),
    close: () => source.close(),
  };
}

const fault = (source: Source, { name }: MemberData, why: string): RefusalError =>
  malformed(source, `has a member ${shownName(Buffer.from(name, 'utf8'))} ${why}`);

/** The deflate stream (RFC 1951) of a member: it must end with its last block, at the last of its bytes. */
async function* inflated(source: Source, member: MemberData): AsyncGenerator<Buffer, void, undefined> {
  const { compressedSize: packed_bytes } = member.entry;
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

/**
 * Passes the content on in pieces and checks its size and CRC (APPNOTE 4.4.7), which yauzl does not. What is inflated is counted as it comes, and the first
 * byte beyond the declared size ends it, so that a bomb costs no more than it declares.
 */
export async function extractMember(source: Source, member: MemberData, write: (chunk: Buffer) => void): Promise<void> {
  const { entry, data_at } = member;
  const pieces = entry.isCompressed() ? inflated(source, member) : chunks(source, data_at, entry.compressedSize);
  let bytes = 0;
  let crc = 0;
  for await (const chunk of pieces) {
    bytes += chunk.length;
    if (bytes > entry.uncompressedSize)
      throw fault(source, member, `that holds more than the ${entry.uncompressedSize} bytes it declares`);
    crc = crc32(chunk, crc);
    write(chunk);
  }
  if (bytes < entry.uncompressedSize)
    throw fault(source, member, `that holds ${bytes} bytes and declares ${entry.uncompressedSize}`);
  if (crc !== entry.crc32) throw fault(source, member, 'whose content does not have its CRC');
  source.expectUnchanged();
}
