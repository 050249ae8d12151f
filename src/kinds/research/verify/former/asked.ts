/** The analysis of a goal, of kindred words and of expected answers in results of version 1 of the engine. */
import {
  date_questions,
  figure_questions,
  frame_words,
  months,
  name_questions,
  number_words,
  ordinals,
  synonyms,
} from '../../../../engines/text/english.js';
import * as constants from './constants.js';
import { digit, lettered, loweredText } from '../characters.js';
import { stemmed, type Token } from './text.js';

const stemsOf = (list: readonly string[]): string[] => list.map(stemmed);

const frames = stemsOf(frame_words);
const monthNames = stemsOf(months);
const numerals = stemsOf(number_words);
const groups = synonyms.map((group) => new Set(stemsOf(group)));

export const weightOf = (term: string): number => (frames.includes(term) ? constants.frame_weight : 1);

/** Returns the digits of a number or ordinal; null for other words. */
function numberIn(term: string): string | null {
  const place = ordinals.indexOf(term);
  if (place >= 0) return `${place + 1}`;
  const rest = term.replace(/^[0-9]+/, '');
  const figures = term.slice(0, term.length - rest.length);
  return figures !== '' && ['', 'st', 'nd', 'rd', 'th', 's'].includes(rest) ? figures : null;
}

/** Returns whether two words of ASCII letters are equal up to the truncation, and at least as long. */
function alike(one: string, other: string): boolean {
  const n = constants.kin_letters;
  if (one.length < n || other.length < n || /[^a-z]/.test(one + other)) return false;
  return one.slice(0, n) === other.slice(0, n);
}

function related(one: string, other: string): boolean {
  const [a, b] = [numberIn(one), numberIn(other)];
  if (a === null && b === null ? alike(one, other) : a === b) return true;
  return groups.some((group) => group.has(one) && group.has(other));
}

/** Returns for one goal term whether another word may replace it. Words recur, so results are cached. */
export function kinOf(goalTerm: string): (word: string) => boolean {
  const known = new Map<string, boolean>();
  return (word) => {
    const found = known.get(word) ?? (word !== goalTerm && related(goalTerm, word));
    known.set(word, found);
    return found;
  };
}

export interface Asked {
  readonly date: boolean;
  readonly figure: boolean;
  readonly names: number;
}

export function questions(goal: string): Asked {
  const plain = Array.from(loweredText(goal), (c) => (lettered(c.codePointAt(0) ?? 0) ? c : ' ')).join('');
  const line = ` ${plain
    .split(' ')
    .filter((word) => word !== '')
    .join(' ')} `;
  const within = (phrases: readonly string[]): boolean => phrases.some((phrase) => line.includes(` ${phrase} `));
  const name = name_questions.find(([word]) => within([word]));
  return { date: within(date_questions), figure: within(figure_questions), names: name === undefined ? 0 : name[1] };
}

const isYear = (term: string): boolean =>
  term.length === 4 && Array.from(term).every((c) => digit(c.codePointAt(0) ?? 0)) && term >= '1000' && term <= '2099';

/** Returns the factor for answers that a sentence newly holds. */
export function bonus(list: readonly Token[], terms: readonly string[], asked: Asked): number {
  const fresh = list.filter(({ term }) => !terms.includes(term));
  const date = fresh.some(({ term, name }) => isYear(term) || (name && monthNames.includes(term)));
  const isFigure = (term: string): boolean =>
    numerals.includes(term) || Array.from(term).some((c) => digit(c.codePointAt(0) ?? 0));
  const figure = fresh.some(({ term }) => isFigure(term) && !isYear(term));
  const names = fresh.filter(({ name }) => name).length;
  const reasons = [asked.date && date, asked.figure && figure, asked.names > 0 && names >= asked.names];
  return reasons.filter(Boolean).reduce((product) => product * constants.answer_factor, 1);
}
