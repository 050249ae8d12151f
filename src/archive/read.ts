/**
 * Reads ZIP archives that somebody else made. The reader is narrow: members stored or deflated, no Zip64, no encryption, no extra
 * fields, no comments; and every archive that it accepts can be read in only one way (see below). Refusals: `malformed` for the
 * archive's content, `too_large` for limits, `not_found` and `invalid` for a path without a file.
 */
import { Readable } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';
import { errorCode, Fault, RefusalError } from '../base/refusal.js';
import { archive_chunk_bytes } from '../base/limits.js';
import { bytesSource, chunks, fileSource, malformed, shownName, type Source } from './source.js';
import { fromRandomAccessReaderPromise, RandomAccessReader, type Entry, type ZipFile } from 'yauzl';
import { fromUtf8 } from '../base/text.js';

export type Archive = Readonly<ReturnType<typeof archiveOf>>;

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

function archiveOf(source: Source, members: readonly Member[]) {
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
    /** In the order of the central directory. */
    names: members.map(({ name }) => name),
    /** Returns a whole member; refuses one that declares more than `bytes_max` bytes. No more than it declares is ever extracted. */
    read,
    /** Passes a member on in pieces that are valid during the call only; the output counts only once this has resolved. */
    extract: async (name: string, write: (chunk: Buffer) => void) => extractMember(source, find(name), write),
    close: () => source.close(),
  };
}

const fault = (source: Source, { name }: MemberData, reason: string): RefusalError =>
  malformed(source, `has a member ${shownName(Buffer.from(name, 'utf8'))} ${reason}`);

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

// Checks the whole structure of a ZIP file before anything is extracted. yauzl reads the records; the rules here leave one way to read an accepted file: the
// members' headers and data fill it from its first byte to the central directory without a gap, that fills it to the end record, which is its last 22
// bytes, and the two headers of a member agree in every field (APPNOTE.TXT 6.3, sections 4.3.6 to 4.3.16).

/** Sizes of the records without their variable parts (sections 4.3.7, 4.3.12, 4.3.9 with its signature, and 4.3.16). */
const [local_bytes, central_bytes, descriptor_bytes, end_bytes] = [30, 46, 16, 22];
/** Refers to a Zip64 record (section 4.4.1.4). */
const zip64 = 0xffffffff;

export interface ArchiveLimits {
  /** The names, each of which must be there once; no other is allowed. */
  readonly members: readonly string[];
  /** Size of all members together, uncompressed. */
  readonly bytes_max: number;
  /** Size of the archive itself. */
  readonly file_bytes_max: number;
}

/** What unpacking a member needs. */
export interface MemberData {
  readonly name: string;
  readonly entry: Entry;
  /** The offset of the data. */
  readonly data_at: number;
}

export interface Member extends MemberData {
  /** The bytes of the entry in the central directory, without its name. */
  readonly header: Buffer;
}

/** Returns every member in the order of the central directory. @throws RefusalError */
export async function readStructure(source: Source, limits: ArchiveLimits): Promise<readonly Member[]> {
  const options = { decodeStrings: false };
  const zip = await parsed(source, fromRandomAccessReaderPromise(new SourceReader(source), source.size, options));
  const members_max = limits.members.length;
  if (zip.entryCount > members_max) {
    throw malformed(source, `counts ${zip.entryCount} members, at most ${members_max} belong in it`);
  }
  const entries = await parsed(source, entriesOf(zip));
  const directory_at = expectDirectory(source, entries);
  const members = membersOf(source, entries, directory_at);
  expectNames(source, members, limits);
  const bytes = entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
  if (bytes > limits.bytes_max) {
    throw source.refusal('too_large', `declares ${bytes} bytes of members, at most ${limits.bytes_max} are read`);
  }
  expectFilled(source, members, directory_at);
  return members;
}

/** Lets yauzl read from a source. */
class SourceReader extends RandomAccessReader {
  constructor(private readonly source: Source) {
    super();
  }

