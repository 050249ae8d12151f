/** A second reading of words by the engine's description: languages, stems and index terms. Only word lists are shared with the engine. */
import { endings, frame_words, irregular, stop_words, suffixes } from '../../../../src/engines/text/english.js';
import type { Language, Script } from '../../../../src/engines/text/language.js';
import { english_negations, languages } from '../../../../src/engines/text/languages.js';
import { digit, gramLength, joiner, lettered, lowered, plain, scriptAt, toneMark } from './sentences.js';

const roots = new Map(irregular.flatMap((forms) => forms.slice(1).map((form) => [form, forms[0] ?? form] as const)));

/** Returns the English stem of one lowercase word. */
export function stemmed(form: string): string {
  const word = roots.get(form) ?? form;
  if (word.length < 4 || /[^a-z]/.test(word)) return word;
  const singular = without(word, endings);
  const bare = without(singular, suffixes);
  const root = bare === singular ? bare : bare.replace(/([bdfgmnprt])\1$/, '$1');
  if (root.length > 3 && root.endsWith('e')) return root.slice(0, -1);
  return root.length > 2 ? root.replace(/y$/, 'i') : root;
}

function without(word: string, rules: typeof endings): string {
  const rule = rules.find(([ending]) => word.endsWith(ending));
  if (rule === undefined) return word;
  const rest = word.slice(0, -rule[0].length);
  return rest.length < rule[2] || !/[aeiouy]/.test(rest) ? word : rest + rule[1];
}

/** A rule of a pass as an expression for the whole word, in which the first group is what remains, and what replaces the affix. */
type Expression = readonly [RegExp, (rest: string) => string];

const compiled = new Map<string, readonly (readonly Expression[])[]>();

function expressionOf(rule: string, side: 'start' | 'end', kept: number): Expression {
  const [, beside = '', affix = '', replacement = ''] = /^(\[[^\]]+\])?([^>]+)(?:>(.*))?$/.exec(rule) ?? [];
  return side === 'start'
    ? [new RegExp(`^${affix}(?=${beside})(.{${kept},})$`), (rest) => replacement + rest]
    : [new RegExp(`^(.{${kept},})${beside === '' ? '' : `(?<=${beside})`}${affix}$`), (rest) => rest + replacement];
}

/** Returns the stem of a word of a language other than English, its characters replaced. */
function stemmedBy({ id, passes, vowels }: Language, word: string): string {
  if (/[0-9]/.test(word)) return word;
  const known =
    compiled.get(id) ?? passes.map(({ side, kept, rules }) => rules.split(' ').map((r) => expressionOf(r, side, kept)));
  compiled.set(id, known);
  const sounds = (rest: string): boolean => vowels === '' || Array.from(rest).some((letter) => vowels.includes(letter));
  return known.reduce((form, expressions) => {
    for (const [expression, replace] of expressions) {
      const rest = expression.exec(form)?.[1];
      if (rest !== undefined && sounds(rest)) return replace(rest);
    }
    return form;
  }, word);
}

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
