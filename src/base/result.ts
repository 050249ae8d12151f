/**
 * Refusals, returned or thrown. Pure code (base, codec, domain, engines) returns a `Result`: `Right` has the value, `Left` the refusal. Everything
 * above throws `RefusalError`. docs/decisions/0012 says why.
 */
import * as E from 'fp-ts/lib/Either.js';
import type { Refusal, RefusalCode } from './refusal.js';

export type Result<A, R extends Refusal = Refusal> = E.Either<R, A>;
export const ok = <A>(value: A): Result<A> => E.right(value);
export const refuse = <R extends Refusal>(refusal: R): Result<never, R> => E.left(refusal);
export const isRefused = E.isLeft;

/** Returns the value of a result. @throws RefusalError with the refusal of one that has none */
export function unwrap<A>(result: Result<A>): A {
  if (E.isLeft(result)) throw new RefusalError(result.left);
  return result.right;
}

/** A refusal on its way to the boundary, where one handler converts it; thrown in a journal command, it undoes that command. */
export class RefusalError extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal);
  constructor(code: RefusalCode, detail: string, more?: Omit<Refusal, 'code' | 'detail'>);
  constructor(given: Refusal | RefusalCode, detail = '', more = {}) {
    const refusal = typeof given === 'string' ? { code: given, detail, ...more } : given;
    super(`${refusal.code}: ${refusal.detail}`);
    this.name = 'RefusalError';
    this.refusal = refusal;
  }
}