  override read(buffer: Buffer, offset: number, length: number, at: number, done: (error: Error | null) => void): void {
    let fault: Error | null = null;
    try {
      if (at + length > this.source.size) throw malformed(this.source, 'refers to bytes that it does not have');
      this.source.read(at, length).copy(buffer, offset);
    } catch (error) {
      fault = error instanceof Error ? error : new Error(String(error));
    }
    done(fault);
  }
}

/** Returns what yauzl has read; an error of yauzl itself becomes a refusal. */
async function parsed<A>(source: Source, reading: Promise<A>): Promise<A> {
  try {
    return await reading;
  } catch (error) {
    if (!(error instanceof Error) || error instanceof RefusalError || errorCode(error) !== '') throw error;
    throw malformed(source, `is no ZIP archive that is read here: ${error.message.split('. ', 1)[0]}`);
  }
}

async function entriesOf(zip: ZipFile): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  for await (const entry of zip.eachEntry()) entries.push(entry);
  return entries;
}

/** Checks that the central directory ends at an end record which describes it and nothing else. Returns where the directory begins. */
function expectDirectory(source: Source, entries: readonly Entry[]): number {
  const end_at = source.size - end_bytes;
  const end = source.read(end_at, end_bytes);
  // Before the end record, this makes yauzl read the directory that a Zip64 record names.
  const hasLocator = end_at >= 20 && source.read(end_at - 20, 4).toString('latin1') === 'PK\x06\x07';
  if (hasLocator) throw malformed(source, 'has a Zip64 locator, which is not read');
  const directory_bytes = entries.reduce((sum, entry) => sum + headerBytes(entry), 0);
  const expected = Buffer.alloc(end_bytes);
  expected.write('PK\x05\x06', 'latin1');
  expected.writeUInt16LE(entries.length, 8);
  expected.writeUInt16LE(entries.length, 10);
  expected.writeUInt32LE(directory_bytes, 12);
  expected.writeUInt32LE(Math.max(0, end_at - directory_bytes), 16);
  if (!end.equals(expected)) throw malformed(source, 'does not end with its central directory and a record that describes it');
  return end_at - directory_bytes;
}

const headerBytes = ({ fileNameLength, extraFieldLength, fileCommentLength }: Entry): number =>
  central_bytes + fileNameLength + extraFieldLength + fileCommentLength;

const [stored, deflated] = [0, 8];
/** Flag bits (section 4.4.4): sizes and CRC follow the data; names are UTF-8. */
const [flag_descriptor, flag_utf8] = [0x0008, 0x0800];
/** What made the archive (section 4.4.2.2): MS-DOS, which Python on Windows writes too, or Unix. */
const systems = [0, 3];
/** The type in a Unix mode, which is the upper half of the external attributes. */
const [no_type, regular_file] = [0, 8];
const dos_directory_or_label = 0x18;

function membersOf(source: Source, entries: readonly Entry[], directory_at: number): readonly Member[] {
  let at = directory_at;
  return entries.map((entry) => {
    const raw = entry.fileNameRaw;
    const header = source.read(at, central_bytes);
    const fault = headerFault(entry, header);
    if (fault !== null) throw malformed(source, `has a member ${shownName(raw)} that ${fault}`);
    at += headerBytes(entry);
    return { name: fromUtf8(raw) ?? '', entry, header, data_at: entry.relativeOffsetOfLocalHeader + local_bytes + raw.length };
  });
}

