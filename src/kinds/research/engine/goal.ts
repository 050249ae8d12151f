/** The analysis of a goal: its terms with their weights, and the kind of answer that its wording expects. */
import {
  date_questions,
  figure_questions,
  frame_words,
  months,
  name_questions,
  number_words,
} from '../../../engines/text/english.js';
import { fold, isDigit, isWord } from './characters.js';
import * as C from '../constants.js';
import { stem } from './stem.js';
import { readTerms } from './tokens.js';

export interface Goal {
  readonly terms: readonly string[];
  /** The weights in the order of the terms. */
  readonly weights: readonly number[];
  readonly asksDate: boolean;
  readonly asksFigure: boolean;
  /** The number of new names that an answer should hold, 0 when the goal requests none. */
  readonly asksNames: number;
}

const frames = new Set(frame_words.map(stem));
const monthTerms = new Set(months.map(stem));
const numberTerms = new Set(number_words.map(stem));
const year = /^(?:1[0-9]|20)[0-9][0-9]$/;

export function readGoal(goal: string): Goal {
  const all = readTerms(goal, 0, goal.length, new Map()).terms;
  const terms = [...new Set(all)].filter((term) => term.length <= C.goal_term_chars_max).slice(0, C.goal_terms_max);
  let spaced = ' ';
  for (const character of fold(goal)) spaced += isWord(character.codePointAt(0) ?? 0) ? character : ' ';
  const asked = `${spaced} `.replaceAll(/ +/g, ' ');
  const asks = (phrase: string): boolean => asked.includes(` ${phrase} `);
  return {
    terms,
    weights: terms.map((term) => (frames.has(term) ? C.frame_weight : 1)),
    asksDate: date_questions.some(asks),
    asksFigure: figure_questions.some(asks),
    asksNames: name_questions.find(([word]) => asks(word))?.[1] ?? 0,
  };
}

export interface Evidence {
  readonly counts: ReadonlyMap<string, number>;
  /** The terms of words after the first that begin with a capital. */
  readonly names: readonly string[];
}

/** Returns the factors of a sentence for each kind of answer that the goal requests and the sentence newly holds. */
export function answerFactor(sentence: Evidence, goal: Goal, wanted: ReadonlySet<string>): number {
  const fresh = (test: (term: string) => boolean): boolean => {
    for (const term of sentence.counts.keys()) if (!wanted.has(term) && test(term)) return true;
    return false;
  };
  const names = sentence.names.filter((name) => !wanted.has(name));
  let out = 1;
  if (goal.asksDate && (fresh((term) => year.test(term)) || names.some((name) => monthTerms.has(name)))) out *= C.answer_factor;
  if (goal.asksFigure && fresh((term) => !year.test(term) && (numberTerms.has(term) || hasDigit(term)))) out *= C.answer_factor;
  if (goal.asksNames > 0 && names.length >= goal.asksNames) out *= C.answer_factor;
  return out;
}

function hasDigit(term: string): boolean {
  for (let i = 0; i < term.length; i++) if (isDigit(term.charCodeAt(i))) return true;
  return false;
}
