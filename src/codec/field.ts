/** The members of an object codec, and the type of the decoded object. */
import type * as t from 'io-ts';

export interface Field<A, K extends 'required' | 'optional' | 'default' = 'required' | 'optional' | 'default'> {
  readonly codec: t.Type<A, unknown>;
  readonly kind: K;
  readonly fallback?: A;
  /** The version that added the member; absent for one that was there from the beginning. */
  readonly since?: string;
  /** What it means, in the OpenAPI document. */
  readonly description?: string;
}

export interface AnyField {
  readonly codec: t.Mixed;
  readonly kind: 'required' | 'optional' | 'default';
  readonly fallback?: unknown;
  readonly since?: string;
  readonly description?: string;
}
export type Fields = Readonly<Record<string, AnyField>>;
type OptionalKeys<F extends Fields> = { [K in keyof F]: F[K]['kind'] extends 'optional' ? K : never }[keyof F];
export type Members<F extends Fields> = { readonly [K in Exclude<keyof F, OptionalKeys<F>>]: t.TypeOf<F[K]['codec']> } & {
  readonly [K in OptionalKeys<F>]?: t.TypeOf<F[K]['codec']>;
};
