/**
 * Reads ZIP archives that somebody else made. The reader is narrow: members stored or deflated, no Zip64, no encryption, no extra
 * fields, no comments; and every archive that it accepts can be read in only one way (see structure.ts). Refusals: `malformed` for the
 * archive's content, `too_large` for limits, `not_found` and `invalid` for a path without a file.
 */
import { createHash } from 'node:crypto';
import { Fault } from '../base/fault.js';
import { extractMember, type Extracted } from './content.js';
import type { Member } from './format.js';
import { shownName } from './names.js';
import { bytesSource, chunks, fileSource, type Source } from './source.js';
import { readStructure, type ArchiveLimits } from './structure.js';

export interface Archive {
  /** In the order of the central directory. */
  readonly names: readonly string[];
  /** Returns the declared size of a member, which `read` and `extract` never exceed. */
  readonly bytes: (name: string) => number;
  /** Returns a whole member; refuses one that declares more than `bytes_max` bytes. */
  readonly read: (name: string, bytes_max: number) => Promise<Buffer>;
  /** Passes a member on in pieces that are valid during the call only; the output counts only once this has resolved. */
  readonly extract: (name: string, write: (chunk: Buffer) => void) => Promise<Extracted>;
  /** Hexadecimal, of the archive itself. */
  readonly sha256: () => Promise<string>;
  readonly close: () => void;
}

/** Opens a file and checks its whole structure; the caller closes it. @param named how refusals name it @throws RefusalError */
export const openArchive = (file: string, limits: ArchiveLimits, named = file): Archive =>
  open(fileSource(file, limits.file_bytes_max, named), limits);

/** Does the same for bytes that the caller does not change; `what` names them in refusals. */
export const openArchiveBytes = (bytes: Buffer, limits: ArchiveLimits, what = 'the archive'): Archive =>
  open(bytesSource(bytes, what, limits.file_bytes_max), limits);

function open(source: Source, limits: ArchiveLimits): Archive {
  try {
    return archiveOf(source, readStructure(source, limits));
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
    if (member.header.bytes > bytes_max) {
      const shown = shownName(Buffer.from(name, 'utf8'));
      throw source.refusal('too_large', `has a member ${shown} of ${member.header.bytes} bytes, at most ${bytes_max} are read`);
    }
    const pieces: Buffer[] = [];
    await extractMember(source, member, (chunk) => pieces.push(chunk));
    return Buffer.concat(pieces);
  };
  const sha256 = async (): Promise<string> => {
    const hash = createHash('sha256');
    for (const chunk of chunks(source, 0, source.size)) hash.update(chunk);
    source.expectUnchanged();
    return hash.digest('hex');
  };
  return {
    names: members.map(({ name }) => name),
    bytes: (name) => find(name).header.bytes,
    read,
    extract: async (name, write) => extractMember(source, find(name), write),
    sha256,
    close: () => source.close(),
  };
}
