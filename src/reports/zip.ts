/**
 * Writes small ZIP archives (APPNOTE 6.3.10) whose bytes depend only on their members: stored, so that no version of a compressor matters;
 * 1980-01-01 00:00, the format's first moment; no extra fields, no comments.
 */

const crc_polynomial = 0xedb88320;

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ crc_polynomial : crc >>> 1;
  return crc;
});

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (crc >>> 8) ^ (crcTable[(crc ^ byte) & 0xff] ?? 0);
  return (crc ^ 0xffffffff) >>> 0;
}

const little = (bytes: number, values: readonly number[]): number[] =>
  values.flatMap((value) => Array.from({ length: bytes }, (_, i) => (value >>> (8 * i)) & 0xff));
const shorts = (...values: readonly number[]): number[] => little(2, values);
const longs = (...values: readonly number[]): number[] => little(4, values);

const version = 20;
const utf8_names = 1 << 11;
/** 1980-01-01: year 0, month 1, day 1. */
const first_date = (1 << 5) | 1;

/** @param members their names, in ASCII, and their texts */
export function storedZip(members: readonly (readonly [name: string, text: string])[]): Uint8Array {
  const encoder = new TextEncoder();
  const parts: Uint8Array[] = [];
  const central: Uint8Array[] = [];
  for (const [name, text] of members) {
    const [path, content] = [encoder.encode(name), encoder.encode(text)];
    const offset = lengthOf(parts);
    const sizes = longs(crc32(content), content.length, content.length);
    // Method 0 is stored; then come the time and the date, and after the sizes the lengths of the name and of extra fields.
    const common = [...shorts(version, utf8_names, 0, 0, first_date), ...sizes, ...shorts(path.length, 0)];
    parts.push(Uint8Array.from([...longs(0x04034b50), ...common]), path, content);
    // Comment, disk and attributes are none; then comes the place of the member.
    central.push(
      Uint8Array.from([...longs(0x02014b50), ...shorts(version), ...common, ...shorts(0, 0, 0), ...longs(0, offset)]),
      path,
    );
  }
  const place = [...shorts(members.length, members.length), ...longs(lengthOf(central), lengthOf(parts)), ...shorts(0)];
  return joined([...parts, ...central, Uint8Array.from([...longs(0x06054b50), ...shorts(0, 0), ...place])]);
}

const lengthOf = (parts: readonly Uint8Array[]): number => parts.reduce((sum, { length }) => sum + length, 0);

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const out = new Uint8Array(lengthOf(parts));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}
