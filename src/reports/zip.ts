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

/** A number and how many bytes it has, the least first. */
type Field = readonly [value: number, bytes: 2 | 4];

const record = (fields: readonly Field[]): number[] =>
  fields.flatMap(([value, bytes]) => Array.from({ length: bytes }, (_, i) => (value >>> (8 * i)) & 0xff));

const version = 20;
const utf8_names = 1 << 11;
/** 1980-01-01: year 0, month 1, day 1. */
const first_date = (1 << 5) | 1;

/** @param members their names, in ASCII, and their texts */
export function storedZip(members: readonly (readonly [name: string, text: string])[]): Uint8Array {
  const encoder = new TextEncoder();
  const parts: Uint8Array[] = [];
  const central: Uint8Array[] = [];
  const lengthOf = (list: readonly Uint8Array[]): number => list.reduce((sum, { length }) => sum + length, 0);
  for (const [name, text] of members) {
    const [path, content] = [encoder.encode(name), encoder.encode(text)];
    const offset = lengthOf(parts);
    const common: readonly Field[] = [
      [version, 2],
      [utf8_names, 2],
      [0, 2], // stored
      [0, 2],
      [first_date, 2],
      [crc32(content), 4],
      [content.length, 4],
      [content.length, 4],
      [path.length, 2],
      [0, 2],
    ];
    parts.push(Uint8Array.from(record([[0x04034b50, 4], ...common])), path, content);
    // Comment, disk and attributes are none; then comes the place of the member.
    const rest: readonly Field[] = [
      [0, 2],
      [0, 2],
      [0, 2],
      [0, 4],
      [offset, 4],
    ];
    central.push(Uint8Array.from(record([[0x02014b50, 4], [version, 2], ...common, ...rest])), path);
  }
  const [start, size, count] = [lengthOf(parts), lengthOf(central), members.length];
  const end = record([
    [0x06054b50, 4],
    [0, 2],
    [0, 2],
    [count, 2],
    [count, 2],
    [size, 4],
    [start, 4],
    [0, 2],
  ]);
  return joined([...parts, ...central, Uint8Array.from(end)]);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}
