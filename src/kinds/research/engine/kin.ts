/**
 * Kindred terms, which count as a goal term with a part of its weight: words of one script with the same first letters (perform,
 * performance), a number and its ordinal (3, third, 3rd), words of one class of synonyms, and compounds that end with a word. A text seldom
 * repeats the words of the question that it answers.
 */
import { ordinals, synonyms } from '../../../engines/text/english.js';
import type { Language } from '../../../engines/text/language.js';
import { compounding } from '../../../engines/text/languages.js';
import { isDigit, isWord, scriptOf } from './characters.js';
import * as C from '../constants.js';
import { stem } from './stem.js';

const ordinalFigure = /^([0-9]+)(?:st|nd|rd|th|s)$/;

interface English {
  readonly ordinals: ReadonlyMap<string, string>;
  /** Each stem that is in a class, with the numbers of its classes. */
  readonly classes: ReadonlyMap<string, readonly number[]>;
}

function decode(): English {
  const classes = new Map<string, number[]>();
  for (const [k, members] of synonyms.entries()) {
    for (const term of new Set(members.map(stem))) {
      const found = classes.get(term);
      if (found === undefined) classes.set(term, [k]);
      else found.push(k);
    }
  }
  return { ordinals: new Map(ordinals.map((word, i) => [word, String(i + 1)])), classes };
}

let decoded: English | null = null;
const english = (): English => (decoded ??= decode());

/** Returns the number of first letters that kindred words of the term's script share; 0 if it does not consist of letters. */
function rootLength(term: string): number {
  const script = scriptOf(term.codePointAt(0) ?? 0);
  if (script === null) return 0;
  for (const character of term) {
    const point = character.codePointAt(0) ?? 0;
    if (!isWord(point) || isDigit(point)) return 0;
  }
  return C.kin_letters[script];
}

/** Returns the digits of an English ordinal; null for another word. */
const numberIn = (term: string): string | null => english().ordinals.get(term) ?? ordinalFigure.exec(term)?.[1] ?? null;

/** Returns the common root of kindred forms of one word. */
function rootOf(term: string): string {
  const length = rootLength(term);
  return length > 0 && term.length > length ? term.slice(0, length) : term;
}

/**
 * Returns a function that returns the places of the goal's terms to which a term is kindred, but not the same.
 * @param latin the language of words in Latin letters, null for English
 */
export function kindred(terms: readonly string[], latin: Language | null): (term: string) => number[] {
  const hasCompounds = latin !== null && compounding.includes(latin.id);
  const classes = latin === null ? english().classes : new Map<string, readonly number[]>();
  const root = (term: string): string => (latin === null ? numberIn(term) : null) ?? rootOf(term);
  const byRoot = new Map<string, number[]>();
  const byClass = new Map<number, number[]>();
  const add = <K>(map: Map<K, number[]>, key: K, k: number): void => {
    const list = map.get(key);
    if (list === undefined) map.set(key, [k]);
    else list.push(k);
  };
  for (const [k, term] of terms.entries()) {
    add(byRoot, root(term), k);
    for (const c of classes.get(term) ?? []) add(byClass, c, k);
  }
  return (term) => {
    const out = new Set(byRoot.get(root(term)));
    for (const c of classes.get(term) ?? []) for (const k of byClass.get(c) ?? []) out.add(k);
    if (hasCompounds) for (const [k, goal] of terms.entries()) if (isCompound(goal, term) || isCompound(term, goal)) out.add(k);
    return [...out].filter((k) => terms[k] !== term);
  };
}

/** Returns whether a word ends with another of at least `compound_letters` letters. */
const isCompound = (whole: string, part: string): boolean =>
  part.length >= C.compound_letters && whole.length > part.length && whole.endsWith(part) && rootLength(whole) > 0;
