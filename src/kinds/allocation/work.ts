/** The work of an allocation mission: items to choose from within a budget. */
import type * as t from 'io-ts';
import * as limits from '../../base/limits.js';
import type { FieldError } from '../../base/refusal.js';
import type { Members } from '../../codec/field.js';
import { choice, flag, list, number, object, optional, required, withDefault } from '../../codec/kit.js';
import { id } from '../../codec/scalars.js';
import { duplicates, title, unit } from '../fields.js';
import { floorScaled, numberFaults } from './decimal-grid.js';

const item = object('Item', {
  id: required(id),
  title: optional(title),
  cost: required(number(0, limits.item_cost_max)),
  value: required(number(0, limits.item_value_max)),
  risk: withDefault(number(0, limits.item_risk_max), 0),
  group: optional(id),
  requires: optional(list(id, 0, limits.item_links_max)),
  excludes: optional(list(id, 0, limits.item_links_max)),
  /** Whether the item must be chosen. */
  required: optional(flag),
});

type Item = t.TypeOf<typeof item>;

const members = {
  kind: required(choice('allocation')),
  items: required(list(item, 1, limits.items_max)),
  budget: required(number(0, limits.budget_max)),
  max_risk: optional(number(0, limits.max_risk_max)),
  unit: withDefault(unit, 'planning units'),
};

export type AllocationWork = Members<typeof members>;

export const allocationWork = object('Allocation', members, (work) => {
  const faults = [...duplicates('items', work.items), ...links(work.items), ...numberFaults(work)];
  return faults.length > 0 ? faults : clashes(work);
});

function links(items: readonly Item[]): FieldError[] {
  const known = new Set(items.map((entry) => entry.id));
  const errors: FieldError[] = [];
  items.forEach((entry, i) => {
    for (const member of ['requires', 'excludes'] as const) {
      (entry[member] ?? []).forEach((other, k) => {
        const path = `items[${i}].${member}[${k}]`;
        if (!known.has(other)) errors.push({ path, message: 'names no item of this mission' });
        else if (other === entry.id) errors.push({ path, message: 'names the item itself' });
      });
    }
  });
  return errors;
}

// What must be chosen: the required items and all that they require; and which constraints keep them apart.

const named_max = 10;

/**
 * Returns a fault for each constraint that the items which must be chosen break together. Where there is none, choosing only them keeps every
 * constraint, so the mission has a solution.
 */
function clashes({ items, budget, max_risk }: AllocationWork): FieldError[] {
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
