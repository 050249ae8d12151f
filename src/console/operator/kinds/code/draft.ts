/** What the form of a code mission holds, and the work that it makes. */
import { draftFor } from '../shared/work.js';

const jsonText = /"(?:\\.|[^"\\])*"/g;
const numberToken = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Returns whether JSON holds an integral number with a fraction or an exponent, or -0, which sending its value would rewrite. */
export const isRewritten = (text: string): boolean =>
  [...text.replaceAll(jsonText, '').matchAll(numberToken)].some(
    ([token]) => Number.isInteger(Number(token)) && !/^(?:0|-?[1-9]\d*)$/.test(token),
  );

/** Cases whose numbers would be rewritten stay text, which is not a list of cases. */
const cases = { read: (text: string, byCodec: unknown) => (isRewritten(text) ? text : byCodec) };

export const draft = draftFor(
  'code',
  { language: 'python', candidate: '', examples: '', heldout: '' },
  { editors: { examples: cases, heldout: cases } },
);
