/** Caches results that are requested repeatedly while nothing changes. */

const kept_max = 64;

/** Returns a cached `make`: equal questions (as JSON) under the same version share a result; the oldest results are dropped. */
export function memo<Q, A>(version: () => string, make: (question: Q) => A): (question: Q) => A {
  let at = '';
  const kept = new Map<string, A>();
  return (question) => {
    const key = JSON.stringify(question);
    const now = version();
    if (now !== at) kept.clear();
    at = now;
    const known = kept.get(key);
    if (known !== undefined) return known;
    const made = make(question);
    const [oldest] = kept.keys();
    if (kept.size >= kept_max && oldest !== undefined) kept.delete(oldest);
    kept.set(key, made);
    return made;
  };
}
