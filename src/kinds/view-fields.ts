/** Fields that the views of results have, and how a view is read. */
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { choice, number } from '../codec/kit.js';

/** Differences and sums of a few such numbers stay finite. */
export const finite = number(-1e300, 1e300);
export const numbers = t.array(finite);
export const proof = choice('bound', 'search', false);
export const texts = t.union([t.string, t.array(t.string)]);
/** A member that may be missing. */
export const maybe = <A>(codec: t.Type<A, unknown>): t.Type<A | undefined, unknown> => t.union([codec, t.undefined]);

/** Returns the value as the codec sees it, or null when it is something else. */
export function viewOf<A>(codec: t.Type<A, unknown>, value: unknown): A | null {
  const decoded = codec.decode(value);
  return E.isRight(decoded) ? decoded.right : null;
}
