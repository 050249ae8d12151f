/** Frozen ranges of scripts and of characters with a use of their own, taken from Unicode 17.0. Data only: each reader decodes it with its own code. */
import type { Script } from './language.js';

/** The digits 0 of all decimal digits, as differences in base 36; the digits 1 to 9 follow each. */
export const zeros =
  '1c 180 40 5s bq 3k 3k 3k 3k 3k 3k 3k 3k 3k 2y 3k 28 80 28 1g0 1c 8m 3u 4w g 5c 2o 40 g r80 j4 1c 5s w 2o bk gf4 13k 1ow g me 3u 1y ' +
  '4a 80 9s 3k ao 34 g a 2e c0 34 io 2o 74 28 1s a8 d0g 1tc 2o 40 f4 iv4 25a a a a a 1u2 c0 e8 75 nz 3og';

/** Scripts written without spaces between words, read as runs of overlapping grams: first and last code point, and the length of a gram. */
export const gram_runs: readonly (readonly [number, number, number])[] = [
  [0x0e01, 0x0e4e, 3],
  [0x0e81, 0x0ece, 3],
  [0x0edc, 0x0edf, 3],
  [0x1000, 0x103f, 3],
  [0x1050, 0x108f, 3],
  [0x109a, 0x109d, 3],
  [0x1780, 0x17d3, 3],
  [0x17dc, 0x17dd, 3],
  [0x3041, 0x3096, 2],
  [0x30a1, 0x30fa, 2],
  [0x3400, 0x4dbf, 2],
  [0x4e00, 0x9fff, 2],
  [0xa9e0, 0xa9ef, 3],
  [0xa9fa, 0xa9fe, 3],
  [0xaa60, 0xaa7f, 3],
  [0xf900, 0xfaff, 2],
  [0x20000, 0x3347f, 2],
];

/** Tone and shortening marks of Thai and Lao, which writers set differently: left out of grams. */
export const tone_runs: readonly (readonly [number, number])[] = [
  [0x0e47, 0x0e4e],
  [0x0ec8, 0x0ece],
];

/** Characters inside words that are not part of them: soft hyphen, spaces without width, joiners and marks of direction. */
export const joiners: readonly number[] = [0xad, 0x200b, 0x200c, 0x200d, 0x200e, 0x200f, 0x2060, 0xfeff];

/** The blocks of the scripts whose languages are told apart. */
export const script_runs: readonly (readonly [number, number, Script])[] = [
  [0x0061, 0x007a, 'latin'],
  [0x00c0, 0x024f, 'latin'],
  [0x0370, 0x03ff, 'greek'],
  [0x0400, 0x052f, 'cyrillic'],
  [0x0600, 0x06ff, 'arabic'],
  [0x0750, 0x077f, 'arabic'],
  [0x0900, 0x097f, 'devanagari'],
  [0x1e00, 0x1eff, 'latin'],
  [0x1f00, 0x1fff, 'greek'],
  [0xac00, 0xd7a3, 'hangul'],
];

/** Marks that end a sentence wherever they are. */
export const wide_stops = '。！？｡؟۔।॥။።།༎។៕';
