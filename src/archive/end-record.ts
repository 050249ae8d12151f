/**
 * The end of central directory record (APPNOTE.TXT 6.3, section 4.3.16). It must be the last 22 bytes of the file: readers that
 * search for it from the end, as all do, then cannot find another one.
 */
import {
  central_signature,
  comment_bytes_max,
  end_bytes,
  end_signature,
  readEnd,
  zip64_end_signature,
  zip64_locator_bytes,
  zip64_locator_signature,
  zip64_u16,
  zip64_u32,
  type EndRecord,
} from './format.js';
import { malformed, type Source } from './source.js';

const signatureText = 'PK\x05\x06';

/** Describes the bytes in the place of the end record, for the message only. */
function whyNoEnd(source: Source): string {
  const tail = Math.min(source.size, end_bytes + comment_bytes_max);
  const bytes = source.read(source.size - tail, tail);
  const at = bytes.lastIndexOf(signatureText, undefined, 'latin1');
  if (at < 0) return 'has no end of central directory record: it is cut short, or not a ZIP archive';
  if (at + end_bytes > tail) return 'is cut short inside its end of central directory record';
  const comment = bytes.readUInt16LE(at + end_bytes - 2);
  const rest = tail - at - end_bytes;
  if (comment > rest) return `is cut short: its end record declares a comment of ${comment} bytes, ${rest} are there`;
  if (comment === rest) return `has an archive comment of ${comment} bytes`;
  return `has ${rest - comment} bytes after its end of central directory record`;
}

function expectNoZip64(source: Source, end: EndRecord): void {
  const marked =
    [end.disk, end.directory_disk, end.entries_here, end.entries].includes(zip64_u16) ||
    [end.directory_bytes, end.directory_at].includes(zip64_u32);
  if (marked) throw malformed(source, 'refers to Zip64 records, which are not read');
  const at = source.size - end_bytes - zip64_locator_bytes;
  if (at >= 0 && source.read(at, 4).readUInt32LE(0) === zip64_locator_signature) {
    throw malformed(source, 'has a Zip64 locator, which is not read');
  }
}

/** Checks that the directory ends at the end record; the message describes the bytes between them. */
function expectAdjacent(source: Source, end: EndRecord): void {
  const end_at = source.size - end_bytes;
  const gap = end_at - end.directory_at - end.directory_bytes;
  if (gap < 0) throw malformed(source, `has a central directory that runs ${-gap} bytes into its end record`);
  if (gap === 0) return;
  const signatureAt = (at: number): number => (at + 4 <= end_at ? source.read(at, 4).readUInt32LE(0) : 0);
  const first = signatureAt(end_at - gap);
  if (first === end_signature) throw malformed(source, 'has more than one end of central directory record');
  if (first === zip64_end_signature) throw malformed(source, 'has a Zip64 end record, which is not read');
  if (first !== central_signature && signatureAt(end_at - end.directory_bytes) === central_signature) {
    throw malformed(source, `has ${gap} bytes before its archive begins`);
  }
  throw malformed(source, `has ${gap} bytes between its central directory and its end record`);
}

export function findEnd(source: Source): EndRecord {
  if (source.size < end_bytes) throw malformed(source, `has ${source.size} bytes, too few for a ZIP archive`);
  const bytes = source.read(source.size - end_bytes, end_bytes);
  const end = readEnd(bytes);
  if (bytes.readUInt32LE(0) !== end_signature || end.comment_bytes !== 0) throw malformed(source, whyNoEnd(source));
  expectNoZip64(source, end);
  if (end.disk !== 0 || end.directory_disk !== 0) throw malformed(source, 'is one disk of an archive on several');
  if (end.entries_here !== end.entries) {
    throw malformed(source, `counts its members twice and differently: ${end.entries_here} and ${end.entries}`);
  }
  expectAdjacent(source, end);
  return end;
}
