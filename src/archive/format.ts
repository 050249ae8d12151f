/**
 * The records of a ZIP file (PKWARE APPNOTE.TXT 6.3, section 4.3) as numbers. All are little-endian. This module does not check them.
 */
export const local_signature = 0x04034b50;
export const central_signature = 0x02014b50;
export const descriptor_signature = 0x08074b50;
export const end_signature = 0x06054b50;
export const zip64_locator_signature = 0x07064b50;
export const zip64_end_signature = 0x06064b50;

/** Lengths without the variable parts: sections 4.3.7, 4.3.12, 4.3.9 (with its signature), 4.3.16 and 4.3.15. */
export const local_bytes = 30;
export const central_bytes = 46;
export const descriptor_bytes = 16;
export const end_bytes = 22;
export const zip64_locator_bytes = 20;
/** An archive comment has a 16-bit length (section 4.4.12). */
export const comment_bytes_max = 65_535;

export const stored = 0;
export const deflated = 8;
/** Flag bits (section 4.4.4): sizes and CRC follow the data; names are UTF-8. */
export const flag_descriptor = 0x0008;
export const flag_utf8 = 0x0800;

/** The value that refers to the Zip64 record (section 4.4.1.4). */
export const zip64_u16 = 0xffff;
export const zip64_u32 = 0xffffffff;

export interface EndRecord {
  readonly disk: number;
  readonly directory_disk: number;
  readonly entries_here: number;
  readonly entries: number;
  readonly directory_bytes: number;
  readonly directory_at: number;
  readonly comment_bytes: number;
}

/** The fields of a member in both the local header and the central directory. */
export interface CommonFields {
  readonly version_needed: number;
  readonly flags: number;
  readonly method: number;
  readonly time: number;
  readonly date: number;
  readonly crc: number;
  readonly packed_bytes: number;
  readonly bytes: number;
  readonly name_bytes: number;
  readonly extra_bytes: number;
}

export interface LocalHeader extends CommonFields {
  readonly signature: number;
}

export interface CentralHeader extends CommonFields {
  readonly signature: number;
  readonly host: number;
  readonly comment_bytes: number;
  readonly disk: number;
  readonly internal: number;
  readonly external: number;
  readonly local_at: number;
}

export interface Descriptor {
  readonly signature: number;
  readonly crc: number;
  readonly packed_bytes: number;
  readonly bytes: number;
}

/** Section 4.3.16. */
export const readEnd = (bytes: Buffer): EndRecord => ({
  disk: bytes.readUInt16LE(4),
  directory_disk: bytes.readUInt16LE(6),
  entries_here: bytes.readUInt16LE(8),
  entries: bytes.readUInt16LE(10),
  directory_bytes: bytes.readUInt32LE(12),
  directory_at: bytes.readUInt32LE(16),
  comment_bytes: bytes.readUInt16LE(20),
});

/** The ten fields lie side by side in both headers, `at` bytes from the start. */
const readCommon = (bytes: Buffer, at: number): CommonFields => ({
  version_needed: bytes.readUInt16LE(at),
  flags: bytes.readUInt16LE(at + 2),
  method: bytes.readUInt16LE(at + 4),
  time: bytes.readUInt16LE(at + 6),
  date: bytes.readUInt16LE(at + 8),
  crc: bytes.readUInt32LE(at + 10),
  packed_bytes: bytes.readUInt32LE(at + 14),
  bytes: bytes.readUInt32LE(at + 18),
  name_bytes: bytes.readUInt16LE(at + 22),
  extra_bytes: bytes.readUInt16LE(at + 24),
});

/** Section 4.3.7. */
export const readLocal = (bytes: Buffer): LocalHeader => ({ signature: bytes.readUInt32LE(0), ...readCommon(bytes, 4) });

/** Section 4.3.12. Version made by is two bytes: the specification's version and the host system (section 4.4.2). */
export const readCentral = (bytes: Buffer): CentralHeader => ({
  signature: bytes.readUInt32LE(0),
  host: bytes.readUInt8(5),
  ...readCommon(bytes, 6),
  comment_bytes: bytes.readUInt16LE(32),
  disk: bytes.readUInt16LE(34),
  internal: bytes.readUInt16LE(36),
  external: bytes.readUInt32LE(38),
  local_at: bytes.readUInt32LE(42),
});

/** Section 4.3.9, in the form that begins with a signature. */
export const readDescriptor = (bytes: Buffer): Descriptor => ({
  signature: bytes.readUInt32LE(0),
  crc: bytes.readUInt32LE(4),
  packed_bytes: bytes.readUInt32LE(8),
  bytes: bytes.readUInt32LE(12),
});

/** A member by its central header. */
export interface Member {
  readonly name: string;
  readonly header: CentralHeader;
  /** Where the data begins; `header.packed_bytes` of them. */
  readonly data_at: number;
}
