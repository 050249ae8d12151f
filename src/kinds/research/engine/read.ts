/** A mission's texts read as sentences, words and index terms. */
import type { ResearchWork } from '../work.js';
import { blockPieces, type Piece, type Pieces } from './blocks.js';
import { readersFor, termOf, type Counts, type Readers, type Term } from './languages.js';
import { normalise, originalRange } from './normal.js';
import { cutToLength, type Range, sentences } from './split.js';
import { closeGrams, emptyVocabulary, other_gram, readWords, type Vocabulary, type Word } from './tokens.js';
import { sentence_chars_max } from '../constants.js';
import { isWord, scriptOf, singleSpaced, fold } from './characters.js';

/** A range of the words of a mission. */
export interface Words {
  readonly from: number;
  readonly to: number;
}

export interface Sentence extends Range, Words, Pick<Piece, 'normal'> {
  readonly source: number;
  readonly paragraph: number;
  /** The header of its table, of a row. */
  readonly head?: Range & Words;
}

/** A source as it is read. */
export type Source = Pick<ResearchWork['sources'][number], 'text' | 'blocks'>;

export interface Key extends Term {
  readonly isGram: boolean;
}

export type Mission = Readonly<ReturnType<typeof readMission>>;

/** A code such as E-17, which others write E17. */
const code = /(?<![0-9A-Za-z-])([A-Za-z]{1,4})(-?)([0-9]{1,6})(?![0-9A-Za-z-])/g;

/** Returns a goal with its codes as the sources write them, where these have another form only. */
function spelledAs(sources: readonly Source[], goal: string): string {
  if (goal.search(code) < 0) return goal;
  const written = new Set(sources.flatMap(({ text }) => Array.from(text.matchAll(code), ([found]) => fold(found))));
  return goal.replace(code, (asked: string, letters: string, hyphen: string, digits: string) => {
    const other = `${letters}${hyphen === '' ? '-' : ''}${digits}`;
    return written.has(fold(other)) && !written.has(fold(asked)) ? other : asked;
  });
}

/**
 * Returns the goal and the sources in normal form, with their sentences and paragraphs, and the keys of their words, in order: `other_gram`
 * for grams that are not in the goal. `capitals` says whether each word of the sources begins with a capital.
 */
export function readMission(goalText: string, sources: readonly Source[], checkpoint: (done: number) => void) {
  const vocabulary = emptyVocabulary();
  const goal = spelledAs(sources, normalise(goalText).text);
  const asked: number[] = [];
  readWords(goal, { start: 0, end: goal.length }, vocabulary, asked);
  closeGrams(vocabulary);
  const words: number[] = [];
  const all: Sentence[] = [];
  const paragraphs: { from: number; to: number }[] = [];
  const normals: string[] = [];
  for (const [source, { text: original, blocks }] of sources.entries()) {
    const { text, pieces } = blocks === undefined ? plainPieces(original) : blockPieces(original, blocks);
    normals.push(text);
    let table: (Range & Words) | undefined;
    for (const { normal, start, end, opens, isQuotable, head } of pieces) {
      if (head !== undefined && head.start !== table?.start) {
        const from = words.length;
        readWords(text, head.normal, vocabulary, words);
        table = { start: head.start, end: head.end, from, to: words.length };
      }
      const from = words.length;
      if (opens) paragraphs.push({ from, to: from });
      if (start === end) continue;
      readWords(text, normal, vocabulary, words);
      const paragraph = paragraphs.length - 1;
      const row = head === undefined || table === undefined ? {} : { head: table };
      if (isQuotable) all.push({ source, paragraph, start, end, from, to: words.length, normal, ...row });
      const last = paragraphs.at(-1);
      if (last !== undefined) last.to = words.length;
    }
    checkpoint((source + 1) / sources.length);
  }
  return { goal, texts: normals, sentences: all, paragraphs, ...keyed(asked, words, vocabulary) };
}

/** Returns a function that reads each place once. */
export function remembered<K, V>(read: (place: K) => V): (place: K) => V {
  const known = new Map<K, V>();
  return (place) => {
    const value = known.get(place) ?? read(place);
    known.set(place, value);
    return value;
  };
}

/** Returns a function that returns the keys of a sentence's words, with a number below 0 for each gram that is not in the goal. */
export function fullKeys({ texts, keysOf }: Mission): (sentence: Sentence) => Int32Array {
  const grams = emptyVocabulary();
  return ({ source, normal, from, to }) => {
    const keys = keysOf.slice(from, to);
    if (!keys.includes(other_gram)) return keys;
    const words: number[] = [];
    readWords(texts[source] ?? '', normal, grams, words);
    return keys.map((key, i) => (key === other_gram ? -2 - (words[i] ?? 0) : key));
  };
}

/** Returns the distinct index terms of a text, as a mission's words are read. */
export function termsIn(text: string, readers: Readers): Term[] {
  const vocabulary = emptyVocabulary();
  const { text: normal } = normalise(text);
  readWords(normal, { start: 0, end: normal.length }, vocabulary, []);
  const terms = vocabulary.words.map((word) => termOf(word, readers)).filter(({ isStop }) => !isStop);
  return [...new Map(terms.map((term) => [term.text, term])).values()];
}

function countsOf(words: readonly number[], distinct: number): Counts {
  const counts = new Int32Array(distinct);
  for (const word of words) if (word !== other_gram) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}

