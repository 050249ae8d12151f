/** The verifier's own test of copies, by the rule of `copies.ts` of the engine. */
import * as constants from '../constants.js';
import { isFigure } from './asked.js';
import type { Rated, Spoken } from './score.js';
import type { Reading } from './text.js';

const identity = ({ term, stop, gram }: Spoken): string => `${stop ? 'stop' : gram ? 'gram' : 'term'} ${term}`;

interface Wording {
  readonly list: readonly string[];
  readonly set: ReadonlySet<string>;
}

/** Returns the test of whether one sentence is a copy of another. */
export function copying({ negating }: Reading): (one: Rated, other: Rated) => boolean {
  const wordings = new Map<Rated, Wording>();
  const wordingOf = (rated: Rated): Wording => {
    const known = wordings.get(rated);
    if (known !== undefined) return known;
    const ids = rated.words.map(identity);
    const made = { list: ids, set: new Set(ids) };
    wordings.set(rated, made);
    return made;
  };
  const weighty = (word: Spoken): boolean => word.gram || word.name || negating.has(word.term) || isFigure(word.term);
  const onlyLight = (rated: Rated, other: Wording): boolean =>
    rated.words.every((word) => other.set.has(identity(word)) || !weighty(word));
  return (one, other) => {
    const [a, b] = [wordingOf(one), wordingOf(other)];
    if (Math.min(a.set.size, b.set.size) < constants.copy_similarity * Math.max(a.set.size, b.set.size)) return false;
    const common = [...a.set].filter((word) => b.set.has(word)).length;
    if (common < constants.copy_similarity * (a.set.size + b.set.size - common)) return false;
    const [inA, inB] = [a.list.filter((word) => b.set.has(word)), b.list.filter((word) => a.set.has(word))];
    return inA.length === inB.length && inA.every((word, i) => word === inB[i]) && onlyLight(one, b) && onlyLight(other, a);
  };
}
