/**
 * Copies of a sentence, which are folded into it. A sentence is a copy of another when at least `copy_similarity` of their words, stop words
 * with them, are common, those are in the same order, and no word that only one of them has could turn the meaning: a figure, a negation, a
 * name, or a part of a run of a script without spaces.
 */
import * as C from '../constants.js';
import { evidenceOf } from './goal.js';
import { negationTexts } from './languages.js';
import type { Mission, Sentence } from './read.js';

/** Returns the test of whether two sentences are copies of each other. */
export function copyTest(mission: Mission, keysIn: (sentence: Sentence) => Int32Array): (a: Sentence, b: Sentence) => boolean {
  const { keys, capitals } = mission;
  const negations = negationTexts(mission.readers);
  const weighty = keys.map((key) => key.isGram || negations.has(key.text) || evidenceOf(key).isYear || evidenceOf(key).isFigure);
  const sets = new Map<Sentence, ReadonlySet<number>>();
  const setOf = (sentence: Sentence): ReadonlySet<number> => {
    const known = sets.get(sentence) ?? new Set(keysIn(sentence));
    sets.set(sentence, known);
    return known;
  };
  /** Returns the keys that the other sentence has too, in order; null when one that it has not may turn the meaning. */
  const shared = (sentence: Sentence, other: ReadonlySet<number>): number[] | null => {
    const out: number[] = [];
    for (const [i, key] of keysIn(sentence).entries()) {
      if (other.has(key)) out.push(key);
      else if (weighty[key] !== false || (capitals[sentence.from + i] === 1 && i > 0)) return null;
    }
    return out;
  };
  return (a, b) => {
    const [one, other] = [setOf(a), setOf(b)];
    const [small, large] = one.size <= other.size ? [one, other] : [other, one];
    if (small.size < large.size * C.copy_similarity) return false;
    let common = 0;
    for (const key of small) if (large.has(key)) common++;
    if (common < C.copy_similarity * (small.size + large.size - common)) return false;
    const [first, second] = [shared(a, other), shared(b, one)];
    return first !== null && second !== null && first.length === second.length && first.every((key, i) => key === second[i]);
  };
}
