/** The verifier's own stemming: English by its lists, other languages by the passes of their tables. */
import { endings, irregular, suffixes } from '../../../engines/text/english.js';
import type { Language } from '../../../engines/text/language.js';

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
export function stemmedBy({ id, passes, vowels }: Language, word: string): string {
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
