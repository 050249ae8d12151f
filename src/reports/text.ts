/** Texts of other people in a report: characters that are not seen, or that change what is seen around them, become their code points. */

// Ranges rather than properties: which characters have a property differs between versions of Node and browsers.
const hidden =
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff0-\uffff]|\u034f|\u17b4|\u17b5|[\u180b-\u180f]|[\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}\u{f0000}-\u{10ffff}]/gu;

// Not by toUpperCase, which follows the tables of Unicode.
const digits = '0123456789ABCDEF';
const hexOf = (value: number): string => (value < 16 ? '' : hexOf(Math.floor(value / 16))) + digits.charAt(value % 16);
const codePoint = (character: string): string => `<U+${hexOf(character.codePointAt(0) ?? 0).padStart(4, '0')}>`;

/** Returns a text as it is shown. */
export const visible = (text: string): string => text.toWellFormed().replace(hidden, codePoint);

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Returns a text for HTML, also in an attribute. */
export const escaped = (text: string): string => visible(text).replace(/[&<>"']/g, (each) => entities[each] ?? each);

/** Returns a text for one line of Markdown, in which an address is no link: readers make links of `//`, `www.` and `@`. */
export const escapedMarkdown = (text: string): string =>
  visible(text)
    .replace(/[\\`*_{}[\]<>|#~&@]|\/(?=\/)|(?<=www)\./gi, (each) => `\\${each}`)
    .replace(/\s+/g, ' ')
    .replace(/^ *(?:[-+=]|\d+[.)](?= |$))/, (marker) => `${marker.slice(0, -1)}\\${marker.slice(-1)}`);
