/** What the checks of every research result are made of. */
import { sha256Hex } from '../../../base/hash.js';
import type { EngineInput, Verify } from '../../../engines/engine.js';
import type { ResearchWork } from '../work.js';

/** The failure of a check. */
class Fault extends Error {}

export function need(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Fault(what);
}

type Members = Readonly<Record<string, unknown>>;

export function members(value: unknown, path: string, names: readonly string[]): Members {
  need(typeof value === 'object' && value !== null && !Array.isArray(value), `${path} must be an object`);
  const keys = Object.keys(value);
  need(
    keys.length === names.length && names.every((name) => keys.includes(name)),
    `${path} must have the members ${names.join(', ')}`,
  );
  return value as Members;
}

export function list(value: unknown, path: string): readonly unknown[] {
  need(Array.isArray(value), `${path} must be a list`);
  return value;
}

export function same(value: unknown, expected: readonly string[], path: string): void {
  const entries = list(value, path);
  need(
    entries.length === expected.length && entries.every((entry, i) => entry === expected[i]),
    `${path} differs from ${expected.join(', ')}`,
  );
}

/** Checks that the sources are those of the request. */
export function sources(value: unknown, work: ResearchWork): void {
  const entries = list(value, 'sources');
  need(entries.length === work.sources.length, 'sources differ from the request');
  for (const [k, source] of work.sources.entries()) {
    const entry = members(entries[k], `sources[${k}]`, ['id', 'title', 'url', 'sha256']);
    const { id, title, url } = entry;
    need(id === source.id && title === source.title && url === source.url, `sources[${k}] differs from the request`);
    need(entry.sha256 === sha256Hex(source.text), `sources[${k}].sha256 is not that of the text`);
  }
}

/** Checks the terms of the goal, and those that no finding covers. */
export function coverage(value: unknown, terms: readonly string[], covered: readonly string[]): void {
  const entry = members(value, 'coverage', ['terms', 'uncovered']);
  same(entry.terms, terms, 'coverage.terms');
  same(
    entry.uncovered,
    terms.filter((term) => !covered.includes(term)),
    'coverage.uncovered',
  );
}

/** Returns a verifier. @param check notes the checks that passed, up to the one that fails */
export const verifyWith =
  (check: (input: EngineInput<ResearchWork>, untrusted: unknown, checks: string[]) => void): Verify<ResearchWork> =>
  (input, result) => {
    const checks: string[] = [];
    try {
      check(input, result, checks);
      return { passed: true, checks, failure: null };
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      return { passed: false, checks, failure: error.message };
    }
  };
