/** What must be chosen: the required items and all that they require; and which constraints keep them apart. */
import type { FieldError } from '../../base/refusal.js';
import { floorScaled } from './decimal-grid.js';

interface Item {
  readonly id: string;
  readonly cost: number;
  readonly risk: number;
  readonly group?: string;
  readonly requires?: readonly string[];
  readonly excludes?: readonly string[];
  readonly required?: boolean;
}

interface Limited {
  readonly items: readonly Item[];
  readonly budget: number;
  readonly max_risk?: number;
}

const named_max = 10;

/**
 * Returns a fault for each constraint that the items which must be chosen break together. Where there is none, choosing only them keeps every
 * constraint, so the mission has a solution.
 */
export function clashes({ items, budget, max_risk }: Limited): FieldError[] {
  const must = mustHaves(items);
  if (must.size === 0) return [];
  const chosen = items.flatMap((item, i) => (must.has(item.id) ? [{ item, i }] : []));
  return [
    ...chosen.flatMap(({ item, i }) =>
      (item.excludes ?? []).flatMap((other, k) => {
        const cause = must.get(other);
        return cause === undefined
          ? []
          : [{ path: `items[${i}].excludes[${k}]`, message: `${other} must be chosen too: ${must.get(item.id)}, ${cause}` }];
      }),
    ),
    ...groupClashes(chosen, must),
    ...overLimit('budget', 'cost', budget, chosen),
    ...(max_risk === undefined ? [] : overLimit('max_risk', 'risk', max_risk, chosen)),
  ];
}

/** Why an item must be chosen, by its id. */
type Causes = ReadonlyMap<string, string>;

function mustHaves(items: readonly Item[]): Causes {
  const byId = new Map(items.map((item) => [item.id, item]));
  const causes = new Map<string, string>();
  const open = items.filter(({ required }) => required === true);
  for (const { id } of open) causes.set(id, `${id} is required`);
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    for (const id of item.requires ?? []) {
      const next = byId.get(id);
      if (next === undefined || causes.has(id)) continue;
      causes.set(id, `${item.id} requires ${id}`);
      open.push(next);
    }
  }
  return causes;
}

type Chosen = readonly { readonly item: Item; readonly i: number }[];

function groupClashes(chosen: Chosen, must: Causes): FieldError[] {
  const first = new Map<string, string>();
  return chosen.flatMap(({ item: { id, group }, i }) => {
    if (group === undefined) return [];
    const other = first.get(group);
    if (other === undefined) first.set(group, id);
    return other === undefined
      ? []
      : [
          {
            path: `items[${i}].group`,
            message: `${other} of the same group must be chosen too: ${must.get(other)}, ${must.get(id)}`,
          },
        ];
  });
}

function overLimit(path: string, member: 'cost' | 'risk', limit: number, chosen: Chosen): FieldError[] {
  const total = chosen.reduce((sum, { item }) => sum + floorScaled(item[member], 6), 0n);
  if (total <= floorScaled(limit, 6)) return [];
  const ids = chosen.filter(({ item }) => item[member] > 0).map(({ item }) => item.id);
  const names =
    ids.length <= named_max ? ids.join(', ') : `${ids.slice(0, named_max).join(', ')} and ${ids.length - named_max} more`;
  return [{ path, message: `is less than the ${member} of what must be chosen, ${Number(total) / 1e6}: ${names}` }];
}
