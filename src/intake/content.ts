/**
 * Tells by its content what a file is: which reader reads it, or by which name it is refused. The name of the file decides nothing, because a picture that
 * is called `sales.csv` stays a picture. Texts are UTF-8 or UTF-16 by their byte order mark, else UTF-8, else Windows-1252, as the programs of an office
 * write them.
 */
import { fromUtf8 } from '../base/text.js';

/** What a file is. `name` is that of a file that no reader reads, with its article, such as `a PNG image`. */
export type Content =
  | { readonly type: 'empty' | 'pdf' | 'zip' | 'html' | 'text' }
  | { readonly type: 'other'; readonly name: string };

/** A beginning, as Latin-1, at an offset. */
type Signature = readonly [beginning: string, name: string, offset?: number];

/** The container of old Office files, and of new ones with a password ([MS-CFB] 2.2, [MS-OFFCRYPTO] 2.3). */
const office = '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1';
const locked = Buffer.from('EncryptedPackage', 'utf16le');

/** The first that fits counts. Texts of a language with a program of its own are among them, because their markup would be quoted as text. */
const signatures: readonly Signature[] = [
  ['\x89PNG\r\n\x1a\n', 'a PNG image'],
  ['\xff\xd8\xff', 'a JPEG image'],
  ['GIF8', 'a GIF image'],
  ['II*\0', 'a TIFF image'],
  ['MM\0*', 'a TIFF image'],
  ['WEBP', 'a WebP image', 8],
  ['ftyphei', 'a HEIC image', 4],
  ['ftypavif', 'an AVIF image', 4],
  ['ftyp', 'an MP4 video', 4],
  ['WAVE', 'a WAV recording', 8],
  ['ID3', 'an MP3 recording'],
  ['OggS', 'an Ogg recording'],
  ['\x1aE\xdf\xa3', 'a Matroska video'],
  [office, 'an old Office file (.xls, .doc)'],
  ['{\\rtf', 'an RTF document'],
  ['%!PS', 'a PostScript file'],
  ['\x1f\x8b', 'a gzip archive'],
  ['BZh', 'a bzip2 archive'],
  ['\xfd7zXZ\0', 'an XZ archive'],
  ["7z\xbc\xaf'\x1c", 'a 7z archive'],
  ['Rar!\x1a\x07', 'a RAR archive'],
  ['\x28\xb5\x2f\xfd', 'a Zstandard archive'],
  ['ustar', 'a tar archive', 257],
  ['\x7fELF', 'a program'],
  ['\xfe\xed\xfa', 'a program'],
  ['\xcf\xfa\xed\xfe', 'a program'],
  ['SQLite format 3\0', 'an SQLite database'],
  ['PAR1', 'a Parquet file'],
  ['ARROW1', 'an Arrow file'],
];

/** How far the header of a PDF and the first tag of an HTML page are looked for. */
const head_bytes = 4_096;

/** Returns what a file is. */
export function contentOf(bytes: Uint8Array): Content {
  if (bytes.length === 0) return { type: 'empty' };
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const head = all.toString('latin1', 0, head_bytes);
  if (/^PK(?:\x03\x04|\x05\x06|\x07\x08)/.test(head)) return { type: 'zip' };
  // Readers of PDF accept bytes before the header.
  if (head.slice(0, 1_024).includes('%PDF-')) return { type: 'pdf' };
  if (head.startsWith(office) && all.includes(locked)) return { type: 'other', name: 'an Office file with a password' };
  const signature = signatures.find(([beginning, , offset = 0]) => head.startsWith(beginning, offset));
  if (signature !== undefined) return { type: 'other', name: signature[1] };
  if (head.startsWith('\xff\xfe')) return typeOfText(all.toString('utf16le', 2, head_bytes), '');
  if (head.startsWith('\xfe\xff')) return typeOfText(new TextDecoder('utf-16be').decode(all.subarray(0, head_bytes)), '');
  if (isBinary(all)) return { type: 'other', name: 'binary data' };
  return typeOfText(head.replace(/^\xef\xbb\xbf/, ''), all.toString('latin1', Math.max(0, all.length - 64)));
}

/** Returns whether bytes hold a control character that no text has; tabulators, breaks of lines and pages, escapes and the old end of a file are in texts. */
function isBinary(bytes: Uint8Array): boolean {
  for (const byte of bytes) if (byte < 0x20 && (byte < 0x09 || byte > 0x0d) && byte !== 0x1a && byte !== 0x1b) return true;
  return false;
}

const page = /^(?:!doctype|html|head|body|meta|title)$/i;
const fragment =
  /^(?:a|article|aside|b|blockquote|br|center|dd|div|dl|em|font|form|h[1-6]|header|hr|i|img|li|link|main|nav|ol|p|pre|script|section|span|strong|style|table|tbody|td|th|tr|ul)$/i;

/** A text is HTML when a tag of it comes first; where that is none of a page's, the last character is the end of a tag too: Markdown may begin with tags. */
function typeOfText(head: string, tail: string): Content {
  const [, declaration, tag = ''] = /^\s*(<\?xml\b[^>]*>)?\s*(?:<!--[\s\S]*?-->\s*)*(?:<(!?[a-z][\w:-]*))?/i.exec(head) ?? [];
  if (/^svg$/i.test(tag)) return { type: 'other', name: 'an SVG image' };
  if (page.test(tag) || (fragment.test(tag) && tail.trimEnd().endsWith('>'))) return { type: 'html' };
  return declaration === undefined ? { type: 'text' } : { type: 'other', name: 'an XML file' };
}

/**
 * Returns the text of the bytes, with a note for the reader of the result, or null; null where they have a mark of Unicode and are not
 * Unicode.
 */
export function decodeText(bytes: Uint8Array) {
  const mark = `${bytes[0]} ${bytes[1]}`;
  const utf16 = mark === '255 254' ? 'utf-16le' : mark === '254 255' ? 'utf-16be' : null;
  if (utf16 !== null) {
    try {
      return { text: new TextDecoder(utf16, { fatal: true }).decode(bytes), note: null };
    } catch {
      return null;
    }
  }
  const text = fromUtf8(bytes);
  if (text !== null) return { text: text.replace(/^\ufeff/, ''), note: null };
  if (mark === '239 187' && bytes[2] === 191) return null;
  return { text: fromWindows1252(bytes), note: 'The text is not UTF-8; it was read as Windows-1252.' };
}

/** The characters of the bytes 80 to 9F (WHATWG Encoding, index windows-1252). Some versions of Node decode these as ISO 8859-1. */
const windows1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

const fromWindows1252 = (bytes: Uint8Array): string =>
  Buffer.from(bytes)
    .toString('latin1')
    .replace(/[\u0080-\u009f]/g, (c) => windows1252.charAt(c.charCodeAt(0) - 0x80));
