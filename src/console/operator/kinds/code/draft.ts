/** The form of a code mission: a candidate and its cases. */
import { formFor } from '../shared/draft.js';

const jsonText = /"(?:\\.|[^"\\])*"/g;
const numberToken = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Returns whether JSON holds an integral number with a fraction or an exponent, or -0, which sending its value would rewrite. */
export const isRewritten = (text: string): boolean =>
  [...text.replaceAll(jsonText, '').matchAll(numberToken)].some(
    ([token]) => Number.isInteger(Number(token)) && !/^(?:0|-?[1-9]\d*)$/.test(token),
  );

/** Cases whose numbers would be rewritten stay text, which is not a list of cases. */
const cases = { read: (text: string, byCodec: unknown) => (isRewritten(text) ? text : byCodec) };

export const form = formFor('code', {
  parts: ['language', 'candidate', 'examples', 'heldout'],
  first: { language: 'python' },
  editors: { examples: cases, heldout: cases },
  lines: { candidate: 8, examples: 4, heldout: 4 },
  isCode: true,
});
