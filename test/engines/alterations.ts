/** Sixty alterations of a result, drawn with a fixed seed: changed, missing and added members, and entries of its lists in another order. */
import { prng } from '../../src/base/prng.js';
import { type Mutation, mutations } from './mutations.js';

/** Every result in which two neighbours of a list, or one member of them, are exchanged. */
function* exchanges(value: unknown, path = ''): Generator<Mutation> {
  if (typeof value !== 'object' || value === null) return;
  const entries = Object.entries(value as Readonly<Record<string, unknown>>);
  const rebuilt = (change: Readonly<Record<string, unknown>>): unknown =>
    Array.isArray(value)
      ? (value as unknown[]).map((old, i) => (String(i) in change ? change[i] : old))
      : { ...value, ...change };
  for (const [i, [key, member]] of entries.entries()) {
    const at = Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`;
    for (const { path: inner, value: other } of exchanges(member, at)) yield { path: inner, value: rebuilt({ [key]: other }) };
    const [nextKey = '', next] = entries[i + 1] ?? [];
    if (!Array.isArray(value) || next === undefined || JSON.stringify(next) === JSON.stringify(member)) continue;
    yield { path: `${at}<>`, value: rebuilt({ [key]: next, [nextKey]: member }) };
    if (typeof member !== 'object' || typeof next !== 'object' || member === null || next === null || Array.isArray(member))
      continue;
    for (const name of Object.keys(member)) {
      const [mine, other] = [Reflect.get(member, name), Reflect.get(next, name)] as unknown[];
      if (mine === undefined || other === undefined || JSON.stringify(mine) === JSON.stringify(other)) continue;
      yield {
        path: `${at}.${name}<>`,
        value: rebuilt({ [key]: { ...member, [name]: other }, [nextKey]: { ...next, [name]: mine } }),
      };
    }
  }
}

/** Returns `count` alterations, in turn of every top-level member and of every sort, each at a drawn place. */
export function alterations(result: unknown, count: number): Mutation[] {
  const sorts = new Map<string, Mutation[]>();
  for (const each of [...mutations(result), ...exchanges(result)]) {
    const member = /^\.[-+]?\w*/.exec(each.path)?.[0] ?? '';
    const sort = `${member} ${each.path.endsWith('<>')}`;
    sorts.set(sort, [...(sorts.get(sort) ?? []), each]);
  }
  const random = prng(60, count);
  const drawn: Mutation[] = [];
  while (drawn.length < count) {
    const left = [...sorts.values()].filter((list) => list.length > 0);
    if (left.length === 0) return drawn;
    for (const list of left.slice(0, count - drawn.length)) drawn.push(...list.splice(random.below(list.length), 1));
  }
  return drawn;
}
