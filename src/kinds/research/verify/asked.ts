/** The verifier's own analysis of a goal, of kindred words, and of answers of the expected kind. */
import {
  date_questions,
  figure_questions,
  months,
  name_questions,
  number_words,
  ordinals,
  synonyms,
} from '../../../engines/text/english.js';
import type { Language } from '../../../engines/text/language.js';
import { compounding, unspaced_dates, unspaced_figures } from '../../../engines/text/languages.js';
import * as constants from '../constants.js';
import { digit, lettered, loweredText, scriptAt } from './characters.js';
import { stemmed } from './stem.js';

const monthNames = months.map(stemmed);
const numerals = number_words.map(stemmed);
const groups = synonyms.map((group) => new Set(group.map(stemmed)));

/** Returns the digits of a number or ordinal; null for other words. */
function numberIn(term: string): string | null {
  const place = ordinals.indexOf(term);
  if (place >= 0) return `${place + 1}`;
  const rest = term.replace(/^[0-9]+/, '');
  const figures = term.slice(0, term.length - rest.length);
  return figures !== '' && ['', 'st', 'nd', 'rd', 'th', 's'].includes(rest) ? figures : null;
}

const onlyLetters = (word: string): boolean =>
  Array.from(word).every((c) => lettered(c.codePointAt(0) ?? 0) && !digit(c.codePointAt(0) ?? 0));

/** Returns the letters that words kindred to this one share with it; 0 if it does not consist of letters. */
function shared(word: string): number {
  const script = scriptAt(word.codePointAt(0) ?? 0);
  return script !== null && onlyLetters(word) ? constants.kin_letters[script] : 0;
}

/** Returns whether two words are equal up to the truncation, and at least as long. */
function alike(one: string, other: string): boolean {
  const n = shared(one);
  return n > 0 && n === shared(other) && one.length >= n && other.length >= n && one.slice(0, n) === other.slice(0, n);
}

function ends(whole: string, part: string): boolean {
  return part.length >= constants.compound_letters && whole.length > part.length && whole.endsWith(part) && shared(whole) > 0;
}

function related(one: string, other: string, latin: Language | null): boolean {
  if (latin !== null) return alike(one, other) || (compounding.includes(latin.id) && (ends(one, other) || ends(other, one)));
  const [a, b] = [numberIn(one), numberIn(other)];
  if (a === null && b === null ? alike(one, other) : a === b) return true;
  return groups.some((group) => group.has(one) && group.has(other));
}

/**
 * Returns for one goal term whether another word may replace it. Words recur, so results are cached.
 * @param latin the language of words in Latin letters, null for English
 */
export function kinOf(goalTerm: string, latin: Language | null): (word: string) => boolean {
  const known = new Map<string, boolean>();
  return (word) => {
    const found = known.get(word) ?? (word !== goalTerm && related(goalTerm, word, latin));
    known.set(word, found);
    return found;
  };
}

export interface Asked {
  readonly date: boolean;
  readonly figure: boolean;
  readonly names: number;
}

const listed = (text: string): readonly string[] => (text === '' ? [] : text.split(','));

const nameWords = (language: Language | null): readonly (readonly [string, number])[] =>
  language === null
    ? name_questions
    : (language.names === '' ? [] : language.names.split(' ')).map((item) => {
        const [word = '', count = '0'] = item.split(':');
        return [word, Number(count)] as const;
      });

/** Returns what a goal asks for. @param spoken the languages of the mission, null for English */
export function questions(goal: string, spoken: readonly (Language | null)[]): Asked {
  const low = loweredText(goal);
  const plain = Array.from(low, (c) => (lettered(c.codePointAt(0) ?? 0) ? c : ' ')).join('');
  const line = ` ${plain
    .split(' ')
    .filter((word) => word !== '')
    .join(' ')} `;
  const within = (phrases: readonly string[]): boolean => phrases.some((phrase) => line.includes(` ${phrase} `));
  const inside = (phrases: string): boolean => phrases.split(' ').some((phrase) => low.includes(phrase));
  const dates = spoken.flatMap((language) => (language === null ? date_questions : listed(language.dates)));
  const figures = spoken.flatMap((language) => (language === null ? figure_questions : listed(language.figures)));
  const name = spoken.flatMap(nameWords).find(([word]) => within([word]));
  return {
    date: within(dates) || inside(unspaced_dates),
    figure: within(figures) || inside(unspaced_figures),
    names: name === undefined ? 0 : name[1],
  };
}

const isYear = (term: string): boolean =>
  term.length === 4 && Array.from(term).every((c) => digit(c.codePointAt(0) ?? 0)) && term >= '1000' && term <= '2099';

/** Returns whether a term is a figure, a year or a numeral. */
export const isFigure = (term: string): boolean =>
  numerals.includes(term) || Array.from(term).some((c) => digit(c.codePointAt(0) ?? 0));

/** An index term of a sentence. */
export interface Token {
  readonly term: string;
  /** Whether the word is not the first and begins with a capital. */
  readonly name: boolean;
}

/** Returns the factor for answers that a sentence newly holds. */
export function bonus(list: readonly Token[], terms: readonly string[], asked: Asked): number {
  if (!asked.date && !asked.figure && asked.names === 0) return 1;
  const fresh = list.filter(({ term }) => !terms.includes(term));
  const date = fresh.some(({ term, name }) => isYear(term) || (name && monthNames.includes(term)));
  const figure = fresh.some(({ term }) => isFigure(term) && !isYear(term));
  const names = fresh.filter(({ name }) => name).length;
  const reasons = [asked.date && date, asked.figure && figure, asked.names > 0 && names >= asked.names];
  return reasons.filter(Boolean).reduce((product) => product * constants.answer_factor, 1);
}
