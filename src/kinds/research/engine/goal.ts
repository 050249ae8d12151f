/** The analysis of a goal: its terms with their weights, and the kind of answer that its wording expects. */
import { asked_dates, asked_figures, asked_names, english, months, number_words } from '../../../engines/text/english.js';
import type { Language } from '../../../engines/text/language.js';
import { fold, gramOf, isWord } from './characters.js';
import * as C from '../constants.js';
import { frameTerms } from './languages.js';
import type { Key, Mission, Sentence } from './read.js';
import { stem } from './stem.js';
import { other_gram } from './tokens.js';

export type Goal = Readonly<ReturnType<typeof readGoal>>;

const monthTerms = new Set(months.map(stem));
const numberTerms = new Set(number_words.map(stem));
const digit = /[0-9]/;
const year = /^(?:1[0-9]|20)[0-9][0-9]$/;

/**
 * Returns the goal's terms with their keys and weights, what it asks for, and the number of new names that an answer should hold, 0 when it
 * requests none.
 */
export function readGoal({ goal, goalKeys, keys, readers }: Mission) {
  const used = [...new Set(goalKeys)]
    .filter((key) => isTerm(keys[key]) && (keys[key]?.text.length ?? 0) <= C.goal_term_chars_max)
    .slice(0, C.goal_terms_max);
  const terms = used.map((key) => keys[key]?.text ?? '');
  const frames = frameTerms(readers);
  const weights = terms.map((term) => (frames.has(term) ? C.frame_weight : isPair(term) ? C.pair_weight : 1));
  return { terms, keys: used, weights, ...asksOf(goal, readers.latin.language) };
}

/** Returns whether a term is a pair of characters, which are terms too. */
const isPair = (term: string): boolean => gramOf(term.codePointAt(0) ?? 0) === 2 && Array.from(term).length === 2;

const isTerm = (key: Key | undefined): boolean => key !== undefined && !key.isStop;

/** Returns what a goal asks for, by its phrases: those of English only, because in other languages they helped as often as they harmed. */
function asksOf(goal: string, language: Language) {
  if (language !== english) return { asksDate: false, asksFigure: false, asksNames: 0 };
  const spaced = Array.from(fold(goal), (character) => (isWord(character.codePointAt(0) ?? 0) ? character : ' '));
  const asked = ` ${spaced.join('')} `.replaceAll(/ +/g, ' ');
  const asks = (phrase: string): boolean => asked.includes(` ${phrase} `);
  return {
    asksDate: asked_dates.some(asks),
    asksFigure: asked_figures.some(asks),
    asksNames: asked_names.find(([word]) => asks(word))?.[1] ?? 0,
  };
}

/** Returns what a key that is not in the goal may tell of an answer. */
export function evidenceOf({ text }: Key) {
  if (!digit.test(text)) return { isYear: false, isMonth: monthTerms.has(text), isFigure: numberTerms.has(text) };
  const isYear = year.test(text);
  return { isYear, isMonth: false, isFigure: !isYear };
}

/** Returns a function that returns the factors of a sentence for each kind of answer that the goal requests and the sentence newly holds. */
export function answerFactors({ keys, keysOf, capitals }: Mission, goal: Goal): (sentence: Sentence) => number {
  if (!goal.asksDate && !goal.asksFigure && goal.asksNames === 0) return () => 1;
  /** The evidence of each key; null for those that tell nothing. */
  const known = keys.map((key, number) => (key.isStop || goal.keys.includes(number) ? null : evidenceOf(key)));
  return ({ from, to }) => {
    let [hasDate, hasFigure, names] = [false, false, 0];
    for (let at = from; at < to; at++) {
      const key = keysOf[at] ?? other_gram;
      const evidence = key === other_gram ? null : (known[key] ?? null);
      if (evidence === null) continue;
      const isName = capitals[at] === 1 && at > from;
      if (isName) names++;
      if (evidence.isYear || (isName && evidence.isMonth)) hasDate = true;
      if (evidence.isFigure) hasFigure = true;
    }
    let out = 1;
    if (goal.asksDate && hasDate) out *= C.answer_factor;
    if (goal.asksFigure && hasFigure) out *= C.answer_factor;
    if (goal.asksNames > 0 && names >= goal.asksNames) out *= C.answer_factor;
    return out;
  };
}
