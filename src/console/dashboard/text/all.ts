/** The dashboard's words in every language. */
import { type PageWords, type Translations, translated } from '../../kit/text/words.js';
import * as explore from './explore.js';
import { form } from './form.js';
import * as results from './run.js';
import { failed, page, shell, states } from './shell.js';

export const words = translated({ shell, failed, states, form, ...results, ...explore });

export type Words = (typeof words)['en'];

/** What the kit's controls say on this page. */
export const pageWords: Translations<PageWords> = translated(page);
