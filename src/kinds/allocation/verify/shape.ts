/** Reading of an untrusted result: exact members and types, or a fault. Shares nothing with the engine. */
export class Fault extends Error {}

export type Members = Readonly<Record<string, unknown>>;

export function need(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Fault(what);
}

/** Returns the value as an object with exactly these members. */
export function members(value: unknown, path: string, names: readonly string[]): Members {
  need(typeof value === 'object' && value !== null && !Array.isArray(value), `${path} must be an object`);
  const keys = Object.keys(value);
  need(
    keys.length === names.length && names.every((name) => Object.hasOwn(value, name)),
    `${path} must have the members ${names.join(', ')}`,
  );
  return value as Members;
}

export function list(value: unknown, path: string, length_max: number): readonly unknown[] {
  need(Array.isArray(value) && value.length <= length_max, `${path} must be a list of at most ${length_max}`);
  return value;
}

export function text(value: unknown, path: string): string {
  need(typeof value === 'string', `${path} must be a text`);
  return value;
}

export function number(value: unknown, path: string): number {
  need(typeof value === 'number' && Number.isFinite(value), `${path} must be a number`);
  return value;
}

export function equal(actual: unknown, expected: unknown, path: string): void {
  need(Object.is(actual, expected), `${path} is ${show(actual)}, recomputed as ${show(expected)}`);
}

const show = (value: unknown): string => (typeof value === 'number' || typeof value === 'string' ? String(value) : typeof value);
