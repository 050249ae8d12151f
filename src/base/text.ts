/** Fits text from others to the lines of a terminal. */

const unprintable = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** Returns one line without control characters: a goal or a note cannot move the cursor, colour the screen or reverse the text. */
export const printable = (text: string): string => text.replace(/[\t\r\n]+/g, ' ').replace(unprintable, '\ufffd');

export const shorten = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, max - 1).toWellFormed()}…`;

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

/** Stands on the command line for standard input or output in place of a file. */
export const standard_stream = '-';
