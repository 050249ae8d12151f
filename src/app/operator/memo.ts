/** Answers that are asked for again and again while nothing changes. */
import { dataVersionOf } from '../home/data-version.js';
import type { Home } from '../home/home.js';

const kept_max = 64;

/** A text that is another one once any connection committed: SQLite's `data_version` tells of others, the head of this one. */
export function versionReader({ db, writer }: Pick<Home, 'db' | 'writer'>): () => string {
  const version = dataVersionOf(db);
  return () => `${String(version.lately())} ${writer.head.hash}`;
}

/** Returns what `make` made of an equal question (as JSON) under the same version; the oldest are forgotten. */
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
