/** The text of a file: UTF-8 or UTF-16 by its byte order mark, else UTF-8, else Windows-1252, as the programs of an office write it. */
import { fromUtf8 } from '../base/bytes.js';

interface Decoded {
  readonly text: string;
  /** What the reader of the result should know, or null. */
  readonly note: string | null;
}

/** Returns the text of the bytes, or null where they have a mark of Unicode and are not Unicode. */
export function decodeText(bytes: Uint8Array): Decoded | null {
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
