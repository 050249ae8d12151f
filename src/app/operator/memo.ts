/** Answers that are asked for again and again while nothing changes. */
import { dataVersionOf } from '../home/data-version.js';
import type { Home } from '../home/home.js';

const kept_max = 64;

/** A text that is another one once any connection committed: SQLite's `data_version` tells of others, the head of this one. */
export function versionReader({ db, writer }: Pick<Home, 'db' | 'writer'>): () => string {
  const version = dataVersionOf(db);
  return () => `${String(version.lately())} ${writer.head.hash}`;
}

/** Answers what `make` made of the same key under the same version; the oldest are forgotten. */
export function memo<A>(version: () => string, make: (key: string) => A): (key: string) => A {
  let at = '';
  const kept = new Map<string, A>();
  return (key) => {
    const now = version();
    if (now !== at) kept.clear();
    at = now;
    const known = kept.get(key);
    if (known !== undefined) return known;
    const made = make(key);
    const [oldest] = kept.keys();
    if (kept.size >= kept_max && oldest !== undefined) kept.delete(oldest);
    kept.set(key, made);
    return made;
  };
}
