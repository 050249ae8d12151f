/**
 * Shows a text that others wrote as what it is: a character that is not seen, or that changes what is seen around it, becomes its code
 * point. The characters are those of Unicode's properties Bidi_Control (UAX #9), Default_Ignorable_Code_Point (UAX #44, 5.3),
 * Variation_Selector, Cc, Cf, Co, Cs, Zl, Zp and Noncharacter_Code_Point, and a few that fonts draw as blanks. Those that a script or an emoji needs
 * stay where Unicode expects them: see `expected`.
 */

/** Why a character is shown as its code point. */
export type PointKind = 'direction' | 'control' | 'joiner' | 'selector' | 'tag' | 'invisible' | 'foreign' | 'stacked';

/** A character that is shown as its code point. */
export interface Point {
  /** Its number, such as `U+202E`. */
  readonly name: string;
  readonly kind: PointKind;
}

/** Letters from right to left within a text from left to right. */
export interface Run {
  readonly run: string;
}

/** A text for a page, to be isolated as a whole. */
export interface ShownText {
  readonly direction: 'ltr' | 'rtl';
  /** Texts as they are, characters to mark, and runs to isolate, which would order digits and signs beside them. */
  readonly parts: readonly (string | Point | Run)[];
}

/** The first that a character belongs to is its kind; what belongs to none is invisible. */
const kinds: readonly (readonly [PointKind, RegExp])[] = [
  ['direction', /\p{Bidi_Control}/u],
  ['joiner', /[\u200c\u200d]/u],
  ['selector', /\p{Variation_Selector}/u],
  ['tag', /[\u{e0000}-\u{e007f}]/u],
  ['control', /[\p{Cc}\p{Zl}\p{Zp}]/u],
  ['foreign', /[\p{Co}\p{Cs}\p{Noncharacter_Code_Point}]/u],
  ['stacked', /[\p{Mn}\p{Me}]/u],
];

/** Characters of Cf that are seen: signs of Arabic, Syriac and Kaithi around or under digits (Prepended_Concatenation_Mark). */
const seen = String.raw`\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}`;
/** Characters with other properties that fonts draw as blanks: Braille, Khitan, Egyptian and musical fillers, and the place of an object. */
const blanks = String.raw`\u2800\u{16fe4}\u{13441}\u{13442}\u{1d159}\ufffc`;
const hidden = String.raw`\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\p{Variation_Selector}\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}${blanks}`;
/** UTS #39, 5.4: more than four nonspacing marks on one character. */
const stacked = String.raw`(?<=[\p{Mn}\p{Me}]{4})[\p{Mn}\p{Me}]`;
/** Line breaks and tabulators are white space, as U+0020 is. */
const marked = String.raw`[[${hidden}]--[\t\n${seen}]]|${stacked}`;

/** Arabic letters that join the one after them (Joining_Type=Dual_Joining), and those that join the one before them. */
const joinsNext = String.raw`[\u0620\u0626\u0628\u062a-\u062e\u0633-\u063f\u0641-\u0647\u0649\u064a\u066e\u066f\u0678-\u0687\u069a-\u06bf\u06c1\u06c2\u06cc\u06ce\u06d0\u06d1\u06fa-\u06fc\u06ff\u0750-\u0758\u075c-\u076a\u076d-\u0770\u0772\u0775-\u0777\u077a-\u077f\u08a0-\u08a9\u08af\u08b0\u08b3-\u08b8\u08ba-\u08c8]`;
const joinsBefore = String.raw`[[\p{sc=Arabic}&&\p{L}]--[\u0621\u0674\u08ad]]`;

/** The virama of a script, which joiners follow (UAX #31, 2.3, rules A2 and B). */
const viramas: readonly (readonly [script: string, virama: string])[] = [
  ['Devanagari', '094d'],
  ['Bengali', '09cd'],
  ['Gurmukhi', '0a4d'],
  ['Gujarati', '0acd'],
  ['Oriya', '0b4d'],
  ['Tamil', '0bcd'],
  ['Telugu', '0c4d'],
  ['Kannada', '0ccd'],
  ['Malayalam', '0d4d'],
  ['Sinhala', '0dca'],
];
const conjuncts = viramas.map(([script, virama]) => {
  const letter = String.raw`[\p{sc=${script}}&&\p{L}]`;
  return String.raw`(?<=${letter}\p{Mn}?\u${virama})(?:\u200c(?=${letter})|\u200d(?!\p{M}))`;
});

