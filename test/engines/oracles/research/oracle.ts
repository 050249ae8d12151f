/**
 * A second research engine, which shares word lists and constants with the first and no code: the analysis of a goal, kindred words, answers
 * of the expected kind, Okapi BM25 (Robertson and Zaragoza 2009) with shares of what is around a sentence, and copies.
 */
import assert from 'node:assert/strict';
import { round12 } from '../../../../src/base/decimal.js';
import { sha256Hex } from '../../../../src/base/bytes.js';
import { log } from '../../../../src/base/math.js';
import type { EngineInput } from '../../../../src/engines/engine.js';
import {
  asked_dates,
  asked_figures,
  asked_names,
  english,
  months,
  number_words,
  ordinals,
  synonyms,
} from '../../../../src/engines/text/english.js';
import type { Language } from '../../../../src/engines/text/language.js';
import { compounding } from '../../../../src/engines/text/languages.js';
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

const ends = (whole: string, part: string): boolean =>
  part.length >= constants.compound_letters && whole.length > part.length && whole.endsWith(part) && shared(whole) > 0;

function related(one: string, other: string, latin: Language): boolean {
  if (latin !== english) return alike(one, other) || (compounding.includes(latin.id) && (ends(one, other) || ends(other, one)));
  const [a, b] = [numberIn(one), numberIn(other)];
  if (a === null && b === null ? alike(one, other) : a === b) return true;
  return groups.some((group) => group.has(one) && group.has(other));
}

type Asked = ReturnType<typeof questions>;

/** Returns what a goal asks for. @param latin the language of words in Latin letters */
function questions(goal: string, latin: Language) {
  const line = ` ${
    loweredText(goal)
      .match(/[\p{L}\p{M}\p{N}]+/gu)
      ?.join(' ') ?? ''
  } `;
  const within = (phrase: string): boolean => latin === english && line.includes(` ${phrase} `);
  const name = asked_names.find(([word]) => within(word));
  return { date: asked_dates.some(within), figure: asked_figures.some(within), names: name === undefined ? 0 : name[1] };
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
  /** The same of grams. */
  readonly pieces: Omit<Texts, 'pieces'>;
}

const idfs = (weights: readonly number[], rows: Texts['hits']): number[] =>
  weights.map((weight, k) => {
    const n = rows.filter((row) => Number.isInteger(row[k]) && row[k] !== 0).length;
    return weight * log(1 + (rows.length - n + 0.5) / (n + 0.5));
  });

function okapi(weights: readonly number[], { hits, sizes }: Omit<Texts, 'pieces'>, b: number): number[] {
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
  const both = (words: readonly number[], { pieces }: Texts, b: number): number[] => {
    const grams = okapi(idfs(pieces.hits[0]?.map(() => 1) ?? [], pieces.hits), pieces, b);
    return words.map((score, i) =>
      (pieces.hits[0]?.length ?? 0) === 0 ? score : score + constants.gram_share * (grams[i] ?? 0),
    );
  };
  const own = both(okapi(idf, sentences, constants.b), sentences, constants.b);
  const para = both(okapi(idfs(weights, paragraphs.hits), paragraphs, constants.paragraph_b), paragraphs, constants.paragraph_b);
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
  /** Whether it is the first, begins with a capital and is no stop word. */
  readonly opens: boolean;
  /** The overlapping grams of its letters, where it is compared by them too. */
  readonly pieces: readonly string[];
}

function piecesOf(term: string, length: number): string[] {
  const letters = Array.from(term);
  if (length === 0) return [];
  return letters.length <= length ? [term] : letters.slice(length - 1).map((_, i) => letters.slice(i, i + length).join(''));
}

/** Returns whether enough grams are common: Dice's share, a repeated gram of the goal's word counted each time. */
function overlaps(goal: readonly string[], own: readonly string[]): boolean {
  const set = new Set(own);
  const common = goal.filter((piece) => set.has(piece)).length;
  return common > 0 && (2 * common) / (set.size + goal.length) >= constants.kin_grams;
}

interface Rated {
  readonly source: number;
  readonly start: number;
  readonly end: number;
  readonly paragraph: number;
  /** The range in the normal form of its source. */
  readonly span: readonly [number, number];
  readonly score: number;
  readonly matched: number;
  readonly terms: readonly string[];
  /** Whether it holds a word of the goal, or one kindred to it, and is not a question of such words only. */
  readonly answers: boolean;
  readonly words: readonly Spoken[];
}

