/** The languages of the console, and which one a browser's preferences ask for. */
import { en, type Dictionary } from '../../operator/text/en.js';
import { fr } from '../../operator/text/fr.js';

export const languages = ['en', 'fr'] as const;
export type Language = (typeof languages)[number];

export const dictionaries: Readonly<Record<Language, Dictionary>> = { en, fr };
export const languageNames: Readonly<Record<Language, string>> = { en: 'English', fr: 'Français' };

export interface Choice {
  readonly language: Language;
  /** For numbers and dates: the browser's own variant of the language, as fr-CA. */
  readonly locale: string;
}

/** The first of the browser's languages that the console speaks; English when there is none. */
export function preferred(wanted: readonly string[]): Choice {
  for (const locale of wanted) {
    const language = languages.find((each) => locale.toLowerCase().split('-')[0] === each);
    if (language !== undefined) return { language, locale };
  }
  return { language: 'en', locale: 'en' };
}

/** `language` in the variant that the browser prefers, if it has one. */
export const inLanguage = (language: Language, wanted: readonly string[]): Choice => ({
  language,
  locale: wanted.find((locale) => locale.toLowerCase().split('-')[0] === language) ?? language,
});
