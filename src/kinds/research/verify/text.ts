/**
 * The verifier's own reading of words: the rules of `tokens.ts`, `stem.ts` and `languages.ts`, written a second time in another way. Only
 * the frozen tables and word lists are shared.
 */
import { frame_words, stop_words } from '../../../engines/text/english.js';
import type { Language, Script } from '../../../engines/text/language.js';
import { english_negations, languages } from '../../../engines/text/languages.js';
import { digit, gramLength, joiner, lettered, lowered, plain, scriptAt, toneMark } from './characters.js';
import { stemmed, stemmedBy } from './stem.js';

/** A word as it is in a text. */
export interface Written {
  readonly word: string;
  readonly gram: boolean;
  /** Whether it begins with a capital. */
  readonly capital: boolean;
}

const inWord = (point: number | undefined): boolean => point !== undefined && lettered(point) && gramLength(point) === 0;
const apostrophe = (point: number | undefined): boolean => point === 39 || point === 8217;

/** Returns the words of a normalised piece of text. */
export function writtenWords(text: string): Written[] {
  const points = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  const out: Written[] = [];
  let at = 0;
  while (at < points.length) {
    const point = points[at] ?? 0;
    const length = gramLength(point);
    if (length > 0) {
      let run = at;
      while (gramLength(points[run] ?? 0) === length) run++;
      out.push(...grams(points.slice(at, run), length));
      at = run;
    } else if (lettered(point)) {
      const size = wordLength(points, at);
      out.push({ word: folded(points.slice(at, at + size)), gram: false, capital: lowered(point) !== point });
      at += size;
    } else at++;
  }
  return out;
}

function grams(run: readonly number[], length: number): Written[] {
  const points = run.filter((point) => !toneMark(point));
  const gram = (from: number, size: number): Written => ({
    word: String.fromCodePoint(...points.slice(from, from + size)),
    gram: true,
    capital: false,
  });
  const windows = points.map((_, from) => gram(from, length)).slice(0, Math.max(0, points.length + 1 - length));
  if (length === 2) return points.flatMap((_, from) => [gram(from, 1), ...windows.slice(from, from + 1)]);
  return points.length > 0 && windows.length === 0 ? [gram(0, points.length)] : windows;
}

function wordLength(points: readonly number[], from: number): number {
  let at = from;
  for (;;) {
    while (inWord(points[at])) at++;
    const mark = points[at];
    const figures = digit(plain(points[at - 1] ?? 0)) && digit(plain(points[at + 1] ?? 0));
    const joins = mark !== undefined && (apostrophe(mark) || joiner(mark) || ((mark === 46 || mark === 44) && figures));
    if (!joins || !inWord(points[at + 1])) return at - from;
    at++;
  }
}

const folded = (points: readonly number[]): string =>
  points
    .filter((point) => point !== 44 && !joiner(point))
    .map((point) => (apostrophe(point) ? "'" : String.fromCodePoint(plain(point))))
    .join('');

const scriptOf = ({ word, gram }: Written): Script | null => (gram ? null : scriptAt(word.codePointAt(0) ?? 0));

const items = (list: string): string[] => (list === '' ? [] : list.split(' '));

/** A language; null is English. */
type Spoken = Language | null;

const stopsOf = (language: Spoken): readonly string[] => (language === null ? stop_words : items(language.stops));

/** How a mission's words are read. */
export interface Reading {
  readonly latin: Spoken;
  /** Returns the index term of a word, and whether it is a stop word. */
  readonly term: (written: Written) => { readonly term: string; readonly stop: boolean };
  readonly framing: ReadonlySet<string>;
  readonly negating: ReadonlySet<string>;
  readonly spoken: readonly Spoken[];
}

/** Returns the language of a script in which the stop words have the largest part of goal and sources. */
function languageOf(script: Script, texts: readonly (readonly Written[])[]): Spoken | undefined {
  const options: Spoken[] = languages.filter((language) => language.script === script);
  if (script === 'latin') options.unshift(null);
  const own = texts.map((words) => words.filter((written) => scriptOf(written) === script));
  if (own.every((words) => words.length === 0)) return script === 'latin' ? null : undefined;
  const parts = options.map((option) => {
    const stops = new Set(stopsOf(option));
    return own.reduce(
      (sum, words) => sum + (words.length === 0 ? 0 : words.filter(({ word }) => stops.has(word)).length / words.length),
      0,
    );
  });
  return options[parts.indexOf(Math.max(...parts))];
}

/** Returns how the words of a mission are read. */
export function readingOf(goal: readonly Written[], sources: readonly Written[]): Reading {
  const scripts: readonly Script[] = ['latin', 'cyrillic', 'arabic', 'devanagari'];
  const spoken = new Map<Script, Spoken>();
  for (const script of scripts) {
    const language = languageOf(script, [goal, sources]);
    if (language !== undefined) spoken.set(script, language);
  }
  const latin = spoken.get('latin') ?? null;
  const readers = new Map(Array.from(spoken, ([script, language]) => [script, reader(language)]));
  const first = readers.get('latin') ?? reader(null);
  const all = [...readers.values()];
  return {
    latin,
    spoken: [...spoken.values()],
    framing: new Set(all.flatMap(({ framing }) => framing)),
    negating: new Set(all.flatMap(({ negating }) => negating)),
    term: (written) => {
      if (written.gram) return { term: written.word, stop: false };
      const script = scriptOf(written);
      const { read } = (script === null ? undefined : readers.get(script)) ?? first;
      return read(written.word);
    },
  };
}

interface Reader {
  readonly read: (word: string) => { readonly term: string; readonly stop: boolean };
  readonly framing: readonly string[];
  readonly negating: readonly string[];
}

function reader(language: Spoken): Reader {
  const changes = items(language?.letters ?? '');
  const spelled = (word: string): string =>
    changes.length === 0 ? word : Array.from(word, (c) => changes.find((change) => change.startsWith(c))?.slice(1) ?? c).join('');
  const stops = new Set(stopsOf(language).map(spelled));
  const elided = items(language?.elided ?? '');
  const known = new Map<string, { term: string; stop: boolean }>();
  const stem = language === null ? stemmed : (word: string): string => stemmedBy(language, word);
  const read = (word: string): { term: string; stop: boolean } => {
    const bare = word.replace(/'s$/, '');
    const parts = bare.split("'");
    const left = parts.length > 1 && elided.includes(parts[0] ?? '') ? parts.slice(1) : parts;
    const form = spelled(left.join(''));
    return form === '' || stops.has(form) ? { term: form, stop: true } : { term: stem(form), stop: false };
  };
  const negations = items(language === null ? english_negations : language.negations).map(spelled);
  return {
    read: (word) => {
      const found = known.get(word) ?? read(word);
      known.set(word, found);
      return found;
    },
    framing: (language === null ? frame_words : items(language.frames)).map((word) => stem(spelled(word))),
    negating: [...negations, ...negations.map(stem)],
  };
}
