/** A second reading of words by the engine's description: languages, stems and index terms. Only word lists are shared with the engine. */
import { endings, english, irregular, suffixes } from '../../../../src/engines/text/english.js';
import type { Language, Script } from '../../../../src/engines/text/language.js';
import { languages } from '../../../../src/engines/text/languages.js';
import { gram_runs, joiners } from '../../../../src/engines/text/scripts.js';
import { gram_length } from '../../../../src/kinds/research/constants.js';
import { lowered, plain, scriptAt, toneMark } from './sentences.js';

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

const letter = '[\\p{L}\\p{M}\\p{N}]';
const gramsOf = (length: number): string =>
  gram_runs.map(([a, b, n]) => (n === length ? `\\u{${a.toString(16)}}-\\u{${b.toString(16)}}` : '')).join('');
const joins = String.fromCodePoint(...joiners);
const single = `(?![${gramsOf(2)}${gramsOf(3)}])${letter}`;
const mark = `(?:['’${joins}]|(?<=\\p{Nd})[.,](?=\\p{Nd}))(?=${single})`;
const token = new RegExp(
  `(?<two>(?:(?=${letter})[${gramsOf(2)}])+)|(?<three>(?:(?=${letter})[${gramsOf(3)}])+)|${single}(?:${single}|${mark})*`,
  'gu',
);

/** Returns the words of a normalised piece of text. */
export const writtenWords = (text: string): Written[] =>
  Array.from(text.matchAll(token)).flatMap(({ 0: found, groups: { two, three } = {} }): Written[] => {
    if (two !== undefined) return grams(two, 2);
    if (three !== undefined) return grams(three, 3);
    const points = Array.from(found, (character) => character.codePointAt(0)!);
    const folded = points
      .filter((point) => point !== 44 && !joiners.includes(point))
      .map((point) => (point === 8217 ? 39 : plain(point)));
    return [
      {
        word: folded.map((point) => String.fromCodePoint(point)).join(''),
        gram: false,
        capital: lowered(points[0]!) !== points[0],
      },
    ];
  });

function grams(run: string, length: number): Written[] {
  const characters = Array.from(run).filter((character) => !toneMark(character.codePointAt(0)!));
  const gram = (from: number, size: number): Written[] => {
    const word = characters.slice(from, from + size).join('');
    return from + size > characters.length ? [] : [{ word, gram: true, capital: false }];
  };
  if (length === 2) return characters.flatMap((_, from) => [...gram(from, 1), ...gram(from, 2)]);
  return characters.length < 3
    ? gram(0, characters.length).filter(({ word }) => word !== '')
    : characters.flatMap((_, from) => gram(from, 3));
}

const scriptOf = ({ word, gram }: Written): Script | null => (gram ? null : scriptAt(word.codePointAt(0) ?? 0));

const items = (list: string): string[] => (list === '' ? [] : list.split(' '));

/** How a mission's words are read. */
export type Reading = ReturnType<typeof readingOf>;

/** Returns the language of a script in which the stop words have the largest part of goal and sources. */
function languageOf(script: Script, texts: readonly (readonly Written[])[]): Language | undefined {
  const options = languages.filter((language) => language.script === script);
  const own = texts.map((words) => words.filter((written) => scriptOf(written) === script));
  if (own.every((words) => words.length === 0)) return script === 'latin' ? english : undefined;
  const parts = options.map((option) => {
    const stops = new Set(items(option.stops));
    return own.reduce(
      (sum, words) => sum + (words.length === 0 ? 0 : words.filter(({ word }) => stops.has(word)).length / words.length),
      0,
    );
  });
  return options[parts.indexOf(Math.max(...parts))];
}

/** Returns how the words of a mission are read. */
export function readingOf(goal: readonly Written[], sources: readonly Written[]) {
  const readers = new Map<Script, ReturnType<typeof reader>>();
  for (const script of ['latin', 'greek', 'cyrillic', 'arabic', 'devanagari', 'hangul'] as const) {
    const language = languageOf(script, [goal, sources]);
    if (language !== undefined) readers.set(script, reader(language));
  }
  const all = [...readers.values()];
  const first = readers.get('latin') ?? reader(english);
  const foreign = { read: (word: string): Term => ({ ...bare(word), gram: gram_length }) };
  return {
    latin: first.language,
    framing: new Set(all.flatMap(({ framing }) => framing)),
    negating: new Set(all.flatMap(({ negating }) => negating)),
    /** Returns the index term of a word, and whether it is a stop word. */
    term: (written: Written): Term => {
      if (written.gram) return { term: written.word, stop: false, gram: 0 };
      const script = scriptOf(written);
      const isForeign = script === null && (written.word.codePointAt(0) ?? 0) > 0x24f;
      return (isForeign ? foreign : ((script === null ? undefined : readers.get(script)) ?? first)).read(written.word);
    },
  };
}

interface Term {
  readonly term: string;
  readonly stop: boolean;
  /** The length of the grams that it is compared by too; 0 if it is not. */
  readonly gram: number;
}

/** Returns a word of a script whose languages are not known. */
function bare(word: string): { term: string; stop: boolean } {
  const term = word.replace(/'s$/, '').replaceAll("'", '');
  return { term, stop: term === '' };
}

function reader(language: Language) {
  const changes = items(language.letters);
  const spelled = (word: string): string =>
    changes.length === 0 ? word : Array.from(word, (c) => changes.find((change) => change.startsWith(c))?.slice(1) ?? c).join('');
  const stops = new Set(items(language.stops).map(spelled));
  const elided = items(language.elided);
  const stem = language === english ? stemmed : (word: string): string => stemmedBy(language, word);
  const negations = items(language.negations).map(spelled);
  return {
    language,
    read: (word: string): Term => {
      const [first = '', ...rest] = word.replace(/'s$/, '').split("'");
      const isElided = rest.length > 0 && elided.includes(first);
      const isName = language.hasNameEndings === true && first !== '';
      const term = spelled(isElided ? rest.join('') : isName ? first : [first, ...rest].join(''));
      return term === '' || stops.has(term)
        ? { term, stop: true, gram: 0 }
        : { term: stem(term), stop: false, gram: language.gram ?? 0 };
    },
    framing: items(language.frames).map((word) => stem(spelled(word))),
    negating: [...negations, ...negations.map(stem)],
  };
}
