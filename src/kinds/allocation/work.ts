/** The work of an allocation mission: items to choose from within a budget. */
import type * as t from 'io-ts';
import * as limits from '../../base/limits.js';
import type { FieldError } from '../../base/refusal.js';
import { choice, flag, list, number, object, optional, required, withDefault } from '../../codec/kit.js';
import { id } from '../../codec/scalars.js';
import { duplicates, title, unit } from '../fields.js';
import { numberFaults } from './decimal-grid.js';
import { clashes } from './must.js';

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

export const allocationWork = object(
  'Allocation',
  {
    kind: required(choice('allocation')),
    items: required(list(item, 1, limits.items_max)),
    budget: required(number(0, limits.budget_max)),
    max_risk: optional(number(0, limits.max_risk_max)),
    unit: withDefault(unit, 'planning units'),
  },
  (work) => {
    const faults = [...duplicates('items', work.items), ...links(work.items), ...numberFaults(work)];
    return faults.length > 0 ? faults : clashes(work);
  },
);

export type AllocationWork = t.TypeOf<typeof allocationWork>;

interface Linked {
  readonly id: string;
  readonly requires?: readonly string[];
  readonly excludes?: readonly string[];
}

function links(items: readonly Linked[]): FieldError[] {
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
