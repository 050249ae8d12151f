/** The languages of the pages, and which one a browser's preferences ask for. */

export const languages = ['en', 'fr'] as const;
export type Language = (typeof languages)[number];

export const languageNames: Readonly<Record<Language, string>> = { en: 'English', fr: 'Français' };

/** The same words in every language: one that lacks a member, or has another, does not compile. */
export type Translated<W> = Readonly<Record<Language, W>>;

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
