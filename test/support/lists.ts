/** What tests ask of lists, and lists of what is to be ended. */
import assert from 'node:assert/strict';

/** One member of each item. */
export const membersOf = <K extends string>(items: Iterable<{ readonly [P in K]?: unknown }>, name: K): unknown[] =>
  Array.from(items, (item) => item[name]);

/** Asserts that a list holds nothing of a kind; otherwise the error shows what it holds. */
export const assertNone = <A>(items: Iterable<A>, isOf: (item: A) => boolean, message?: string): void =>
  assert.deepEqual([...items].filter(isOf), [], message);

/** Returns what keeps a thing until the end of its test, when `end` is called with it. */
export function keptForEach<A>(end: (thing: A) => unknown): <B extends A>(thing: B) => B {
  const kept: A[] = [];
  afterEach(async () => {
    for (const each of kept.splice(0)) await end(each);
  });
  return (thing) => (kept.push(thing), thing);
}
