/**
 * Index terms of a text: runs of letters, marks and digits, folded and stemmed, without stop words. An apostrophe between letters
 * joins them and a final 's is dropped; a point or comma between digits joins them (a comma is left out); characters of
 * scripts without spaces are terms of their own.
 */
import { stop_words } from '../../../engines/text/english.js';
import { foldPoint, isDigit, isUnspaced, isUpper, isWord } from './characters.js';
import { stem } from './stem.js';

const stopped = new Set(stop_words);

/** Stems by folded word, because a source repeats its words. */
export type TermCache = Map<string, string | null>;

export interface Terms {
  /** The terms in order, with repetitions. */
  readonly terms: readonly string[];
  /** Terms of the words after the first that begin with a capital, with repetitions. */
  readonly names: readonly string[];
}

/** Returns the terms of text[start, end). */
export function readTerms(text: string, start: number, end: number, cache: TermCache): Terms {
  const terms: string[] = [];
  const names: string[] = [];
  let first = true;
  let at = start;
  while (at < end) {
    const point = text.codePointAt(at) ?? 0;
    if (!isWord(point)) {
      at += point > 0xffff ? 2 : 1;
      continue;
    }
    if (isUnspaced(point)) {
      first = false;
      terms.push(String.fromCodePoint(foldPoint(point)));
      at += point > 0xffff ? 2 : 1;
      continue;
    }
    const [word, next] = readWord(text, at, end);
    at = next;
    let term = cache.get(word);
    if (term === undefined) cache.set(word, (term = termOf(word)));
    if (term !== null) terms.push(term);
    if (term !== null && !first && isUpper(point)) names.push(term);
    first = false;
  }
  return { terms, names };
}

function termOf(word: string): string | null {
  const bare = word.endsWith("'s") ? word.slice(0, -2) : word;
  const joined = bare.replaceAll("'", '');
  return joined === '' || stopped.has(joined) ? null : stem(joined);
}

/** Returns one folded word with its apostrophes as ', and the offset after it. */
function readWord(text: string, start: number, end: number): [string, number] {
  let word = '';
  let at = start;
  while (at < end) {
    const point = text.codePointAt(at) ?? 0;
    if (isWord(point) && !isUnspaced(point)) {
      word += String.fromCodePoint(foldPoint(point));
      at += point > 0xffff ? 2 : 1;
      continue;
    }
    const next = text.codePointAt(at + 1) ?? 0;
    if (at === start || at + 1 >= end || !isWord(next) || isUnspaced(next)) break;
    const digits = isDigit(text.charCodeAt(at - 1)) && isDigit(next);
    if (point === 0x27 || point === 0x2019) word += "'";
    else if (point === 0x2e && digits) word += '.';
    else if (point !== 0x2c || !digits) break;
    at++;
  }
  return [word, at];
}
