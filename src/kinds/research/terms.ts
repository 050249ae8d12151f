/**
 * Finds the index terms that a result names in a text. Terms are stems: `citi` is found in `city` and `cities`, `plan` in
 * `planned`. Irregular forms are missed; the picture then marks one word fewer.
 */
const word =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]|[\p{L}\p{M}\p{N}]+(?:['’.,][\p{L}\p{N}]+)*/gu;
const ending = /^(?:[bdfgmnprt]?(?:ing|ed|ingly|edly)|e|es|ely|s|y|ys|ies|ied|ly)$/;

function folded(text: string): string {
  const low = text.toLowerCase().replaceAll('’', "'").replace(/'s$/, '').replaceAll("'", '');
  return low.replace(/(?<=\d),(?=\d)/g, '');
}

function isForm(form: string, term: string): boolean {
  if (form === term) return true;
  if (term.length < 3) return false;
  const base = term.endsWith('i') ? term.slice(0, -1) : term;
  return form.startsWith(base) && ending.test(form.slice(base.length));
}

/** Returns the text in pieces, in order; a piece that is a form of one of the terms is marked. */
export function marked(text: string, terms: readonly string[]): { readonly text: string; readonly hit: boolean }[] {
  const pieces: { text: string; hit: boolean }[] = [];
  let at = 0;
  for (const found of text.matchAll(word)) {
    const form = folded(found[0]);
    if (!terms.some((term) => isForm(form, term))) continue;
    if (found.index > at) pieces.push({ text: text.slice(at, found.index), hit: false });
    pieces.push({ text: found[0], hit: true });
    at = found.index + found[0].length;
  }
  if (at < text.length) pieces.push({ text: text.slice(at), hit: false });
  return pieces;
}

/** Returns the first word of `text` for each term; the term itself if there is none. */
export function wordsFor(terms: readonly string[], text: string): string[] {
  const words = [...text.matchAll(word)].map(([found]) => ({ found, form: folded(found) }));
  return terms.map((term) => words.find(({ form }) => isForm(form, term))?.found ?? term);
}
