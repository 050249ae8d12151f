/** Fields that the views of results have, and the function that reads a view. */
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { choice, number } from '../codec/kit.js';

/** Differences and sums of a few such numbers stay finite. */
export const finite = number(-1e300, 1e300);
export const numbers = t.array(finite);
export const proof = choice('bound', 'search', false);
export const texts = t.union([t.string, t.array(t.string)]);
/** Returns the codec of an optional member. */
export const maybe = <A>(codec: t.Type<A, unknown>): t.Type<A | undefined, unknown> => t.union([codec, t.undefined]);

/** Returns the decoded value, or null when the value does not fit the codec. */
export function viewOf<A>(codec: t.Type<A, unknown>, value: unknown): A | null {
  const decoded = codec.decode(value);
  return E.isRight(decoded) ? decoded.right : null;
}

interface IdAndTitle {
  readonly id: string;
  readonly title?: string | undefined;
}

/** Returns what people call the thing with an id: its title, beside the id where several things have that title; the id without one. */
export function namesOf(things: readonly IdAndTitle[] = []): (id: string) => string {
  const counts = new Map<string, number>();
  for (const { title } of things) if (title !== undefined) counts.set(title, (counts.get(title) ?? 0) + 1);
  const names = new Map<string, string>();
  for (const { id, title } of things)
    if (title !== undefined) names.set(id, counts.get(title) === 1 ? title : `${title} (${id})`);
  return (id) => names.get(id) ?? id;
}
