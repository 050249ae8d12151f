/**
 * Light English stemming: the inflections of Harman's S-stemmer (JASIS 42, 1991) followed by steps 1b and 1c of Porter (Program
 * 14, 1980) in a reduced form. Words with letters other than a … z, or of three letters and fewer, stay unchanged.
 */
import { endings, irregular, suffixes } from '../../../engines/text/english.js';

/** Each irregular form, and its base form. */
const bases = new Map(irregular.flatMap(([base = '', ...forms]) => forms.map((form) => [form, base] as const)));
const plain = /^[a-z]{4,}$/;
const vowel = /[aeiouy]/;
const doubled = /(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/;

type Rules = readonly (readonly [string, string, number])[];

function cut(word: string, rules: Rules): string {
  for (const [ending, replacement, kept] of rules) {
    if (!word.endsWith(ending)) continue;
    const rest = word.slice(0, word.length - ending.length);
    return rest.length >= kept && vowel.test(rest) ? rest + replacement : word;
  }
  return word;
}

/** Returns the stem of one folded word. */
export function stem(form: string): string {
  const word = bases.get(form) ?? form;
  if (!plain.test(word)) return word;
  const singular = cut(word, endings);
  let root = cut(singular, suffixes);
  if (root !== singular && doubled.test(root)) root = root.slice(0, -1);
  if (root.length > 3 && root.endsWith('e')) return root.slice(0, -1);
  if (root.length > 2 && root.endsWith('y')) return `${root.slice(0, -1)}i`;
  return root;
}
