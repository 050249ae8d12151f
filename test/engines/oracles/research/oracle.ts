/**
 * A second research engine, which shares word lists and constants with the first and no code: the analysis of a goal, kindred words, answers
 * of the expected kind, Okapi BM25 (Robertson and Zaragoza 2009) with shares of what is around a sentence, and copies.
 */
import assert from 'node:assert/strict';
import { round12 } from '../../../../src/base/decimal.js';
import { sha256Hex } from '../../../../src/base/hash.js';
import { log } from '../../../../src/base/math.js';
import type { EngineInput } from '../../../../src/engines/engine.js';
import {
  date_questions,
  figure_questions,
  months,
  name_questions,
  number_words,
  ordinals,
  synonyms,
} from '../../../../src/engines/text/english.js';
import type { Language } from '../../../../src/engines/text/language.js';
import { compounding, unspaced_dates, unspaced_figures } from '../../../../src/engines/text/languages.js';
import * as constants from '../../../../src/kinds/research/constants.js';
import type { Finding, ResearchResult } from '../../../../src/kinds/research/result.js';
import type { ResearchWork } from '../../../../src/kinds/research/work.js';
import { gramLength, loweredText, normalForm, scriptAt, spans } from './sentences.js';
import { readingOf, type Reading, stemmed, type Written, writtenWords } from './words.js';

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

