/** The shape of the example missions. */
import type { Kind } from '../codec/kinds.js';

/** An example mission of a kind: a request before its defaults are filled in. */
export interface Example<K extends Kind> {
  readonly goal: string;
  readonly work: { readonly kind: K } & Readonly<Record<string, unknown>>;
  readonly seed?: number;
  readonly population?: number;
  readonly generations?: number;
}
