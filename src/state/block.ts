/** Blocks of P: the records of 64 positions. They are read where they lie in the stored bytes, and decoded only to be changed. */
import { hash_bytes } from '../journal/merkle.js';

export const block_positions = 64;

const count_bytes = 6;
const bitmap_bytes = block_positions / 8;
const record_bytes = 1 + count_bytes + 2 * hash_bytes;

/** What is known of a stream as of the snapshot, at the position of its newest entry. */
export type PositionRecord = Readonly<ReturnType<typeof recordIn>>;

/** Records by their place in the block, from 0. */
export type Block = Map<number, PositionRecord>;

/** The bits of each byte. */
const bits = Array.from({ length: 256 }, (_, byte) =>
  Array.from({ length: 8 }, (_, bit) => bit).filter((bit) => Math.floor(byte / 2 ** bit) % 2 === 1),
);

/** Returns the places that have a record, in order. */
export function placesIn(bytes: Buffer): readonly number[] {
  const places: number[] = [];
  for (let i = 0; i < bitmap_bytes; i++) for (const bit of bits[bytes[i] ?? 0] ?? []) places.push(8 * i + bit);
  return places;
}

/** Whether bytes are those of a block. */
export const isBlock = (bytes: Buffer): boolean =>
  bytes.length >= bitmap_bytes && bytes.length === bitmap_bytes + placesIn(bytes).length * record_bytes;

/** Returns the code of the record that comes `i`-th in a block. */
export const codeIn = (bytes: Buffer, i: number): number => bytes.readUInt8(bitmap_bytes + i * record_bytes);

/** Returns the record that comes `i`-th in a block. */
export function recordIn(bytes: Buffer, i: number) {
  const at = bitmap_bytes + i * record_bytes;
  const history = at + 1 + count_bytes;
  return {
    /** Number of the table and the state that it shows; an index of the list of codes. */
    code: bytes.readUInt8(at),
    /** Number of the stream's entries. */
    count: bytes.readUIntBE(at + 1, count_bytes),
    /** The chain of hashes over the stream's entries (`nextHistory`). */
    history: bytes.subarray(history, history + hash_bytes),
    /** The digest of the stream's rows (`rowDigest`). */
    row: bytes.subarray(history + hash_bytes, at + record_bytes),
  };
}

export const decodeBlock = (bytes: Buffer): Block => new Map(placesIn(bytes).map((place, i) => [place, recordIn(bytes, i)]));

/** A bitmap of the positions that have a record (position i is bit i mod 8 of byte i div 8), then the records in order. */
export function encodeBlock(block: Block): Buffer {
  const bytes = Buffer.alloc(bitmap_bytes + block.size * record_bytes);
  let at = bitmap_bytes;
  for (const [i, record] of [...block].toSorted(([a], [b]) => a - b)) {
    bytes[Math.floor(i / 8)] = (bytes[Math.floor(i / 8)] ?? 0) + 2 ** (i % 8);
    bytes.writeUInt8(record.code, at);
    bytes.writeUIntBE(record.count, at + 1, count_bytes);
    record.history.copy(bytes, at + 1 + count_bytes);
    record.row.copy(bytes, at + 1 + count_bytes + hash_bytes);
    at += record_bytes;
  }
  return bytes;
}
