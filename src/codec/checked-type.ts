import * as t from 'io-ts';
import { fault } from './faults.js';

/** A type that one predicate decides: the value is accepted unchanged, or refused with the message that `complaint` returns. */
export class CheckedType<A> extends t.Type<A, unknown, unknown> {
  constructor(name: string, is: (u: unknown) => u is A, complaint: (u: unknown) => string, faultOf: typeof fault = fault) {
    super(
      name,
      is,
      (u, c) => (is(u) ? t.success(u) : t.failures([faultOf(u, c, complaint(u))])),
      (a) => a,
    );
  }
}

/** Whether each item passes the test: quicker than a context for each, which matters in a list of a million numbers. */
export function areAll<A>(items: readonly unknown[], is: t.Is<A>): items is readonly A[] {
  for (let i = 0; i < items.length; i++) if (!is(items[i])) return false; // not `every`, which skips holes
  return true;
}