/** Returns the letters that words kindred to this one share with it; 0 if it does not consist of letters. */
function shared(word: string): number {
  const script = scriptAt(word.codePointAt(0) ?? 0);
  return script !== null && /^(?:(?![0-9])[\p{L}\p{M}\p{N}])*$/u.test(word) ? constants.kin_letters[script] : 0;
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

type Asked = ReturnType<typeof questions>;

const listed = (text: string): readonly string[] => (text === '' ? [] : text.split(','));

const nameWords = (language: Language | null): readonly (readonly [string, number])[] =>
  language === null
    ? name_questions
    : (language.names === '' ? [] : language.names.split(' ')).map((item) => {
        const [word = '', count = '0'] = item.split(':');
        return [word, Number(count)] as const;
      });

/** Returns what a goal asks for. @param spoken the languages of the mission, null for English */
function questions(goal: string, spoken: readonly (Language | null)[]) {
  const low = loweredText(goal);
  const line = ` ${low.match(/[\p{L}\p{M}\p{N}]+/gu)?.join(' ') ?? ''} `;
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

const isYear = (term: string): boolean => /^(?:1[0-9]{3}|20[0-9]{2})$/.test(term);

/** Returns whether a term is a figure, a year or a numeral. */
const isFigure = (term: string): boolean => numerals.includes(term) || /[0-9]/.test(term);

/** An index term of a sentence. */
interface Token {
  readonly term: string;
  /** Whether the word is not the first and begins with a capital. */
  readonly name: boolean;
}

/** Returns the factor for answers that a sentence newly holds. */
function bonus(list: readonly Token[], terms: readonly string[], asked: Asked): number {
  if (!asked.date && !asked.figure && asked.names === 0) return 1;
  const fresh = list.filter(({ term }) => !terms.includes(term));
  const date = fresh.some(({ term, name }) => isYear(term) || (name && monthNames.includes(term)));
  const figure = fresh.some(({ term }) => isFigure(term) && !isYear(term));
  const names = fresh.filter(({ name }) => name).length;
  const reasons = [asked.date && date, asked.figure && figure, asked.names > 0 && names >= asked.names];
  return reasons.filter(Boolean).reduce((product) => product * constants.answer_factor, 1);
}

/** The occurrences of each goal term in each text, a kindred word counting as a part of one, and the numbers of index terms. */
interface Texts {
  readonly hits: readonly (readonly number[])[];
  readonly sizes: readonly number[];
}

const idfs = (weights: readonly number[], rows: Texts['hits']): number[] =>
  weights.map((weight, k) => {
    const n = rows.filter((row) => Number.isInteger(row[k]) && row[k] !== 0).length;
    return weight * log(1 + (rows.length - n + 0.5) / (n + 0.5));
  });

function okapi(weights: readonly number[], { hits, sizes }: Texts, b: number): number[] {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const average = total === 0 ? 1 : total / sizes.length;
  return sizes.map((size, i) => {
    const norm = constants.k1 * (1 - b + (b * size) / average);
    return (hits[i] ?? []).reduce(
      (sum, tf, k) => (tf === 0 ? sum : sum + ((weights[k] ?? 0) * tf * (constants.k1 + 1)) / (tf + norm)),
      0,
    );
  });
}

/** Returns the score of every sentence, and its share of the goal's idf. @param factor of a sentence for an answer of the expected kind */
function ratings(
  weights: readonly number[],
  sentences: Texts,
  paragraphs: Texts,
  paragraphOf: readonly number[],
  factor: (i: number) => number,
) {
  const idf = idfs(weights, sentences.hits);
  const own = okapi(idf, sentences, constants.b);
  const para = okapi(idfs(weights, paragraphs.hits), paragraphs, constants.paragraph_b);
  const all = idf.reduce((sum, weight) => sum + weight, 0);
  return paragraphOf.map((paragraph, i) => {
    const near = [i - 1, i + 1].filter((k) => paragraphOf[k] === paragraph);
    const share = (k: number, part: number): number => (near.includes(k) ? part * (own[k] ?? 0) : 0);
    const context = share(i - 1, constants.before_share) + share(i + 1, constants.after_share);
    const base = (own[i] ?? 0) + constants.paragraph_share * (para[paragraph] ?? 0) + context;
    const sum = idf.reduce((total, weight, k) => {
      const hit = sentences.hits[i]?.[k] ?? 0;
      const nearby = near.some((m) => (sentences.hits[m]?.[k] ?? 0) >= 1);
      return total + (hit >= 1 ? 1 : Math.max(hit, nearby ? constants.near_credit : 0)) * weight;
    }, 0);
    const matched = all === 0 ? 0 : sum / all;
    return { score: base === 0 ? 0 : base * (1 + matched) * factor(i), matched };
  });
}

/** A word of a sentence, stop words with them. */
interface Spoken extends Token {
  readonly stop: boolean;
  readonly gram: boolean;
}

interface Rated {
  readonly source: number;
  readonly start: number;
  readonly end: number;
  readonly score: number;
  readonly matched: number;
  readonly terms: readonly string[];
  readonly words: readonly Spoken[];
}

function places(texts: readonly string[]) {
  let paragraph = -1;
  return texts.flatMap((original, source) => {
    const { text, place } = normalForm(original);
    let last: number | null = null;
    return spans(text).flatMap(([from, to]) => {
      if (last === null || /\n[^]*\n/.test(text.slice(last, from))) paragraph++;
      last = to;
      const [start, end] = [place(from), place(to)];
      return start < end ? [{ source, paragraph, start, end, written: writtenWords(text.slice(from, to)) }] : [];
    });
  });
}

function goalTerms(asked: readonly Written[], { term }: Reading): string[] {
  const kept = asked.map(term).filter(({ stop }) => !stop);
  const distinct = [...new Set(kept.map((one) => one.term))];
  return distinct.filter((text) => text.length <= constants.goal_term_chars_max).slice(0, constants.goal_terms_max);
}

function weightOf(term: string, { framing }: Reading): number {
  if (framing.has(term)) return constants.frame_weight;
  const points = Array.from(term, (character) => character.codePointAt(0) ?? 0);
  return points.length === 2 && points.every((point) => gramLength(point) === 2) ? constants.pair_weight : 1;
}

/** Returns the terms of the goal, and every sentence of the texts with its score, in order. */
function judge(goal: string, texts: readonly string[]) {
  const all = places(texts);
  const asked = writtenWords(normalForm(goal).text);
  const words = all.flatMap(({ written }) => written);
  const reading = readingOf(asked, words);
  const terms = goalTerms(asked, reading);
  const units = all.map(({ written }) =>
    written.map((one, i): Spoken => {
      const { term, stop } = reading.term(one);
      return { term, stop, gram: one.gram, name: i > 0 && one.capital };
    }),
  );
  const kept = units.map((words) => words.filter(({ stop }) => !stop));
  const paragraphs: Spoken[][] = Array.from({ length: 1 + (all.at(-1)?.paragraph ?? -1) }, () => []);
  for (const [i, words] of kept.entries()) paragraphs[all[i]?.paragraph ?? 0]?.push(...words);
  const counted = (list: readonly (readonly Spoken[])[]): Texts => ({
    hits: list.map((one) => hits(terms, one, reading.latin)),
    sizes: list.map((one) => one.length),
  });
  const sentences = counted(kept);
  const weights = terms.map((term) => weightOf(term, reading));
  const paragraphOf = all.map(({ paragraph }) => paragraph);
  const expected = questions(normalForm(goal).text, reading.spoken);
  const scores = ratings(weights, sentences, counted(paragraphs), paragraphOf, (i) => bonus(kept[i] ?? [], terms, expected));
  const rated = all.map(({ source, start, end }, i): Rated => {
    const { score, matched } = scores[i] ?? { score: 0, matched: 0 };
    const held = terms.filter((_, k) => (sentences.hits[i]?.[k] ?? 0) >= 1);
    return { source, start, end, score, matched, terms: held, words: units[i] ?? [] };
  });
  return { terms, rated, reading };
}

/** Returns how often each term occurs in a text; a part of one when only a kindred word occurs. */
function hits(terms: readonly string[], text: readonly Spoken[], latin: Language | null): number[] {
  const words = text.filter(({ gram }) => !gram);
  return terms.map((goal) => {
    const count = text.filter(({ term }) => term === goal).length;
    return count || (words.some(({ term }) => related(goal, term, latin)) ? constants.kin_credit : 0);
  });
}

const identity = ({ term, stop, gram }: Spoken): string => `${stop ? 'stop' : gram ? 'gram' : 'term'} ${term}`;

/** Returns the test of whether one sentence is a copy of another. */
function copying({ negating }: Reading): (one: Rated, other: Rated) => boolean {
  const wordingOf = ({ words }: Rated) => ({ list: words.map(identity), set: new Set(words.map(identity)) });
  const weighty = (word: Spoken): boolean => word.gram || word.name || negating.has(word.term) || isFigure(word.term);
  const onlyLight = (rated: Rated, other: ReturnType<typeof wordingOf>): boolean =>
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

/** Asserts that a result is what goal and sources lead to. */
export function assertResult({ goal, work }: Pick<EngineInput<ResearchWork>, 'goal' | 'work'>, result: ResearchResult): void {
  const texts = work.sources.map((source) => source.text);
  const { terms, rated, reading } = judge(goal, texts);
  const floor = Math.min(constants.relevance_min, constants.relevance_term_part / Math.max(1, terms.length));
  const matching = terms.length === 0 ? [] : rated.filter(({ matched }) => matched >= floor);
  const best = matching.reduce((most, { score }) => Math.max(most, score), 0);
  const relevant = matching.filter(({ score }) => best > 0 && score >= best * constants.score_share_min);
  const found = result.findings.map(({ source_id, start, end }) => {
    const one = relevant.find((r) => work.sources[r.source]?.id === source_id && r.start === start && r.end === end);
    return one ?? assert.fail(`${source_id} ${start} to ${end} is not a relevant sentence`);
  });
  assert.ok(found.length === 0 || found[0]?.score === best, 'the best sentence is not the first finding');
  assert.equal(new Set(found).size, found.length, 'a finding is listed twice');
  const copyOf = copying(reading);
  const originalOf = (one: Rated): Rated | undefined => found.find((other) => copyOf(other, one));
  assert.ok(!found.some((one, i) => found.slice(0, i).some((other) => copyOf(other, one))), 'a finding is a copy of another');
  const others = relevant.filter((one) => !found.includes(one));
  const isFull = found.length === constants.findings_max;
  assert.ok(isFull || others.every((one) => originalOf(one) !== undefined), 'a relevant sentence was held back');
  const findings = found.map((one): Finding => {
    const { source, start, end, score } = one;
    const quote = texts[source]?.slice(start, end) ?? '';
    const copies = others.filter((other) => originalOf(other) === one);
    const elsewhere = work.sources.filter((_, i) => i !== source && copies.some((copy) => copy.source === i)).map(({ id }) => id);
    return {
      claim: quote.replaceAll(/[\s\u0085]+/g, ' '),
      source_id: work.sources[source]?.id ?? '',
      quote,
      start,
      end,
      score: round12(score),
      terms: one.terms,
      copies: copies.length,
      also_in: elsewhere.slice(0, constants.also_in_max),
    };
  });
  assert.deepEqual(result, {
    method: constants.method_text,
    findings,
    sources: work.sources.map(({ id, title, url, text }) => ({ id, title, url, sha256: sha256Hex(text) })),
    coverage: { terms, uncovered: terms.filter((term) => !findings.some((one) => one.terms.includes(term))) },
    limits: constants.limits_text,
  });
}
