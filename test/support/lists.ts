/** What tests ask of lists. */
import assert from 'node:assert/strict';

/** One member of each item. */
export const membersOf = <A, K extends keyof A>(items: Iterable<A>, name: K): A[K][] => Array.from(items, (item) => item[name]);

/** Asserts that a list holds nothing of a kind; otherwise the error shows what it holds. */
export const assertNone = <A>(items: Iterable<A>, isOf: (item: A) => boolean, message?: string): void =>
  assert.deepEqual([...items].filter(isOf), [], message);
