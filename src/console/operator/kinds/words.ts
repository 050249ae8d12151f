/** The words of every kind, in every language. */
import type { Kind } from '../../../codec/kinds.js';
import type { Translations } from '../../kit/text/words.js';
import { words as allocation } from './allocation/words.js';
import { words as code } from './code/words.js';
import { words as forecast } from './forecast/words.js';
import { words as research } from './research/words.js';
import { words as schedule } from './schedule/words.js';
import type { KindWords } from './shared/draft.js';

export const kindWords: { readonly [K in Kind]: Translations<KindWords<K>> } = { research, allocation, schedule, forecast, code };
