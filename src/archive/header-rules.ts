/** Rules for a central header (APPNOTE.TXT 6.3, sections 4.4 and 4.5), each with its own message. */
import { deflated, flag_descriptor, flag_utf8, stored, zip64_u16, zip64_u32, type CentralHeader } from './format.js';

/** Section 4.4.5. */
const methods: Readonly<Record<number, string>> = {
  1: 'shrink',
  6: 'implode',
  9: 'deflate64',
  12: 'bzip2',
  14: 'LZMA',
  20: 'Zstandard, old number',
  93: 'Zstandard',
  95: 'XZ',
  98: 'PPMd',
  99: 'AES encryption',
};

/** Section 4.4.4. */
const flagWords: readonly (readonly [bit: number, why: string])[] = [
  [0, 'is encrypted (flag bit 0)'],
  [6, 'is strongly encrypted (flag bit 6)'],
  [13, 'has its header masked (flag bit 13)'],
  [5, 'is patch data (flag bit 5)'],
];

/** Type bits of a Unix mode (POSIX sys/stat.h), in the upper half of the external attributes. */
const fileTypes: Readonly<Record<number, string>> = {
  0x1000: 'a pipe',
  0x2000: 'a character device',
  0x4000: 'a directory',
  0x6000: 'a block device',
  0xa000: 'a symbolic link',
  0xc000: 'a socket',
};
const regular_file = 0x8000;
const dos_directory = 0x10;
const dos_volume_label = 0x08;
/** Section 4.4.2.2: MS-DOS, which Python on Windows writes too, and Unix. */
const hosts: readonly number[] = [0, 3];
/** Section 4.4.3.2: 2.0 is what deflate needs. */
const version_max = 20;

/** Sections 4.5.3, 4.5.12, 4.6.8 and 4.6.9, and WinZip's. */
const extraFields: Readonly<Record<number, string>> = {
  0x0001: 'a Zip64 extra field (0x0001)',
  0x0017: 'a strong encryption extra field (0x0017)',
  0x6375: 'an extra field that claims another comment (0x6375)',
  0x7075: 'an extra field that claims another name (0x7075)',
  0x9901: 'an AES encryption extra field (0x9901)',
};

/** Returns the message for a header's extra fields, which no accepted archive has. */
export function extraWords(extra: Buffer): string {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    const known = extraFields[extra.readUInt16LE(at)];
    if (known !== undefined) return known;
  }
  return extra.length < 4 ? 'an extra field that is cut short' : `an extra field (0x${hex4(extra.readUInt16LE(0))})`;
}

const hex4 = (n: number): string => n.toString(16).padStart(4, '0');

function flagFault(flags: number): string | null {
  for (const [bit, why] of flagWords) if ((flags & (1 << bit)) !== 0) return why;
  const other = flags & ~(flag_descriptor | flag_utf8);
  return other === 0 ? null : `sets flag bit ${31 - Math.clz32(other)}, which no archive that is read here does`;
}

function typeFault({ host, external, internal }: CentralHeader): string | null {
  if (!hosts.includes(host)) return `was made on host system ${host}, neither Unix nor MS-DOS`;
  const type = (external >>> 16) & 0xf000;
  if (type !== 0 && type !== regular_file) return `is ${fileTypes[type] ?? 'no regular file'}`;
  if ((external & dos_directory) !== 0) return 'is a directory (MS-DOS attribute)';
  if ((external & dos_volume_label) !== 0) return 'is a volume label';
  return internal === 0 ? null : 'has internal attributes';
}

function sizeFault({ method, packed_bytes, bytes }: CentralHeader): string | null {
  if (method === stored && packed_bytes !== bytes) return `is stored, with two sizes: ${packed_bytes} and ${bytes} bytes`;
  return method === deflated && packed_bytes < 2 ? 'is too short for a deflate stream' : null;
}

/** What is wrong with a central header, its name and extra fields apart, or null. */
export function headerFault(header: CentralHeader): string | null {
  const { method, version_needed } = header;
  if ([header.packed_bytes, header.bytes, header.local_at].includes(zip64_u32) || header.disk === zip64_u16) {
    return 'refers to a Zip64 record, which is not read';
  }
  if (header.disk !== 0) return 'lies on another disk';
  const flags = flagFault(header.flags);
  if (flags !== null) return flags;
  if (method !== stored && method !== deflated) {
    return `is packed by method ${method} (${methods[method] ?? 'unknown'}); only stored and deflated members are read`;
  }
  if (version_needed > version_max) return `needs version ${version_needed / 10} of the format, at most 2 is read`;
  if (header.comment_bytes !== 0) return `has a comment of ${header.comment_bytes} bytes`;
  return typeFault(header) ?? sizeFault(header);
}
