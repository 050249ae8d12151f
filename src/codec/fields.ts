/** Fields made from others, with their types kept. */
import type * as t from 'io-ts';
import type { Field, Fields } from './field.js';
import { required } from './kit.js';

type AllRequired<F extends Fields> = { readonly [K in keyof F]: Field<t.TypeOf<F[K]['codec']>, 'required'> };

/** The same members, none of them optional: a response fills in every default. */
export const allRequired = <F extends Fields>(fields: F): AllRequired<F> =>
  Object.fromEntries(Object.entries(fields).map(([name, { codec }]) => [name, required(codec)])) as AllRequired<F>;

/** One required member of the same codec for each name. */
export const requiredFor = <K extends string, A>(
  names: readonly K[],
  codec: t.Type<A, unknown>,
): Readonly<Record<K, Field<A, 'required'>>> =>
  Object.fromEntries(names.map((name) => [name, required(codec)])) as Record<K, Field<A, 'required'>>;
