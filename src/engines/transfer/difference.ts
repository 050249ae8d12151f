/** Finds the first difference between two JSON values. */
import { canonicalJson } from '../../base/canonical-json.js';
import { isObject } from '../../codec/faults.js';

/** Returns the path of the first difference, or null. */
export function firstDifference(expected: unknown, actual: unknown, path: string): string | null {
  if (Array.isArray(expected) && Array.isArray(actual)) {
    if (expected.length !== actual.length) return path;
    return first(expected.map((item, i) => () => firstDifference(item, actual[i], `${path}[${i}]`)));
  }
  if (isObject(expected) && isObject(actual)) {
    const names = [...new Set([...Object.keys(expected), ...Object.keys(actual)])].sort();
    return first(
      names.map((name) => () => {
        const at = path === '' ? name : `${path}.${name}`;
        const both = Object.hasOwn(expected, name) && Object.hasOwn(actual, name);
        return both ? firstDifference(expected[name], actual[name], at) : at;
      }),
    );
  }
  return canonicalJson(expected) === canonicalJson(actual) ? null : path;
}

function first(checks: readonly (() => string | null)[]): string | null {
  for (const check of checks) {
    const found = check();
    if (found !== null) return found;
  }
  return null;
}