/**
 * What stays as it is: the emoji of UTS #51 with their joiners, selectors and tags; one selector of a text or emoji style after an emoji;
 * a zero-width non-joiner between Arabic letters that would join (UAX #31, 2.3, rule A1: Persian and others); joiners after an Indic virama, and
 * the joiner between RA and virama of Bengali and Kannada (The Unicode Standard, 12.2 and 12.8); the two signs of one line break.
 */
const expected = [
  String.raw`[\p{Emoji}--[0-9#*]][\ufe0e\ufe0f](?!\u200d)`,
  String.raw`\p{RGI_Emoji}`,
  String.raw`(?<=${joinsNext}\p{Mn}{0,4})\u200c(?=${joinsBefore})`,
  ...conjuncts,
  String.raw`(?<=\u09b0)\u200d(?=\u09cd)|(?<=\u0cb0)\u200d(?=\u0ccd)`,
  String.raw`\r(?=\n)`,
].join('|');

const suspect = new RegExp(marked, 'v');
let scanner: RegExp | undefined;
/** Returns the pattern of what stays or, as its group, is marked; made when a text first needs it, because that takes 15 ms. */
const scanned = (): RegExp => (scanner ??= new RegExp(`(?:${expected})|(${marked})`, 'gv'));

/** Characters that are written from right to left (Bidi_Class R and AL, by their blocks). */
const right = String.raw`\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}`;
const rightToLeft = new RegExp(`[${right}]`, 'u');
/** From the first to the last of them, with no other letter between. */
const runs = new RegExp(String.raw`([${right}](?:[${right}\P{L}]*[${right}])?)`, 'u');

const nameOf = (character: string): string => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

const kindOf = (character: string): PointKind => kinds.find(([, of]) => of.test(character))?.[0] ?? 'invisible';

/** Returns what is seen as it is, and the characters to mark. */
function marksIn(text: string): readonly (string | Point)[] {
  if (!suspect.test(text)) return [text];
  const parts: (string | Point)[] = [];
  let from = 0;
  for (const { 1: character, index } of text.matchAll(scanned())) {
    if (character === undefined) continue;
    if (index > from) parts.push(text.slice(from, index));
    parts.push({ name: nameOf(character), kind: kindOf(character) });
    from = index + character.length;
  }
  return from < text.length ? [...parts, text.slice(from)] : parts;
}

/** Returns the names of the characters to mark in a text, each once: for a field, where the text itself stays as it is typed. */
export const hiddenIn = (text: string): readonly string[] => [
  ...new Set(marksIn(text).flatMap((part) => (typeof part === 'string' ? [] : part.name))),
];

const runsIn = (text: string): (string | Run)[] =>
  text
    .split(runs)
    .map((part, i) => (i % 2 === 1 ? { run: part } : part))
    .filter((part) => part !== '');

/** Returns whether most letters of a text are written from right to left. */
function isFromRight(text: string): boolean {
  const letters = text.match(/\p{L}/gu) ?? [];
  return letters.filter((letter) => rightToLeft.test(letter)).length * 2 > letters.length;
}

/**
 * Returns how a page shows a text, or null for one that it shows as it is. The direction is that of most letters: one letter cannot turn a text
 * around.
 * @param isCode whether it is read from left to right whatever its letters are
 */
export function shownOf(text: string, isCode = false): ShownText | null {
  const parts = marksIn(text);
  if (!rightToLeft.test(text)) return parts.length === 1 && parts[0] === text ? null : { direction: 'ltr', parts };
  if (!isCode && isFromRight(text)) return { direction: 'rtl', parts };
  return {
    direction: 'ltr',
    parts: parts.flatMap<string | Point | Run>((part) => (typeof part === 'string' ? runsIn(part) : part)),
  };
}

/** Returns the text with each character to mark as `write` gives it from its code point. */
const written = (text: string, write: (point: Point) => string): string =>
  marksIn(text)
    .map((part) => (typeof part === 'string' ? part : write(part)))
    .join('');

/** Returns a text where no element can mark a character: each is written as `<U+202E>`. */
export const shownText = (text: string): string => written(text, ({ name }) => `<${name}>`);

/** Returns the same JSON with such characters as escapes. */
export const shownJson = (json: string): string =>
  written(json, ({ name }) => {
    const units = String.fromCodePoint(Number.parseInt(name.slice(2), 16)).split('');
    return units.map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
  });
