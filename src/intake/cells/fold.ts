/** Names as they are compared: case, accents, spaces, underscores and punctuation do not count. */

/** Returns a text in lower case without accents, its words separated by single spaces: `Work_Centre` and `work centre` are the same, and so are `Order #` and `order no`. */
export const fold = (text: string): string =>
  text
    // Marks are removed before they are decomposed, too: the time for that grows with the square of the marks on a letter.
    .replace(/\p{M}/gu, '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('œ', 'oe')
    .replaceAll('æ', 'ae')
    .replaceAll('ø', 'o')
    .replace(/[^\p{L}\p{N}%#]+/gu, ' ')
    .trim()
    .replace(/ #$/, ' no');

/** Returns a text with its digits above the line: a note on a number, such as 5¹, is no digit of it. */
export const raised = (text: string): string => text.replace(/\d/g, (digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'.charAt(Number(digit)));
