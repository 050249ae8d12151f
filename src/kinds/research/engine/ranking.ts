/**
 * The score of every sentence for a goal:
 *
 *   score(s) = (own(s) + 0.45·para(p) + 0.2·own(before) + 0.1·own(after)) · (1 + matched(s)) · factors
 *
 * - own(s) is the BM25 score of a sentence among all sentences; para(p) is that of its paragraph among all paragraphs, which end at blank lines.
 *   `before` and `after` are its neighbours in the paragraph. The idf of a goal term that n of N texts hold is weight·log(1 + (N − n + ½)/(n + ½)).
 * - In a language whose stems are not enough, the BM25 score of a text is that of its words and 0.3 times that of the grams of their letters.
 * - A text that has a word kindred to a goal term, but not the term, counts for half an occurrence of it.
 * - matched(s) is the share of the goal's idf whose terms the sentence holds. A term counts half if the sentence has only a kindred word, or if
 *   only a neighbour has the term.
 * - The factors reward a date, a figure or names that are new to the goal, when it asks for them (`goal.ts`).
 */
import { log } from '../../../base/math.js';
import { answerFactors, type Goal } from './goal.js';
import * as C from '../constants.js';
import { type Mission, remembered, type Sentence, termsIn, type Words } from './read.js';
import type { Term } from './languages.js';
import { other_gram } from './tokens.js';
import { english, ordinals, synonyms } from '../../../engines/text/english.js';
import type { Language } from '../../../engines/text/language.js';
import { compounding } from '../../../engines/text/languages.js';
import { isDigit, isWord, scriptOf } from './characters.js';
import { stem } from './stem.js';

// Kindred terms, which count as a goal term with a part of its weight: words of one script with the same first letters
// (perform, performance), a number and its ordinal (3, third, 3rd), words of one class of synonyms, and compounds that
// end with a word. A text seldom repeats the words of the question that it answers.

const ordinalFigure = /^([0-9]+)(?:st|nd|rd|th|s)$/;

interface Kinship {
  readonly ordinals: ReadonlyMap<string, string>;
  /** Each stem that is in a class, with the numbers of its classes. */
  readonly classes: ReadonlyMap<string, readonly number[]>;
}

