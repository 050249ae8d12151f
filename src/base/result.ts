/** Expected outcomes are values: `Right` carries the answer, `Left` the refusal. Faults are thrown. */
import * as E from 'fp-ts/lib/Either.js';
import type { Refusal } from './refusal.js';

export type Result<A> = E.Either<Refusal, A>;
export const ok = <A>(value: A): Result<A> => E.right(value);
export const refuse = (refusal: Refusal): Result<never> => E.left(refusal);
export const isRefused = E.isLeft;

/** The answer, or the refusal thrown as an exception: for the edge, where one handler turns it into an exit code. */
export function unwrap<A>(result: Result<A>): A {
  if (E.isLeft(result)) throw new RefusalError(result.left);
  return result.right;
}

/** Carries a refusal up to the edge (or out of a transaction, which it rolls back). */
export class RefusalError extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(`${refusal.code}: ${refusal.detail}`);
    this.name = 'RefusalError';
    this.refusal = refusal;
  }
}
