/**
 * Kindred terms, which count as a goal term with a part of its weight: words with the same first five letters (perform,
 * performance), a number and its ordinal (3, third, 3rd), and words of one class of synonyms. A text seldom repeats the words of
 * the question that it answers.
 */
import { ordinals, synonyms } from '../../../engines/text/english.js';
import * as C from '../constants.js';
import { stem } from './stem.js';

const ordinalNumbers = new Map(ordinals.map((word, i) => [word, String(i + 1)]));
const longWord = /^[a-z]+$/;
const ordinalFigure = /^([0-9]+)(?:st|nd|rd|th|s)$/;

/** Each stem that is in a class, with the numbers of its classes. */
const classes = new Map<string, number[]>();
for (const [k, members] of synonyms.entries()) {
  for (const term of new Set(members.map(stem))) {
    const found = classes.get(term);
    if (found === undefined) classes.set(term, [k]);
    else found.push(k);
  }
}

/** Returns the common root of kindred forms of one word. */
function rootOf(term: string): string {
  const number = ordinalNumbers.get(term) ?? ordinalFigure.exec(term)?.[1];
  if (number !== undefined) return number;
  return term.length > C.kin_letters && longWord.test(term) ? term.slice(0, C.kin_letters) : term;
}

/** Returns for each term the kindred terms in a vocabulary. */
export function kindred(terms: readonly string[], vocabulary: Iterable<string>): string[][] {
  const byRoot = new Map<string, number[]>();
  const byClass = new Map<number, number[]>();
  const add = <K>(map: Map<K, number[]>, key: K, k: number): void => {
    const list = map.get(key);
    if (list === undefined) map.set(key, [k]);
    else list.push(k);
  };
  for (const [k, term] of terms.entries()) {
    add(byRoot, rootOf(term), k);
    for (const c of classes.get(term) ?? []) add(byClass, c, k);
  }
  const out: string[][] = terms.map(() => []);
  for (const word of vocabulary) {
    const goals = new Set(byRoot.get(rootOf(word)));
    for (const c of classes.get(word) ?? []) for (const k of byClass.get(c) ?? []) goals.add(k);
    for (const k of goals) if (terms[k] !== word) out[k]?.push(word);
  }
  return out;
}
