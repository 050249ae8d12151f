/** A mission's texts read as sentences, words and index terms. */
import type { ResearchWork } from '../work.js';
import { blockPieces, type Piece } from './blocks.js';
import { readersFor, termOf, type Counts, type Readers, type Term } from './languages.js';
import { normalise } from './normal.js';
import { plainPieces } from './plain.js';
import type { Range } from './split.js';
import { closeGrams, emptyVocabulary, other_gram, readWords, type Vocabulary, type Word } from './tokens.js';

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

export interface Mission {
  /** The goal in normal form. */
  readonly goal: string;
  /** The keys of the goal's words, in order. */
  readonly goalKeys: readonly number[];
  /** The normal forms of the sources. */
  readonly texts: readonly string[];
  /** The keys of the sources' words, in order, `other_gram` for grams that are not in the goal; and whether each begins with a capital. */
  readonly keysOf: Int32Array;
  readonly capitals: Uint8Array;
  readonly keys: readonly Key[];
  readonly readers: Readers;
  readonly sentences: readonly Sentence[];
  readonly paragraphs: readonly Words[];
}

export function readMission(goalText: string, sources: readonly Source[], checkpoint: (done: number) => void): Mission {
  const vocabulary = emptyVocabulary();
  const goal = normalise(goalText).text;
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

type Keyed = Pick<Mission, 'goalKeys' | 'keysOf' | 'capitals' | 'keys' | 'readers'>;

function keyed(asked: readonly number[], words: readonly number[], { words: written }: Vocabulary): Keyed {
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