/** What is wrong with a header of the central directory, its name apart, or null (sections 4.4 and 4.5). */
function headerFault(entry: Entry, header: Buffer): string | null {
  const { generalPurposeBitFlag: flags, compressionMethod: method, externalFileAttributes: attributes } = entry;
  const sizes = [entry.compressedSize, entry.uncompressedSize, entry.relativeOffsetOfLocalHeader];
  const rules: readonly (readonly [isBroken: boolean, fault: string])[] = [
    [sizes.some((size) => size >= zip64), 'refers to a Zip64 record, which is not read'],
    [header.readUInt16LE(34) !== 0, 'is on another disk'],
    [entry.isEncrypted(), 'is encrypted'],
    [
      (flags & ~(flag_descriptor | flag_utf8)) !== 0,
      `has the flags 0x${flags.toString(16)}, which no archive that is read here has`,
    ],
    [method !== stored && method !== deflated, `is packed by method ${method}; only stored and deflated members are read`],
    [entry.versionNeededToExtract > 20, `needs version ${entry.versionNeededToExtract / 10} of the format, at most 2 is read`],
    [entry.extraFieldLength > 0, 'has an extra field'],
    [entry.fileCommentLength > 0, 'has a comment'],
    [!systems.includes(entry.versionMadeBy >> 8), 'was made on a system that is neither Unix nor MS-DOS'],
    [![no_type, regular_file].includes(attributes >>> 28), 'is no regular file'],
    [(attributes & dos_directory_or_label) !== 0, 'is a directory or a volume label of MS-DOS'],
    [entry.internalFileAttributes !== 0, 'has internal attributes'],
    [method === deflated && entry.compressedSize < 2, 'is too short for a deflate stream'],
  ];
  return rules.find(([isBroken]) => isBroken)?.[1] ?? null;
}

const quoted = (name: string): string => shownName(Buffer.from(name, 'utf8'));

/** Checks that each listed name occurs once, and no other does. */
function expectNames(source: Source, members: readonly Member[], { members: listed }: ArchiveLimits): void {
  const seen = new Set<string>();
  for (const { name, entry } of members) {
    if (!listed.includes(name))
      throw malformed(source, `has a member ${shownName(entry.fileNameRaw)} that does not belong in it`);
    if (seen.has(name)) throw malformed(source, `has two members ${quoted(name)}`);
    seen.add(name);
  }
  const missing = listed.filter((name) => !seen.has(name));
  if (missing.length > 0) throw malformed(source, `lacks ${missing.join(', ')}`);
}

/** Checks that the members, in any order, fill the file up to the central directory without a gap or an overlap, and that their headers agree. */
function expectFilled(source: Source, members: readonly Member[], directory_at: number): void {
  const inOrder = [...members].sort((a, b) => a.entry.relativeOffsetOfLocalHeader - b.entry.relativeOffsetOfLocalHeader);
  let at = 0;
  for (const member of inOrder) {
    const { name, entry, data_at } = member;
    const gap = entry.relativeOffsetOfLocalHeader - at;
    if (gap > 0) throw malformed(source, `has ${gap} bytes that belong to nothing before ${quoted(name)}`);
    if (gap < 0) throw malformed(source, `has members that overlap: ${quoted(name)} begins inside another`);
    const data_end = data_at + entry.compressedSize;
    at = data_end + (hasDescriptor(entry) ? descriptor_bytes : 0);
    if (at > directory_at) throw malformed(source, `has a member ${quoted(name)} that runs into the central directory`);
    const local = localHeader(member);
    if (!source.read(entry.relativeOffsetOfLocalHeader, local.length).equals(local))
      throw malformed(source, `has a member ${quoted(name)} whose two headers differ`);
    if (hasDescriptor(entry) && !source.read(data_end, descriptor_bytes).equals(descriptorOf(entry)))
      throw malformed(source, `has a member ${quoted(name)} whose data descriptor is missing or differs`);
  }
  if (at < directory_at) throw malformed(source, `has ${directory_at - at} bytes between its members and its central directory`);
}

const hasDescriptor = ({ generalPurposeBitFlag }: Entry): boolean => (generalPurposeBitFlag & flag_descriptor) !== 0;

/** The local header that a member must have (section 4.3.7): with a descriptor behind the data, CRC and sizes in it are zero (section 4.4.4, bit 3). */
function localHeader({ entry, header }: Member): Buffer {
  const bytes = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), header.subarray(6, 32), entry.fileNameRaw]);
  return hasDescriptor(entry) ? bytes.fill(0, 14, 26) : bytes;
}

/** The data descriptor of a member (section 4.3.9), in the form that begins with a signature. */
function descriptorOf({ crc32, compressedSize, uncompressedSize }: Entry): Buffer {
  const bytes = Buffer.from('PK\x07\x08'.padEnd(descriptor_bytes), 'latin1');
  for (const [i, field] of [crc32, compressedSize, uncompressedSize].entries()) bytes.writeUInt32LE(field, 4 + 4 * i);
  return bytes;
}