/** Returns whether a line is a heading of the next part. */
function leads(line: string, below: string): boolean {
  if (line.includes('\n')) return false;
  const script = scriptAt(loweredText(line).codePointAt(0) ?? 0);
  const isShort = line.split(/\s+/).length <= 8 && !/[.!?…:;,。！？؟।"'”’»)\]]$/.test(line);
  const isYears = (line.match(/[0-9]+/g) ?? []).every(isYear);
  return isShort && isYears && /[.!?…|]$/.test(below) && (script === 'latin' || script === 'greek' || script === 'cyrillic');
}

function places(texts: readonly string[]) {
  let paragraph = -1;
  return texts.flatMap((original, source) => {
    const { text, place } = normalForm(original);
    const all = spans(text);
    const opens = all.map(([from], i) => i === 0 || /\n[^]*\n/.test(text.slice(all[i - 1]?.[1], from)));
    let isLed = false;
    return all.flatMap(([from, to], i) => {
      const own = text.slice(from, to);
      if (opens[i] === true && !isLed) paragraph++;
      const [below, above] = [all[i + 1], opens[i] === true && opens[i + 1] === true];
      isLed = above && below !== undefined && leads(own, text.slice(...below));
      const [start, end] = [place(from), place(to)];
      const isAsked = /[?？؟]["'”’»)\]]*$/.test(own.slice(-3));
      return start < end
        ? [{ source, paragraph, span: [from, to] as const, start, end, isLed, isAsked, written: writtenWords(own) }]
        : [];
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
  const parts = places(texts);
  const all = parts.filter(({ isLed }) => !isLed);
  const asked = writtenWords(normalForm(goal).text);
  const words = parts.flatMap(({ written }) => written);
  const reading = readingOf(asked, words);
  const terms = goalTerms(asked, reading);
  const spoken = (written: readonly Written[]): Spoken[] =>
    written.map((one, i) => {
      const { term, stop, gram } = reading.term(one);
      return {
        term,
        stop,
        gram: one.gram,
        name: i > 0 && one.capital,
        opens: i === 0 && one.capital && !stop,
        pieces: stop ? [] : piecesOf(term, gram),
      };
    });
  const units = all.map(({ written }) => spoken(written));
  const goalPieces = new Map(
    spoken(asked)
      .filter(({ stop }) => !stop)
      .map(({ term, pieces }) => [term, pieces]),
  );
  const kept = units.map((words) => words.filter(({ stop }) => !stop));
  const paragraphs: Spoken[][] = Array.from({ length: 1 + (parts.at(-1)?.paragraph ?? -1) }, () => []);
  for (const { paragraph, written } of parts) paragraphs[paragraph]?.push(...spoken(written).filter(({ stop }) => !stop));
  const counted = (list: readonly (readonly Spoken[])[]): Texts => ({
    hits: list.map((one) => hits(terms, one, reading.latin, goalPieces)),
    sizes: list.map((one) => one.length),
    pieces: piecesCounted(list, [...new Set(terms.flatMap((term) => goalPieces.get(term) ?? []))]),
  });
  const sentences = counted(kept);
  const weights = terms.map((term) => weightOf(term, reading));
  const paragraphOf = all.map(({ paragraph }) => paragraph);
  const expected = questions(normalForm(goal).text, reading.latin);
  const scores = ratings(weights, sentences, counted(paragraphs), paragraphOf, (i) => bonus(kept[i] ?? [], terms, expected));
  const rated = all.map(({ isAsked, ...place }, i): Rated => {
    const { score, matched } = scores[i] ?? { score: 0, matched: 0 };
    const hit = sentences.hits[i] ?? [];
    const held = terms.filter((_, k) => (hit[k] ?? 0) >= (hit.some((count) => count >= 1) ? 1 : constants.kin_credit));
    const isRepeated = isAsked && (kept[i] ?? []).every(({ term }) => terms.includes(term));
    return { ...place, score, matched, terms: held, answers: held.length > 0 && !isRepeated, words: units[i] ?? [] };
  });
  return { terms, rated, reading };
}

/** Returns how often each term occurs in a text; a part of one when only a kindred word occurs. */
function hits(
  terms: readonly string[],
  text: readonly Spoken[],
  latin: Language,
  goalPieces: ReadonlyMap<string, readonly string[]>,
): number[] {
  const words = text.filter(({ gram }) => !gram);
  const forms = words.map(({ term, pieces }) =>
    terms.filter((goal) => goal !== term && overlaps(goalPieces.get(goal) ?? [], pieces)),
  );
  const isKin = (goal: string): boolean =>
    words.some(({ term }, i) => (forms[i]?.length === 0 ? related(goal, term, latin) : forms[i]?.includes(goal) === true));
  return terms.map((goal) => text.filter(({ term }) => term === goal).length || (isKin(goal) ? constants.kin_credit : 0));
}

/** Returns how often each gram of the goal occurs in each text, and how many grams the text has. */
const piecesCounted = (list: readonly (readonly Spoken[])[], asked: readonly string[]): Omit<Texts, 'pieces'> => {
  const pieces = list.map((words) => words.flatMap((word) => word.pieces));
  return {
    hits: pieces.map((own) => asked.map((piece) => own.filter((one) => one === piece).length)),
    sizes: pieces.map((own) => own.length),
  };
};

const identity = ({ term, stop, gram }: Spoken): string => `${stop ? 'stop' : gram ? 'gram' : 'term'} ${term}`;

/** Returns the test of whether one sentence is a copy of another. */
function copying({ negating }: Reading): (one: Rated, other: Rated) => boolean {
  const wordingOf = ({ words }: Rated) => ({ list: words.map(identity), set: new Set(words.map(identity)) });
  const weighty = (word: Spoken): boolean =>
    word.gram || word.name || word.opens || negating.has(word.term) || isFigure(word.term);
  const onlyLight = (rated: Rated, other: ReturnType<typeof wordingOf>): boolean =>
    rated.words.every((word) => other.set.has(identity(word)) || !weighty(word));
  return (one, other) => {
    const [a, b] = [wordingOf(one), wordingOf(other)];
    if (Math.min(a.set.size, b.set.size) < constants.copy_similarity * Math.max(a.set.size, b.set.size)) return false;
    const common = [...a.set].filter((word) => b.set.has(word)).length;
    if (common < constants.copy_similarity * (a.set.size + b.set.size - common)) return false;
    const [inA, inB] = [a.list.filter((word) => b.set.has(word)), b.list.filter((word) => a.set.has(word))];
    const isPart = inA.length === a.list.length || inB.length === b.list.length;
    return isPart && inA.join('\n') === inB.join('\n') && onlyLight(one, b) && onlyLight(other, a);
  };
}

/** Returns the place that is quoted of a relevant sentence: it takes in neighbours without a word of the goal, far above the mean score. */
function quotePlace(one: Rated, rated: readonly Rated[], relevant: readonly Rated[], best: number): readonly [number, number] {
  const mean = rated.reduce((sum, { score }) => sum + score, 0) / rated.length;
  const floor = Math.max(constants.score_share_min * best, constants.companion_factor_min * mean);
  const at = rated.indexOf(one);
  const beside = (k: number): Rated[] =>
    rated.slice(Math.max(0, k), k + 1).filter(({ paragraph }) => paragraph === one.paragraph);
  const isMute = ({ terms, score }: Rated): boolean => terms.length === 0 && score >= floor;
  const after = beside(at + 1).filter(isMute);
  const before = beside(at - 1).filter((other) => isMute(other) && !beside(at - 2).some((host) => relevant.includes(host)));
  const fits = (parts: readonly Rated[]): boolean =>
    (parts.at(-1)?.span[1] ?? 0) - (parts[0]?.span[0] ?? 0) <= constants.sentence_chars_max;
  const longer = fits([one, ...after]) ? [one, ...after] : [one];
  const longest = fits([...before, ...longer]) ? [...before, ...longer] : longer;
  return [longest[0]?.start ?? one.start, longest.at(-1)?.end ?? one.end];
}

/** Asserts that a result is what goal and sources lead to. */
export function assertResult({ goal, work }: Pick<EngineInput<ResearchWork>, 'goal' | 'work'>, result: ResearchResult): void {
  const texts = work.sources.map((source) => source.text);
  const { terms, rated, reading } = judge(goal, texts);
  const floor = Math.min(constants.relevance_min, constants.relevance_term_part / Math.max(1, terms.length));
  const matching = terms.length === 0 ? [] : rated.filter(({ matched, answers }) => answers && matched >= floor);
  const best = matching.reduce((most, { score }) => Math.max(most, score), 0);
  const relevant = matching.filter(({ score }) => best > 0 && score >= best * constants.score_share_min);
  const quoted = new Map(relevant.map((one) => [one, quotePlace(one, rated, relevant, best)]));
  const found = result.findings.map(({ source_id, start, end }) => {
    const isThere = (one: Rated): boolean => quoted.get(one)?.[0] === start && quoted.get(one)?.[1] === end;
    const one = relevant.find((r) => work.sources[r.source]?.id === source_id && isThere(r));
    return one ?? assert.fail(`${source_id} ${start} to ${end} is not what is quoted of a relevant sentence`);
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
    const { source, score } = one;
    const [start, end] = quoted.get(one) ?? [0, 0];
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
