/** Reads what is typed into a field as a value of the request. Text of another form stays text, so that the codec names it. */

/** The words of a text, separated by blanks, commas or semicolons. */
export const words = (text: string): string[] => text.split(/[\s,;]+/).filter((word) => word !== '');

/** Returns the number if the text is one, undefined if it is blank, else the text unchanged. */
export function numberOf(text: string): number | string | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  const value = Number(trimmed);
  return /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i.test(trimmed) && Number.isFinite(value) ? value : trimmed;
}

/** The text, or nothing for a blank. */
export const textOf = (text: string): string | undefined => (text.trim() === '' ? undefined : text);
/** A list of ids, or nothing for a blank. */
export const idsOf = (text: string): readonly string[] | undefined => (text.trim() === '' ? undefined : words(text));

/**
 * The words of a list of numbers. A comma between two digits may be a decimal sign as well as a separator: it separates nothing, and the
 * word that holds it is not a number.
 */
const numberWords = (text: string): string[] => text.split(/(?:[\s;]|(?<!\d),|,(?!\d))+/).filter((word) => word !== '');

/** A list of numbers, as it is sent. */
export const numbersOf = (text: string): readonly (number | string)[] => numberWords(text).map((word) => numberOf(word) ?? word);

/** Returns the JSON value, undefined for a blank, else the text unchanged. */
export function jsonOf(text: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
