/** What tests ask of lists. */
import assert from 'node:assert/strict';

/** One member of each item. */
export const membersOf = <K extends string>(items: Iterable<{ readonly [P in K]?: unknown }>, name: K): unknown[] =>
  Array.from(items, (item) => item[name]);

/** Asserts that a list holds nothing of a kind; otherwise the error shows what it holds. */
export const assertNone = <A>(items: Iterable<A>, isOf: (item: A) => boolean, message?: string): void =>
  assert.deepEqual([...items].filter(isOf), [], message);
