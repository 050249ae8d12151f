/**
 * Rules for the names of members. Only listed names are ever extracted; the rules describe what is wrong with other names, and
 * prevent a writer from making an archive that cannot be read back.
 */
import { fromUtf8 } from '../base/bytes.js';

const archive_name_bytes_max = 255;

const ascii = /^[\x20-\x7e]*$/;
const shown_bytes_max = 60;

/** Returns an untrusted name for a message: printable ASCII as it is, quotes, backslashes and every other byte as `\xNN`, cut when it is long. */
export function shownName(bytes: Uint8Array): string {
  const shown = [...bytes.subarray(0, shown_bytes_max)].map((byte) =>
    byte >= 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x5c
      ? String.fromCharCode(byte)
      : `\\x${byte.toString(16).padStart(2, '0')}`,
  );
  return `"${shown.join('')}${bytes.length > shown_bytes_max ? '…' : ''}"`;
}

/** Two names with one folded form are one file on a disk that ignores case or Unicode normal form. */
export const foldedName = (name: string): string => name.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');

function segmentFault(segment: string): string | null {
  if (segment === '') return 'has an empty part in its path';
  if (segment === '..') return 'leads out of its directory';
  if (segment === '.') return 'has a "." in its path';
  if (segment.endsWith(' ') || segment.startsWith(' ')) return 'has a part that begins or ends with a space';
  return segment.endsWith('.') ? 'has a part that ends with a dot' : null;
}

function textFault(name: string): string | null {
  if (name.includes('\0')) return 'holds a NUL';
  if (/\p{Cc}/u.test(name)) return 'holds a control character';
  if (/[\p{Cf}\p{Zl}\p{Zp}]/u.test(name)) return 'holds an invisible character';
  if (name.startsWith('/')) return 'is an absolute path';
  if (/^[A-Za-z]:/.test(name)) return 'begins with a drive letter';
  if (name.includes('\\')) return 'holds a backslash';
  if (name.includes(':')) return 'holds a colon';
  if (name.endsWith('/')) return 'names a directory';
  for (const segment of name.split('/')) {
    const fault = segmentFault(segment);
    if (fault !== null) return fault;
  }
  return null;
}

/** Returns what is wrong with a member's name, or null. `utf8` is the flag for UTF-8 names (APPNOTE 4.4.17 and appendix D). */
export function nameFault(bytes: Uint8Array, utf8: boolean): string | null {
  if (bytes.length === 0) return 'is empty';
  if (bytes.length > archive_name_bytes_max) return `has ${bytes.length} bytes, at most ${archive_name_bytes_max}`;
  const name = fromUtf8(bytes);
  if (name === null) return 'is not UTF-8';
  if (!utf8 && !ascii.test(name) && !/\p{Cc}/u.test(name)) return 'is not ASCII and is not marked as UTF-8';
  return textFault(name);
}
