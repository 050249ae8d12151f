/**
 * Unpacks ZIP archives that other programs wrote, such as office files. Unlike those of this program they may have extra fields, comments and gaps; what is
 * refused is what makes one expensive or ambiguous: members that overlap or have one name, sizes over the limits, and content that differs from what
 * is declared. Every member is unpacked, also those that nobody reads, so that the limits count what is really there.
 */
import { fromBufferPromise, type Entry } from 'yauzl';
import { RefusalError } from '../base/refusal.js';
import { extractMember } from './read.js';
import { bytesSource, malformed, type Source, shownName } from './source.js';

export interface UnpackLimits {
  readonly members_max: number;
  /** Size of all members together, uncompressed. */
  readonly bytes_max: number;
  /** Uncompressed size divided by the compressed one, of each member and of all together. */
  readonly ratio_max: number;
}

/** Those of every document and workbook. */
export const office_limits: UnpackLimits = { members_max: 10_000, bytes_max: 200_000_000, ratio_max: 100 };

/** A member that unpacks to no more than this may have any ratio: blank pictures and settings of printers do, and it harms nobody. */
const small_bytes = 1_048_576;
const local_bytes = 30;

/**
 * Returns the members whose names are wanted, each unpacked.
 * @param what how refusals name the archive
 * @throws RefusalError `malformed` for the archive's content, `too_large` for limits
 */
export async function unpackWithin(
  bytes: Buffer,
  what: string,
  limits: UnpackLimits,
  isWanted: (name: string) => boolean,
): Promise<ReadonlyMap<string, Buffer>> {
  const source = bytesSource(bytes, what, bytes.length);
  const entries = await entriesOf(source, bytes, limits);
  expectApart(source, entries);
  const unpacked = new Map<string, Buffer>();
  for (const entry of entries) {
    const pieces: Buffer[] = [];
    const wanted = isWanted(entry.fileName);
    if (wanted && unpacked.has(entry.fileName)) throw malformed(source, `has two members ${shown(entry)}`);
    const member = { name: entry.fileName, entry, data_at: dataAt(source, entry) };
    await extractMember(source, member, (chunk) => void (wanted && pieces.push(Buffer.from(chunk))));
    if (wanted) unpacked.set(entry.fileName, Buffer.concat(pieces));
  }
  return unpacked;
}

/** Returns the entries after the checks of what they declare, which unpacking never exceeds. */
async function entriesOf(source: Source, bytes: Buffer, limits: UnpackLimits): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  let total = 0;
  try {
    const zip = await fromBufferPromise(bytes, {});
    for await (const entry of zip.eachEntry()) {
      if (entries.push(entry) > limits.members_max)
        throw source.refusal('too_large', `has more than ${limits.members_max} members`);
      total += entry.uncompressedSize;
      if (total > limits.bytes_max) throw source.refusal('too_large', `unpacks to more than ${limits.bytes_max} bytes`);
      expectReadable(source, entry, limits);
    }
  } catch (error) {
    if (!(error instanceof Error) || error instanceof RefusalError) throw error;
    throw malformed(source, `is a ZIP archive that is damaged or cut off: ${error.message.split('. ', 1)[0]}`);
  }
  if (total > small_bytes && total > bytes.length * limits.ratio_max)
    throw source.refusal('too_large', `unpacks to more than ${limits.ratio_max} times its size`);
  return entries;
}

function expectReadable(source: Source, entry: Entry, { ratio_max }: UnpackLimits): void {
  if (entry.isEncrypted()) throw malformed(source, 'is encrypted; remove its password');
  if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8)
    throw malformed(source, `has a member ${shown(entry)} that is packed by method ${entry.compressionMethod}`);
  const { uncompressedSize, compressedSize } = entry;
  if (uncompressedSize > small_bytes && uncompressedSize > compressedSize * ratio_max)
    throw source.refusal('too_large', `has a member ${shown(entry)} that unpacks to more than ${ratio_max} times its size`);
}

const shown = ({ fileNameRaw }: Entry): string => shownName(fileNameRaw);

/** The offset of the data, behind the local header, whose name and extra field have lengths of their own (APPNOTE 4.3.7). */
function dataAt(source: Source, entry: Entry): number {
  const at = entry.relativeOffsetOfLocalHeader;
  if (at + local_bytes > source.size) throw malformed(source, `has a member ${shown(entry)} behind its end`);
  const header = source.read(at, local_bytes);
  if (header.readUInt32LE(0) !== 0x04034b50) throw malformed(source, `has a member ${shown(entry)} without a header`);
  return at + local_bytes + header.readUInt16LE(26) + header.readUInt16LE(28);
}

/** Refuses members that share bytes: a few kilobytes that many entries name unpack to hundreds of megabytes. */
function expectApart(source: Source, entries: readonly Entry[]): void {
  const ranges = entries
    .map((entry) => ({ entry, from: entry.relativeOffsetOfLocalHeader, to: dataAt(source, entry) + entry.compressedSize }))
    .sort((a, b) => a.from - b.from);
  let end = 0;
  for (const { entry, from, to } of ranges) {
    if (from < end) throw malformed(source, `has members that overlap: ${shown(entry)} begins inside another`);
    if (to > source.size) throw malformed(source, `has a member ${shown(entry)} that is cut off`);
    end = to;
  }
}
