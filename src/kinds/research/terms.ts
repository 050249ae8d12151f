/**
 * Finds the index terms that a result names in a text. Terms are stems: `citi` is found in `city` and `cities`, `plan` in `planned`; in
 * scripts without spaces they are a few characters. Irregular forms are missed; a picture then marks one word fewer.
 */
const gramScripts = '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}';
const gram = new RegExp(`^[${gramScripts}]+$`, 'u');
const word = new RegExp(`[${gramScripts}]|[\\p{L}\\p{M}\\p{N}]+(?:['’.,][\\p{L}\\p{N}]+)*(?:\\+\\+|#)?`, 'gu');
const ending = /^(?:[bdfgmnprt]?(?:ing|ed|ingly|edly)|e|es|ely|s|y|ys|ies|ied|ly)$/;
/** German endings, of longer stems only: an English word may end so without one. */
const germanEnding = /^(?:en|er|ern|em)$/;
const german_stem_min = 4;
/** Tone marks, which are left out of terms. */
const tones = '[\\u0e47-\\u0e4e\\u0ec8-\\u0ece]*';
/** The most letters of an ending in a script other than the Latin one, and the fewest of a stem. */
const ending_max = 4;
const stem_min = 2;

/** Returns a word as an index would have it, without accents. */
function folded(text: string): string {
  const low = text.toLowerCase().replaceAll('’', "'").replace(/'s$/, '').replaceAll("'", '');
  const bare = low.normalize('NFKD').replace(/[\u0300-\u036f\u0640\u064b-\u0652\u093c]/g, '');
  return bare
    .normalize('NFC')
    .replaceAll('ß', 'ss')
    .replace(/(?<=\d),(?=\d)/g, '');
}

function isForm(form: string, term: string): boolean {
  if (form === term) return true;
  if (!/^[a-z]/.test(term)) return isForeignForm(form, term);
  if (term.length < 3) return false;
  const base = term.endsWith('i') ? term.slice(0, -1) : term;
  if (!form.startsWith(base)) return false;
  const rest = form.slice(base.length);
  return ending.test(rest) || (term.length >= german_stem_min && germanEnding.test(rest));
}

/** Returns whether a word of another script holds a stem; Arabic articles and conjunctions are before it. */
function isForeignForm(form: string, term: string): boolean {
  if (term.length < stem_min || /^[0-9]/.test(term)) return false;
  const at = form.indexOf(term);
  return at >= 0 && form.length - term.length <= ending_max && (at === 0 || /^[\u0600-\u06ff]/.test(term));
}

/** Returns the places of terms that are characters of scripts without spaces; single characters only where there are no longer ones. */
function gramPlaces(text: string, terms: readonly string[]): [number, number][] {
  const all = terms.filter((term) => gram.test(term));
  const long = all.filter((term) => Array.from(term).length > 1);
  return (long.length > 0 ? long : all).flatMap((term) => {
    const pattern = new RegExp(`(?=(${Array.from(term).join(tones)}${tones}))`, 'gu');
    return Array.from(text.matchAll(pattern), (found): [number, number] => [found.index, found.index + (found[1]?.length ?? 0)]);
  });
}

function wordPlaces(text: string, terms: readonly string[]): [number, number][] {
  const stems = terms.filter((term) => !gram.test(term)).map(folded);
  return Array.from(text.matchAll(word))
    .filter(([found]) => stems.some((stem) => isForm(folded(found), stem)))
    .map((found) => [found.index, found.index + found[0].length]);
}

/** Returns the text in pieces, in order; a piece that is a form of one of the terms is marked. */
export function marked(text: string, terms: readonly string[]): { readonly text: string; readonly hit: boolean }[] {
  const places = [...gramPlaces(text, terms), ...wordPlaces(text, terms)].toSorted((a, b) => a[0] - b[0] || b[1] - a[1]);
  const pieces: { text: string; hit: boolean }[] = [];
  let at = 0;
  for (const [start, end] of places) {
    const last = pieces.at(-1);
    if (end <= at) continue;
    if (start < at && last !== undefined) last.text += text.slice(at, end);
    else {
      if (start > at) pieces.push({ text: text.slice(at, start), hit: false });
      pieces.push({ text: text.slice(start, end), hit: true });
    }
    at = end;
  }
  if (at < text.length) pieces.push({ text: text.slice(at), hit: false });
  return pieces;
}

/** Returns the first word of `text` for each term, each word once; the term itself if there is none. */
export function wordsFor(terms: readonly string[], text: string): string[] {
  const words = Array.from(text.matchAll(word), ([found]) => ({ found, form: folded(found) }));
  return terms.map((term) => words.find(({ form }) => isForm(form, folded(term)))?.found ?? term);
}

/** Statements of a goal about its own material, which ask for nothing. */
const disclaimer =
  /\bfor (?:illustration|demonstration)\b|\b(?:is|are|was|were) (?:all |entirely |purely )?(?:constructed|fictional|fictitious|invented|made up|synthetic)\b|\b(?:describes?|depicts?|represents?) no real\b/i;
const sentence = /[^.!?]+[.!?]*/g;

/** Number words as the index has them. */
const numbers = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
const numberWords = numbers.map((word) => new RegExp(`\\b${word}\\b`, 'gi'));
const withDigits = (text: string): string =>
  numberWords.reduce((shown, word, number) => shown.replace(word, String(number)), text);

type Coverage = Readonly<Record<'terms' | 'uncovered', readonly string[]>>;

/** Words of English questions that no answer repeats. In other languages the index leaves them out. */
const frame = /\bhow (?:many|much|often)\b|\bwhat (?:is|are|was|were) the (?:names?|number|amount) of\b/gi;

/** Returns the coverage of what a goal asks for: terms that only its disclaimers and the frame of a question hold do not count. */
export function askedCoverage({ terms, uncovered }: Coverage, goal: string): Coverage {
  const sentences = withDigits(goal).match(sentence) ?? [];
  const disclaimers = sentences.filter((each) => disclaimer.test(each) && !each.endsWith('?'));
  const ignored = disclaimers.length === sentences.length ? [] : disclaimers;
  const asked = sentences.filter((each) => !ignored.includes(each)).join(' ');
  const has = (text: string, term: string): boolean => marked(text, [term]).some(({ hit }) => hit);
  const left = [...ignored, ...(asked.match(frame) ?? [])].join(' ');
  const counts = (term: string): boolean => has(asked.replace(frame, ''), term) || !has(left, term);
  return { terms: terms.filter(counts), uncovered: uncovered.filter(counts) };
}