function decode(): Kinship {
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

let decoded: Kinship | null = null;
const kinship = (): Kinship => (decoded ??= decode());

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
const numberIn = (term: string): string | null => kinship().ordinals.get(term) ?? ordinalFigure.exec(term)?.[1] ?? null;

/** Returns the common root of kindred forms of one word. */
function rootOf(term: string): string {
  const length = rootLength(term);
  return length > 0 && term.length > length ? term.slice(0, length) : term;
}

/**
 * Returns a function that returns the places of the goal's terms to which a term is kindred, but not the same.
 * @param latin the language of words in Latin letters
 */
export function kindred(terms: readonly string[], latin: Language): (term: string) => number[] {
  const hasCompounds = compounding.includes(latin.id);
  const isEnglish = latin === english;
  const classes = isEnglish ? kinship().classes : new Map<string, readonly number[]>();
  const root = (term: string): string => (isEnglish ? numberIn(term) : null) ?? rootOf(term);
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

export interface ScoredSentence {
  readonly sentence: Sentence;
  readonly score: number;
  /** The share of the goal's idf. */
  readonly matched: number;
  readonly terms: readonly string[];
  /** Whether it can be a finding: it has a word of the goal, or one kindred to it, and is not a question of such words only. */
  readonly isAnswer: boolean;
}

/** What a key counts for: `place` is that of the same term in the goal, −1 if the goal has none; `kin` are those of kindred terms. */
interface Use {
  readonly place: number;
  readonly kin: readonly number[];
}

/** Returns a function that returns the places in the goal of the terms kindred to a term: those with like grams if there are any, else by `kindred`. */
function kinIn(terms: readonly string[], { goalKeys, keys, readers }: Mission): (term: Term) => number[] {
  const known = new Map(goalKeys.flatMap((number) => keys[number] ?? []).map((key) => [`${key.isStop} ${key.text}`, key]));
  const grams = terms.map((term) => gramsIn(known.get(`false ${term}`)));
  const kinOf = kindred(terms, readers.latin.language);
  return (term) => {
    const forms = term.gram > 0 ? alike(gramsIn(term), grams).filter((k) => terms[k] !== term.text) : [];
    return forms.length > 0 ? forms : kinOf(term.text);
  };
}

function usesOf(mission: Mission, goal: Goal): (Use | null)[] {
  const kinOf = kinIn(goal.terms, mission);
  return mission.keys.map((key, number) => {
    if (key.isStop) return null;
    const place = goal.keys.indexOf(number);
    const kin = key.isGram ? [] : kinOf(key);
    return place < 0 && kin.length === 0 ? none : { place, kin };
  });
}

const none: Use = { place: -1, kin: [] };

/** Returns the places of the words that have enough grams in common with one. */
function alike(grams: readonly string[], words: readonly (readonly string[])[]): number[] {
  const own = new Set(grams);
  return words.flatMap((other, k) => {
    const common = other.filter((gram) => own.has(gram)).length;
    return common > 0 && 2 * common >= C.kin_grams * (own.size + other.length) ? [k] : [];
  });
}

interface Document {
  /** The number of index terms. */
  readonly length: number;
  /** How many of them are terms of the goal. */
  readonly named: number;
  /** How often each term of the goal occurs; a part of once if only a kindred term does. */
  readonly hits: readonly number[];
}

function documentOf({ from, to }: Words, keysOf: Int32Array, uses: readonly (Use | null)[], noHits: readonly number[]): Document {
  let [length, named] = [0, 0];
  let hits: number[] | null = null;
  let kin: number[] | null = null;
  for (let at = from; at < to; at++) {
    const key = keysOf[at] ?? other_gram;
    const use = key === other_gram ? none : (uses[key] ?? null);
    if (use === null) continue;
    length++;
    if (use === none) continue;
    hits ??= [...noHits];
    if (use.place >= 0) {
      hits[use.place] = (hits[use.place] ?? 0) + 1;
      named++;
    }
    if (use.kin.length > 0) (kin ??= []).push(...use.kin);
  }
  for (const k of kin ?? []) if (hits?.[k] === 0) hits[k] = C.kin_credit;
  return { length, named, hits: hits ?? noHits };
}

const question = /[?？؟]["'”»)\]]*$/;

/** Returns the documents; that of a table's row also has the words of the table's header. */
function withHeads(sentences: readonly Sentence[], rows: readonly Document[], read: (words: Words) => Document): Document[] {
  const headerOf = remembered(read);
  return rows.map((row, i) => {
    const head = sentences[i]?.head;
    if (head === undefined) return row;
    const header = headerOf(head);
    return {
      length: row.length + header.length,
      named: row.named,
      hits: row.hits.map((hit, k) => Math.max(hit, header.hits[k] ?? 0)),
    };
  });
}

interface RatedDocuments {
  readonly documents: readonly Document[];
  /** The idf in the order of the goal's terms, times their weights. */
  readonly idf: readonly number[];
  /** The BM25 score of each document. */
  readonly scores: readonly number[];
}

function rate(documents: readonly Document[], weights: readonly number[], b: number): RatedDocuments {
  const idf = weights.map((weight, k) => {
    let holding = 0;
    for (const { hits } of documents) if ((hits[k] ?? 0) >= 1) holding++;
    return weight * log(1 + (documents.length - holding + 0.5) / (holding + 0.5));
  });
  let total = 0;
  for (const { length } of documents) total += length;
  const average = total === 0 ? 1 : total / documents.length;
  const scores = documents.map(({ length, hits }) => {
    const norm = C.k1 * (1 - b + (b * length) / average);
    let score = 0;
    for (const [k, tf] of hits.entries()) if (tf > 0) score += ((idf[k] ?? 0) * tf * (C.k1 + 1)) / (tf + norm);
    return score;
  });
  return { documents, idf, scores };
}

/** Returns the overlapping grams of a word; the word if it is no longer than one. */
function gramsOf(word: string, length: number): string[] {
  const letters = Array.from(word);
  return Array.from({ length: Math.max(1, letters.length - length + 1) }, (_, i) => letters.slice(i, i + length).join(''));
}

/** Returns a function that returns the BM25 scores of texts by the grams of their words; no scores if no word of the goal is compared by grams. */
function gramScores({ keys, keysOf }: Mission, goal: Goal): (texts: readonly Words[], b: number) => readonly number[] {
  const asked = new Set(goal.keys.flatMap((key) => gramsIn(keys[key])));
  if (asked.size === 0) return () => [];
  const places = new Map([...asked].map((gram, i) => [gram, i]));
  const uses = keys.map((key) => {
    const grams = gramsIn(key);
    return { size: grams.length, places: grams.flatMap((gram) => places.get(gram) ?? []) };
  });
  const documentIn = ({ from, to }: Words): Document => {
    const hits = Array.from(asked, () => 0);
    let length = 0;
    for (let at = from; at < to; at++) {
      const use = uses[keysOf[at] ?? other_gram];
      length += use?.size ?? 0;
      for (const place of use?.places ?? []) hits[place] = (hits[place] ?? 0) + 1;
    }
    return { length, named: 0, hits };
  };
  const weights = Array.from(asked, () => 1);
  return (texts, b) => rate(texts.map(documentIn), weights, b).scores;
}

const gramsIn = (term: Term | undefined): string[] =>
  term === undefined || term.gram === 0 || term.isStop ? [] : gramsOf(term.text, term.gram);

/** Returns the terms of a goal that are in a text; if there are none, those to which one of its words is kindred. */
export function termsHeld(text: string, terms: readonly string[], mission: Mission): readonly string[] {
  const own = termsIn(text, mission.readers);
  const kinOf = kinIn(terms, mission);
  const texts = new Set(own.map((term) => term.text));
  const kin = new Set(own.flatMap(kinOf));
  const held = terms.filter((term) => texts.has(term));
  return held.length > 0 ? held : terms.filter((_, k) => kin.has(k));
}

const withGrams = (rated: RatedDocuments, grams: readonly number[]): RatedDocuments =>
  grams.length === 0 ? rated : { ...rated, scores: rated.scores.map((score, i) => score + C.gram_share * (grams[i] ?? 0)) };

/** Returns all sentences with their scores, in the order of the texts. */
export function scoreAll(mission: Mission, goal: Goal): ScoredSentence[] {
  const uses = usesOf(mission, goal);
  const noHits = goal.terms.map(() => 0);
  const read = (words: Words): Document => documentOf(words, mission.keysOf, uses, noHits);
  const grams = gramScores(mission, goal);
  const rows = mission.sentences.map(read);
  const rated = (documents: readonly Document[], texts: readonly Words[], b: number): RatedDocuments =>
    withGrams(rate(documents, goal.weights, b), grams(texts, b));
  const own = rated(withHeads(mission.sentences, rows, read), mission.sentences, C.b);
  const para = rated(mission.paragraphs.map(read), mission.paragraphs, C.paragraph_b);
  const factorOf = answerFactors(mission, goal);
  let weight = 0;
  for (const idf of own.idf) weight += idf;
  return mission.sentences.map((sentence, i) => {
    const inParagraph = (k: number): boolean => mission.sentences[k]?.paragraph === sentence.paragraph;
    const before = inParagraph(i - 1) ? i - 1 : -1;
    const after = inParagraph(i + 1) ? i + 1 : -1;
    const context = C.before_share * (own.scores[before] ?? 0) + C.after_share * (own.scores[after] ?? 0);
    const base = (own.scores[i] ?? 0) + C.paragraph_share * (para.scores[sentence.paragraph] ?? 0) + context;
    if (base === 0) return { sentence, score: 0, matched: 0, terms: [], isAnswer: false };
    const hits = own.documents[i]?.hits ?? noHits;
    let matched = 0;
    for (const [k, idf] of own.idf.entries()) {
      const near = hitsAt(own, before, k) >= 1 || hitsAt(own, after, k) >= 1 ? C.near_credit : 0;
      matched += Math.max(Math.min(1, hits[k] ?? 0), near) * idf;
    }
    const share = weight === 0 ? 0 : matched / weight;
    const held = hits.some((hit) => hit >= 1) ? 1 : C.kin_credit;
    const terms = goal.terms.filter((_, k) => (hits[k] ?? 0) >= held);
    const row = rows[i];
    const end = mission.texts[sentence.source]?.slice(0, sentence.normal.end).slice(-3) ?? '';
    const isQuestion = row?.named === row?.length && question.test(end);
    const isAnswer = !isQuestion && row?.hits.some((hit) => hit > 0) === true;
    return { sentence, score: base * (1 + share) * factorOf(sentence), matched: share, terms, isAnswer };
  });
}

const hitsAt = ({ documents }: RatedDocuments, i: number, k: number): number => documents[i]?.hits[k] ?? 0;
