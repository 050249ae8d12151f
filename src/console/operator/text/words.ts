/** The operator's words in every language, and the hook that gives those of the chosen one. */
import { type Text, useWordsOf } from '../../kit/text/context.js';
import type { PageWords, Translated } from '../../kit/text/words.js';
import { en, type Words } from './en.js';
import { page as enPage } from './en/shell.js';
import { fr } from './fr.js';
import { page as frPage } from './fr/shell.js';

const words: Translated<Words> = { en, fr };

/** What the kit's controls say on this page. */
export const pageWords: Translated<PageWords> = { en: enPage, fr: frPage };

export const useWords = (): Text & { readonly t: Words } => useWordsOf(words);
