/**
 * Light stemming. English: the inflections of Harman's S-stemmer (JASIS 42, 1991) followed by steps 1b and 1c of Porter (Program
 * 14, 1980) in a reduced form; words with letters other than a … z, or of three letters and fewer, stay unchanged. Other languages: the
 * passes of their tables.
 */
import { endings, english, irregular, suffixes } from '../../../engines/text/english.js';
import type { Language, Pass } from '../../../engines/text/language.js';

const plain = /^[a-z]{4,}$/;
const vowel = /[aeiouy]/;
const doubled = /(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/;

type Rules = readonly (readonly [string, string, number])[];

let baseForms: ReadonlyMap<string, string> | null = null;

/** Each irregular form, and its base form. */
const bases = (): ReadonlyMap<string, string> =>
  (baseForms ??= new Map(irregular.flatMap(([base = '', ...forms]) => forms.map((form) => [form, base] as const))));

function cut(word: string, rules: Rules): string {
  for (const [ending, replacement, kept] of rules) {
    if (!word.endsWith(ending)) continue;
    const rest = word.slice(0, word.length - ending.length);
    return rest.length >= kept && vowel.test(rest) ? rest + replacement : word;
  }
  return word;
}

/** Returns the English stem of one folded word. */
export function stem(form: string): string {
  const word = bases().get(form) ?? form;
  if (!plain.test(word)) return word;
  const singular = cut(word, endings);
  let root = cut(singular, suffixes);
  if (root !== singular && doubled.test(root)) root = root.slice(0, -1);
  if (root.length > 3 && root.endsWith('e')) return root.slice(0, -1);
  if (root.length > 2 && root.endsWith('y')) return `${root.slice(0, -1)}i`;
  return root;
}

type CompiledPass = Readonly<ReturnType<typeof compilePass>>;

export type Stemmer = (word: string) => string;

function compilePass({ side, kept, rules }: Pass) {
  // `beside` has the characters of which one must be next to the affix; it is empty for any.
  const list = rules.split(' ').map((rule) => {
    const [, beside = '', affix = '', replacement = ''] = /^(?:\[(.+)\])?([^>]+)>?(.*)$/.exec(rule) ?? [];
    return { affix, beside, replacement };
  });
  return { atStart: side === 'start', kept, rules: list };
}

function apply(word: string, { atStart, kept, rules }: CompiledPass, vowels: string): string {
  for (const { affix, beside, replacement } of rules) {
    if (!(atStart ? word.startsWith(affix) : word.endsWith(affix))) continue;
    const rest = atStart ? word.slice(affix.length) : word.slice(0, word.length - affix.length);
    if (rest.length < kept) continue;
    if (beside !== '' && !beside.includes(rest.at(atStart ? 0 : -1) ?? ' ')) continue;
    if (vowels !== '' && !Array.from(vowels).some((letter) => rest.includes(letter))) continue;
    return atStart ? replacement + rest : rest + replacement;
  }
  return word;
}

/** Returns the stemmer of a language, for words whose characters were replaced. A word with a digit stays unchanged. */
export function stemmerOf(language: Language): Stemmer {
  if (language === english) return stem;
  const { passes, vowels } = language;
  const compiled = passes.map(compilePass);
  return (word) => (/[0-9]/.test(word) ? word : compiled.reduce((form, pass) => apply(form, pass, vowels), word));
}
