/** Small changes of a JSON document, one at a time. */
import { fullEffort } from '../effort.js';

export type Path = readonly (string | number)[];

/** Every leaf with its path. */
export function* leaves(value: unknown, path: Path = []): Generator<readonly [Path, unknown]> {
  if (typeof value !== 'object' || value === null) yield [path, value];
  else for (const [key, item] of Object.entries(value)) yield* leaves(item, [...path, Array.isArray(value) ? Number(key) : key]);
}

/** A copy with the value at `path` changed; undefined takes the member away. */
export function changed(document: unknown, path: Path, change: (value: unknown) => unknown): unknown {
  const copy = structuredClone(document);
  let holder = copy as Record<string | number, unknown>;
  for (const key of path.slice(0, -1)) holder = holder[key] as Record<string | number, unknown>;
  const last = path.at(-1) ?? '';
  const value = change(holder[last]);
  if (value !== undefined) holder[last] = value;
  else if (Array.isArray(holder)) holder.splice(Number(last), 1);
  else delete holder[last];
  return copy;
}

/** Other values of the same type. */
export function mutants(value: unknown): readonly unknown[] {
  if (typeof value === 'number') return [value + 1, -value - 1, value + 0.5];
  if (typeof value === 'boolean') return [!value];
  if (typeof value !== 'string') return [0, 'null'];
  const middle = value.length >> 1;
  const other = value[middle] === 'a' ? 'b' : 'a';
  return [
    `${value} `,
    value.slice(0, -1),
    ` ${value}`,
    value.slice(0, middle) + other + value.slice(middle + 1),
    value.toUpperCase(),
  ].filter((mutant) => mutant !== value);
}

/**
 * Every change of every leaf. The short run has one of each, of another kind at each next leaf.
 * @param isWhole which leaves have every change in the short run too
 */
export const mutations = (
  document: unknown,
  isWhole: (path: Path) => boolean = () => false,
): readonly (readonly [Path, unknown])[] =>
  [...leaves(document)].flatMap(([path, leaf], i) => {
    const all = mutants(leaf);
    return (fullEffort || isWhole(path) ? all : [all[i % all.length]]).map((mutant) => [path, mutant] as const);
  });

/** The paths of every member and item. */
export function* paths(value: unknown, path: Path = []): Generator<Path> {
  if (path.length > 0) yield path;
  if (typeof value !== 'object' || value === null) return;
  for (const [key, item] of Object.entries(value)) yield* paths(item, [...path, Array.isArray(value) ? Number(key) : key]);
}
