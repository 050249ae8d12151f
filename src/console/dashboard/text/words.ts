/** The hook that gives the dashboard's words in the chosen language. */
import { type Text, useWordsOf } from '../../kit/text/context.js';
import { type Words, words } from './all.js';

export const useWords = (): Text & { readonly t: Words } => useWordsOf(words);
