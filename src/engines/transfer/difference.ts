/** Finds the first difference between two JSON values. */
import { canonicalJson } from '../../base/canonical-json.js';
import { isObject } from '../../codec/faults.js';

/** Returns the path of the first difference, or null. */
export function firstDifference(expected: unknown, actual: unknown, path: string): string | null {
  if (Array.isArray(expected) && Array.isArray(actual)) {
    if (expected.length !== actual.length) return path;
    for (const [i, item] of expected.entries()) {
      const found = firstDifference(item, actual[i], `${path}[${i}]`);
      if (found !== null) return found;
    }
    return null;
  }
  if (isObject(expected) && isObject(actual)) {
    for (const name of [...new Set([...Object.keys(expected), ...Object.keys(actual)])].sort()) {
      const at = path === '' ? name : `${path}.${name}`;
      const both = Object.hasOwn(expected, name) && Object.hasOwn(actual, name);
      const found = both ? firstDifference(expected[name], actual[name], at) : at;
      if (found !== null) return found;
    }
    return null;
  }
  return canonicalJson(expected) === canonicalJson(actual) ? null : path;
}
