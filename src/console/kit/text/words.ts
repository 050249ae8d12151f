/** Words in every language, and those that the kit needs from the page that it is part of. */

/** What the controls say in each page's own words. */
export interface PageWords {
  /** The page's name, in the browser's title. */
  readonly app: string;
  /** Says which home the commands beside the page use. */
  readonly commandHome: string;
  /** The title above the faults of a form that was not sent. */
  readonly notSent: string;
  readonly signIn: { readonly lead: string; readonly where: string; readonly wrong: string; readonly ended: string };
  readonly problem: { readonly network: string; readonly unexpected: string };
}

/** The languages of the pages, and which one a browser's preferences ask for. */
export const languages = ['en', 'fr'] as const;
export type Language = (typeof languages)[number];

export const languageNames: Readonly<Record<Language, string>> = { en: 'English', fr: 'Français' };

/** The same words in every language: one that lacks a member, or has another, does not compile. */
export type Translations<W> = Readonly<Record<Language, W>>;

/** A text in every language. */
export type Phrase = readonly [en: string, fr: string];

type Texts = { readonly [name: string]: Phrase | ((...values: never[]) => Phrase) | Texts };

/** The texts of words: each word in every language. A member that is any object has any texts. */
export type TextsOf<W> = {
  readonly [M in keyof W]: W[M] extends string | undefined ? Phrase : object extends W[M] ? Texts : TextsOf<W[M]>;
};

/** What texts say in one language. */
type Spoken<T> = T extends Phrase
  ? string
  : T extends (...values: infer V) => Phrase
    ? (...values: V) => string
    : { readonly [M in keyof T]: Spoken<T[M]> };

/** A text that is the same in every language. */
export const same = (text: string): Phrase => [text, text];

/** Texts that are chosen by a name from elsewhere, which may have none. */
export const byName = (all: Readonly<Record<string, Phrase>>): Readonly<Record<string, Phrase>> => all;

export const texts = <T extends object>(all: T & Texts): T => all;

const isSaid = (entry: Texts[string]): entry is Phrase => Array.isArray(entry);

/** French has a space before these marks and within « », where no line may break. */
const unbroken = (text: string): string => text.replace(/ (?=[?!;:»])|(?<=«) /g, '\u00a0');

function spoken(entry: Texts[string], place: 0 | 1): unknown {
  if (typeof entry === 'function') return (...values: never[]) => spoken(entry(...values), place);
  if (isSaid(entry)) return place === 0 ? entry[0] : unbroken(entry[1]);
  return Object.fromEntries(Object.entries(entry).map(([name, each]) => [name, spoken(each, place)]));
}

/** Returns texts by language; one that lacks a language does not compile. */
export const translated = <T extends object>(all: T & Texts): Translations<Spoken<T>> => ({
  en: spoken(all, 0) as Spoken<T>,
  fr: spoken(all, 1) as Spoken<T>,
});

interface Choice {
  readonly language: Language;
  /** The browser's own variant of the language, such as fr-CA, for numbers and dates. */
  readonly locale: string;
}

/** Returns the first of the browser's languages that the pages speak; English when there is none. */
export function preferred(wanted: readonly string[]): Choice {
  for (const locale of wanted) {
    const language = languages.find((each) => locale.toLowerCase().split('-')[0] === each);
    if (language !== undefined) return { language, locale };
  }
  return { language: 'en', locale: 'en' };
}

/** Returns `language` in the variant that the browser prefers, if it has one. */
export const inLanguage = (language: Language, wanted: readonly string[]): Choice => ({
  language,
  locale: wanted.find((locale) => locale.toLowerCase().split('-')[0] === language) ?? language,
});
