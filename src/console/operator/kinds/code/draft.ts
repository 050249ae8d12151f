/** What the form of a code mission holds, and the work that it makes. */
import { memberValues } from '../../../kit/forms/values.js';
import { filled, workFields, type DraftOf, type ValuesOf } from '../shared/work.js';

export const empty: DraftOf<'code'> = { language: 'python', candidate: '', examples: '', heldout: '' };

const jsonText = /"(?:\\.|[^"\\])*"/g;
const numberToken = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Returns whether JSON holds an integral number with a fraction or an exponent, or -0, which sending its value would rewrite. */
export const isRewritten = (text: string): boolean =>
  [...text.replaceAll(jsonText, '').matchAll(numberToken)].some(
    ([token]) => Number.isInteger(Number(token)) && !/^(?:0|-?[1-9]\d*)$/.test(token),
  );

/** Cases whose numbers would be rewritten stay text, which is not a list of cases. */
export function valuesOf(draft: DraftOf<'code'>): ValuesOf<'code'> {
  const values = memberValues(workFields('code'), draft);
  const kept = (['examples', 'heldout'] as const).filter((name) => isRewritten(draft[name]));
  return { ...values, ...Object.fromEntries(kept.map((name) => [name, draft[name]])) };
}

export const fromWork = (work: Readonly<Record<string, unknown>>): DraftOf<'code'> => filled<'code'>(empty, work);
