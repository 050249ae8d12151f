/** Every result that differs from `value` in one number, text, flag, member or list entry. */
export interface Mutation {
  readonly path: string;
  readonly value: unknown;
}

export function* mutations(value: unknown, path = ''): Generator<Mutation> {
  if (typeof value === 'number') {
    for (const other of [value + 1, value - 1, value * (1 + 1e-9) + 1e-9, -value - 1, Number.NaN, String(value)])
      yield { path, value: other };
  } else if (typeof value === 'string') {
    for (const other of [`${value}x`, value.slice(1), value.length]) if (other !== value) yield { path, value: other };
    if (value === '') yield { path, value: null };
  } else if (typeof value === 'boolean' || value === null) {
    yield { path, value: value === null ? 0 : 'yes' };
  } else if (Array.isArray(value)) {
    const items = value as unknown[];
    yield { path: `${path}[+]`, value: [...items, items[0] ?? 'more'] };
    for (const [i, item] of items.entries()) {
      yield { path: `${path}[-${i}]`, value: items.filter((_, k) => k !== i) };
      for (const m of mutations(item, `${path}[${i}]`))
        yield { path: m.path, value: items.map((old, k) => (k === i ? m.value : old)) };
    }
  } else if (typeof value === 'object') {
    yield { path: `${path}.+`, value: { ...value, more: 1 } };
    for (const [key, member] of Object.entries(value)) {
      yield { path: `${path}.-${key}`, value: Object.fromEntries(Object.entries(value).filter(([name]) => name !== key)) };
      for (const m of mutations(member, `${path}.${key}`)) yield { path: m.path, value: { ...value, [key]: m.value } };
    }
  }
}
