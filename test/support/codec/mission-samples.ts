/** The smallest valid mission of each kind, and the means to change one value of it. */
import type { Kind } from '../../../src/codec/kinds.js';

export type Path = readonly (string | number)[];

const works: Readonly<Record<Kind, () => Record<string, unknown>>> = {
  research: () => ({ kind: 'research', sources: [{ id: 's1', title: 'Tide tables', text: 'High water is at six.' }] }),
  allocation: () => ({
    kind: 'allocation',
    items: [
      { id: 'a', cost: 1, value: 1 },
      { id: 'b', cost: 1, value: 1 },
    ],
    budget: 1,
  }),
  schedule: () => ({ kind: 'schedule', jobs: [{ id: 'j1', operations: [{ machine: 'm1', duration: 1 }] }] }),
  forecast: () => ({ kind: 'forecast', observations: Array.from({ length: 12 }, (_, i) => i) }),
  code: () => ({ kind: 'code', heldout: [{ args: [], expected: 0 }] }),
};

export const minimal = (kind: Kind): Record<string, unknown> => ({ goal: 'try', work: works[kind]() });

/** `work.items[0].cost`, as refusals name it. */
export const shown = (path: Path): string =>
  path.reduce<string>((text, key) => text + (typeof key === 'number' ? `[${key}]` : text === '' ? key : `.${key}`), '');

/** A copy with the value at `path` set; absent containers on the way are made. */
export function withValue(document: unknown, path: Path, value: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (typeof key === 'number') {
    const list: unknown[] = Array.isArray(document) ? [...(document as unknown[])] : [];
    list[key] = withValue(list[key], rest, value);
    return list;
  }
  const members = (typeof document === 'object' && document !== null ? document : {}) as Record<string, unknown>;
  return { ...members, [key]: withValue(members[key], rest, value) };
}

/** A copy without the member at `path`. */
export function without(document: unknown, path: Path): unknown {
  const parent = path.slice(0, -1);
  const last = path.at(-1);
  let members: unknown = document;
  for (const key of parent) members = (members as Record<string | number, unknown>)[key];
  const rest = Object.entries(members as Record<string, unknown>).filter(([name]) => name !== last);
  return withValue(document, parent, Object.fromEntries(rest));
}
