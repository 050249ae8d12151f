/** Settings that environment variables and flags hold as text, each decoded before anything starts. */
import { invalid, RefusalError } from './refusal.js';

export interface IntegerRule {
  readonly name: string;
  /** The value for a missing or empty text; null if such a text is refused. */
  readonly fallback: number | null;
  readonly max: number;
  /** The meaning of 0. */
  readonly zero: string;
}

/** @throws RefusalError `invalid` */
export function integerSetting(text: string | undefined, { name, fallback, max, zero }: IntegerRule): number {
  if ((text === undefined || text === '') && fallback !== null) return fallback;
  const value = /^[0-9]{1,9}$/.test(text ?? '') ? Number(text) : Number.NaN;
  if (value <= max) return value;
  throw refusedSetting(name, `must be an integer from 0 to ${max}; 0 is ${zero}`);
}

/** Returns the names in a text, which commas separate; none where there is no text. */
export const listSetting = (text = ''): readonly string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

/** The placeholders for a token in examples and templates. */
const placeholders = new Set(['changeme', 'replace_me_token']);

/** Returns the token that a variable holds. @throws RefusalError `invalid` for an empty one, a placeholder and unusual characters */
export function tokenSetting(name: string, text: string, chars_max: number): string {
  if (text.trim() === '') throw refusedSetting(name, 'is empty; set it to a secret of your own, or unset it');
  if (placeholders.has(text.trim().toLowerCase()))
    throw refusedSetting(name, 'is a placeholder; set it to a secret of your own, as of openssl rand -hex 32');
  if (text.length > chars_max) throw refusedSetting(name, `has more than ${chars_max} characters`);
  // The characters that a header field can carry (RFC 9110, section 5.5) and that every client sends unchanged.
  if (!/^[!-~]+$/.test(text)) throw refusedSetting(name, 'may hold visible ASCII characters only, and no blanks');
  return text;
}

export const refusedSetting = (name: string, message: string): RefusalError => new RefusalError(invalid(name, message));
