/** The lists by which sentences were split in results of version 1 of the engine. */
import { before_number, never_final, sometimes_final, starters } from '../../../../engines/text/english.js';
import type { SplitRules } from '../split.js';
import { sentence_chars_max } from './constants.js';

export const rules: SplitRules = {
  wide: '。！？',
  never: never_final,
  numbered: before_number,
  sometimes: sometimes_final,
  starters,
  ordinals: [],
  longest: sentence_chars_max,
  phrase: 0,
};
