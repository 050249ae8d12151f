/** Texts: what UTF-8 bytes say, and text from others fitted to the lines of a terminal. */
import { shownText } from './shown.js';

/** Returns one line: a goal or a note cannot move the cursor, colour the screen, reverse the text or hide a part of it. */
export const printable = (text: string): string => shownText(text.replace(/[\t\r\n]+/g, ' '));

export const shorten = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, max - 1).toWellFormed()}…`;

/** The text of UTF-8 bytes, or null when they are not valid UTF-8 (a byte order mark is kept, so that JSON refuses it). */
export function fromUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Folds case, and characters that Unicode writes as one code point or several, so that a search finds both. */
export const folded = (text: string): string => text.toLowerCase().normalize('NFC');

/** Quotes a word for the shell, so that a printed command can be pasted. */
export const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

/** Returns the flags that give the options of reading a file, as words for a shell. */
export const flagWords = (options: object): string[] =>
  Object.entries(options).flatMap(([name, value]: [string, unknown]): string[] => {
    const flag = `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    if (value === true) return [flag];
    if (typeof value === 'string') return [flag, value];
    if (typeof value !== 'object' || value === null) return [];
    const pairs = Object.entries(value).map(
      ([key, each]: [string, unknown]) => `${key}=${typeof each === 'string' ? each : JSON.stringify(each)}`,
    );
    return name === 'scale' ? [flag, pairs.join(',')] : pairs.flatMap((pair) => [flag, pair]);
  });

/** Breaks a text between words; a longer word has a line of its own. */
export function wrap(text: string, width: number): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line === '') lines[lines.length - 1] = word;
    else if (line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** Returns what is wrong with a note or a reason, as the shapes of the API say it: it is blank or has too many code points; or null. */
export function noteFault(text: string, chars_max: number): string | null {
  const { length } = [...text];
  if (length === 0 || length > chars_max) return `must have 1 to ${chars_max} characters, has ${length}`;
  if (text.trim() === '') return 'must not be blank';
  return text.isWellFormed() ? null : 'must not have unpaired surrogates';
}

export const isNote = (text: string, chars_max: number): boolean => noteFault(text, chars_max) === null;

/** Stands on the command line for standard input or output in place of a file. */
export const standard_stream = '-';

/** Returns a cut that does not split a surrogate pair. */
export const wholeCut = (text: string, at: number): number => {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at;
};
