/** Decoding of what a newer program wrote: unknown members are left out, at every depth. */
import * as E from 'fp-ts/lib/Either.js';
import type * as t from 'io-ts';
import type { Result } from '../base/result.js';
import { refusalOf, UnknownFault } from './faults.js';
import { tolerant } from './tolerant.js';

/** The result of decoding a value that may hold more than its codec knows. */
export interface Reading<A> {
  /** Null when a known member holds a choice that is not known: then the value cannot be read at all. */
  readonly value: A | null;
  /** Describes the first unknown member or choice; null when there is none. */
  readonly unknown: string | null;
}

/** Reads a value with `decode`, tolerating only members and choices that its codec does not know; any other fault is a refusal. */
export function readKnown<A>(codec: t.Mixed, decode: (value: unknown) => Result<A>, value: unknown): Result<Reading<A>> {
  const whole = decode(value);
  if (E.isRight(whole)) return E.right({ value: whole.right, unknown: null });
  const strict = codec.decode(value);
  if (E.isRight(strict)) return whole;
  const wrong = strict.left.filter((fault) => !(fault instanceof UnknownFault));
  if (wrong.length > 0) return E.left(refusalOf(wrong));
  const without = tolerant(codec).decode(value);
  const known = decode(E.isRight(without) ? without.right : value);
  return E.right({ value: E.isRight(known) ? known.right : null, unknown: refusalOf(strict.left).detail });
}