function keyed(asked: readonly number[], words: readonly number[], { words: written }: Vocabulary) {
  const readers = readersFor(written, [countsOf(asked, written.length), countsOf(words, written.length)]);
  const keys: Key[] = [];
  const [terms, stops] = [new Map<string, number>(), new Map<string, number>()];
  const keyOf = (word: Word): number => {
    const { text, isStop, gram } = termOf(word, readers);
    const numbers = isStop ? stops : terms;
    const known = numbers.get(text) ?? keys.length;
    if (known === keys.length) {
      numbers.set(text, known);
      keys.push({ text, isStop, isGram: word.isGram, gram });
    }
    return known;
  };
  const keyOfWord = written.map(keyOf);
  const capitals = new Uint8Array(words.length);
  const keysOf = new Int32Array(words.length);
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? other_gram;
    keysOf[i] = word === other_gram ? other_gram : (keyOfWord[word] ?? 0);
    if (word !== other_gram && written[word]?.isUpper === true) capitals[i] = 1;
  }
  return { goalKeys: asked.map((word) => keyOfWord[word] ?? 0), keysOf, capitals, keys, readers };
}

// The parts of a typed source, as pieces that can be quoted: its sentences, and tables of lines between bars (Markdown), whole where they are
// short, else row by row with their header. A bare heading is no finding; its words belong to the paragraph below it.

type Part = Range & Pick<Piece, 'head'> & { readonly opens?: true; readonly isQuotable?: false };

const table = /(?:^[ \t]*\|[^\n]*\|[ \t\r]*(?:\n|$)){2,}/gm;
const rule = /^[|:\-\s]+$/;

export function plainPieces(original: string): Pieces {
  const normal = normalise(original);
  const { text } = normal;
  const parts: Part[] = [];
  let at = 0;
  for (const { index, 0: lines } of text.matchAll(table)) {
    parts.push(...within(text, at, index), ...tableParts(text, index, index + lines.length));
    at = index + lines.length;
  }
  parts.push(...within(text, at, text.length));
  const firsts = parts.map(({ start, opens }, i) => opens === true || i === 0 || isBlank(text, parts[i - 1]?.end ?? 0, start));
  const leads = parts.map((part, i) => firsts[i] === true && firsts[i + 1] === true && isHeading(text, part, parts[i + 1]));
  const placed = (range: Range): Range => originalRange(normal, range);
  return {
    text,
    pieces: parts.map(({ start, end, head, isQuotable = true }, i): Piece => {
      const opens = firsts[i] === true && leads[i - 1] !== true;
      const place = placed({ start, end });
      const row = head === undefined ? {} : { head: { normal: head.normal, ...placed(head.normal) } };
      return { normal: { start, end }, ...place, opens, isQuotable: isQuotable && leads[i] !== true, ...row };
    }),
  };
}

const within = (text: string, from: number, to: number): Part[] =>
  sentences(text.slice(from, to)).map(({ start, end }) => ({ start: from + start, end: from + end }));

/** Returns a table whole if it is short, else its rows; a row that is too long is cut. */
function tableParts(text: string, from: number, to: number): Part[] {
  if (text.slice(from, to).trim().length <= sentence_chars_max) return cutToLength(text, { start: from, end: to });
  const rows: Range[] = [];
  for (const { index, 0: line } of text.slice(from, to).matchAll(/[^\n]+/g))
    rows.push({ start: from + index, end: from + index + line.length });
  const [first, second] = rows;
  const hasHeader = first !== undefined && second !== undefined && rule.test(text.slice(second.start, second.end));
  const [whole, ...others] = hasHeader ? cutToLength(text, first) : [];
  const head = whole === undefined || others.length > 0 ? {} : { head: { normal: whole, ...whole } };
  return rows.flatMap((row, i) => {
    if (rule.test(text.slice(row.start, row.end))) return [];
    if (hasHeader && i === 0) return cutToLength(text, row).map((part): Part => ({ ...part, opens: true, isQuotable: false }));
    return cutToLength(text, row).map((part): Part => ({ ...part, opens: true, ...head }));
  });
}

const heading_words_max = 8;
const marked = /^#{1,6}\s/;
const ended = /[.!?…:;,。！？؟।"'”’»)\]]$/;
const figure = /[0-9]+/g;
const year = /^(?:1[0-9]|20)[0-9][0-9]$/;

/**
 * Returns whether a paragraph of one sentence is a heading of the next part: Markdown's, or one line of few words with letters that have
 * case, without the mark that ends a sentence and a number other than a year, before a part that is longer than a line.
 */
function isHeading(text: string, { start, end }: Range, next: Range | undefined): boolean {
  const line = text.slice(start, end);
  if (next === undefined || line.includes('\n')) return false;
  if (marked.test(line)) return true;
  const isTitle = !ended.test(line) && singleSpaced(line).split(' ').length <= heading_words_max && hasCase(line);
  const below = text.slice(next.start, next.end);
  return isTitle && (line.match(figure) ?? []).every((number) => year.test(number)) && /[.!?…|]$/.test(below);
}

/** Returns whether a line begins with a letter of a script with case. */
function hasCase(line: string): boolean {
  const point = fold(line).codePointAt(0) ?? 0;
  return isWord(point) && ['latin', 'greek', 'cyrillic'].includes(scriptOf(point) ?? '');
}

/** Returns whether two line breaks are between two places. */
function isBlank(text: string, from: number, to: number): boolean {
  const first = text.indexOf('\n', from);
  if (first < 0 || first >= to) return false;
  const second = text.indexOf('\n', first + 1);
  return second >= 0 && second < to;
}
