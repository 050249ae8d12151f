/** Verifiers that check what a result claims. A check throws at the first claim that does not hold. */
import type * as t from 'io-ts';
import { isRefused } from '../base/refusal.js';
import { decode } from '../codec/kit.js';
import type { EngineInput, Verification, Verify } from '../engines/engine.js';

class Refuted extends Error {}

export function need(condition: boolean, otherwise: string): asserts condition {
  if (!condition) throw new Refuted(otherwise);
}

export function equal(given: unknown, expected: unknown, path: string): void {
  need(Object.is(given, expected), `${path} is ${String(given)}, recomputed as ${String(expected)}`);
}

/** Returns the result that untrusted JSON is, with exactly the members of its codec. */
export function readClaim<A>(codec: t.Decoder<unknown, A>, result: unknown): A {
  const decoded = decode(codec, result);
  if (!isRefused(decoded)) return decoded.right;
  const { detail, errors: [first] = [] } = decoded.left;
  throw new Refuted(first === undefined ? detail : `${first.path} ${first.message}`);
}

export const isSame = (given: readonly unknown[], expected: readonly unknown[]): boolean =>
  given.length === expected.length && given.every((value, i) => value === expected[i]);

/** Returns the checks that passed, up to the one that fails. @param check calls `passed` with each that did */
export function verified(check: (passed: (check: string) => void) => void): Verification {
  const checks: string[] = [];
  try {
    check((passed) => checks.push(passed));
    return { passed: true, checks, failure: null };
  } catch (error) {
    if (!(error instanceof Refuted)) throw error;
    return { passed: false, checks, failure: error.message };
  }
}

/** Returns a verifier. */
export const claimsVerifier =
  <Work>(check: (input: EngineInput<Work>, result: unknown, passed: (check: string) => void) => void): Verify<Work> =>
  (input, result) =>
    verified((passed) => check(input, result, passed));
