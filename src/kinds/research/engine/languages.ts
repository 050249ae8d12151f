/**
 * The language of each script in a mission, and the index terms of its words. The language of a script is the one whose stop words make up
 * the most of the words of the goal and of the sources, each counted as one; English is the first for Latin letters.
 */
import { english } from '../../../engines/text/english.js';
import type { Language, Script } from '../../../engines/text/language.js';
import { languages } from '../../../engines/text/languages.js';
import { stemmerOf, type Stemmer } from './stem.js';
import { gram_length } from '../constants.js';
import type { Word } from './tokens.js';

/** How often each word of a vocabulary occurs, by its number. */
export type Counts = Int32Array;

interface Reader {
  readonly language: Language;
  readonly stops: ReadonlySet<string>;
  readonly letters: ReadonlyMap<string, string>;
  readonly elided: ReadonlySet<string>;
  readonly hasNameEndings: boolean;
  /** The length of the grams that its words are compared by too; 0 if they are not. */
  readonly gram: number;
  readonly stem: Stemmer;
}

export interface Readers {
  readonly latin: Reader;
  readonly others: ReadonlyMap<Script, Reader>;
}

const listOf = (text: string): string[] => text.split(' ').filter((item) => item !== '');

const replaced = (word: string, letters: ReadonlyMap<string, string>): string =>
  letters.size === 0 ? word : Array.from(word, (letter) => letters.get(letter) ?? letter).join('');

function readerOf(language: Language): Reader {
  const letters = new Map(listOf(language.letters).map((item) => [item.slice(0, 1), item.slice(1)]));
  const stops = new Set(listOf(language.stops).map((word) => replaced(word, letters)));
  const { elided, hasNameEndings = false, gram = 0 } = language;
  return { language, stops, letters, elided: new Set(listOf(elided)), hasNameEndings, gram, stem: stemmerOf(language) };
}

const englishReader = readerOf(english);
/** The reader of words of scripts whose languages are not known. */
const unknown: Reader = { ...englishReader, stops: new Set(), gram: gram_length };

/** Returns the language of a script. */
function chosen(script: Script, words: readonly Word[], texts: readonly Counts[]): Language {
  const options = languages.filter((language) => language.script === script);
  const [first = english] = options;
  if (options.length < 2) return first;
  const stopped = new Map<string, number[]>();
  for (const [i, { stops }] of options.entries())
    for (const stop of listOf(stops)) stopped.set(stop, [...(stopped.get(stop) ?? []), i]);
  const shares = texts.map((counts) => sharesOf(counts, words, script, stopped));
  let [best, most] = [0, -1];
  for (const i of options.keys()) {
    let score = 0;
    for (const share of shares) score += share[i] ?? 0;
    if (score > most) [best, most] = [i, score];
  }
  return options[best] ?? first;
}

/** Returns the share of each language's stop words in the words of a script. @param stopped the languages of each stop word */
function sharesOf(
  counts: Counts,
  words: readonly Word[],
  script: Script,
  stopped: ReadonlyMap<string, readonly number[]>,
): readonly number[] {
  const found: number[] = [];
  let all = 0;
  for (const [number, word] of words.entries()) {
    const count = counts[number] ?? 0;
    if (count === 0 || word.script !== script) continue;
    all += count;
    for (const i of stopped.get(word.text) ?? []) found[i] = (found[i] ?? 0) + count;
  }
  return found.map((stops) => stops / all);
}

/** Returns how words are read. @param texts the words of the goal, and those of the sources */
export function readersFor(words: readonly Word[], texts: readonly Counts[]): Readers {
  const scripts = new Set(words.map(({ script }) => script));
  const reader = (script: Script): Reader => readerOf(chosen(script, words, texts));
  const others = (['greek', 'cyrillic', 'arabic', 'devanagari', 'hangul'] as const).filter((script) => scripts.has(script));
  return {
    latin: scripts.has('latin') ? reader('latin') : englishReader,
    others: new Map(others.map((script) => [script, reader(script)])),
  };
}

export interface Term {
  readonly text: string;
  /** Whether it is a stop word, which is not in the index. */
  readonly isStop: boolean;
  /** The length of the grams that it is compared by too; 0 if it is not. */
  readonly gram: number;
}

/** Returns the reader of a word of another script; none for a number. */
const unknownOf = (text: string): Reader | undefined => ((text.codePointAt(0) ?? 0) > 0x24f ? unknown : undefined);

/** Returns the index term of a word; one with `isStop` is left out of the index. */
export function termOf({ text, script, isGram }: Word, { latin, others }: Readers): Term {
  if (isGram) return { text, isStop: false, gram: 0 };
  const reader = (script === null ? unknownOf(text) : others.get(script)) ?? latin;
  const bare = text.endsWith("'s") ? text.slice(0, -2) : text;
  const apostrophe = bare.indexOf("'");
  const first = apostrophe > 0 ? bare.slice(0, apostrophe) : '';
  const rest = reader.elided.has(first) ? bare.slice(apostrophe + 1) : reader.hasNameEndings && first !== '' ? first : bare;
  const word = replaced(rest.replaceAll("'", ''), reader.letters);
  if (word === '' || reader.stops.has(word)) return { text: word, isStop: true, gram: 0 };
  return { text: reader.stem(word), isStop: false, gram: reader.gram };
}

const textsIn = ({ latin, others }: Readers, textsOf: (reader: Reader) => readonly string[]): Set<string> =>
  new Set([latin, ...others.values()].flatMap(textsOf));

/** Returns the terms that frame a question. */
export const frameTerms = (readers: Readers): Set<string> =>
  textsIn(readers, ({ language, letters, stem }) => listOf(language.frames).map((word) => stem(replaced(word, letters))));

/** Returns the terms and stop words that negate. */
export const negationTexts = (readers: Readers): Set<string> =>
  textsIn(readers, ({ language, letters, stem }) => {
    const texts = listOf(language.negations).map((word) => replaced(word, letters));
    return [...texts, ...texts.map((text) => stem(text))];
  });
