/** The reference agent's rule for allocations: known items, each once, whose exact sums are those of the result, within the limits. */
import type { ReferenceRules } from '../kind.js';
import type { AllocationWork } from './work.js';
import { need } from '../claims.js';
import { listOf, memberOf, numberOf, textOf, type ReferenceResult } from '../reading.js';

const sums = ['cost', 'value', 'risk'] as const;
const numberToken = /^(\d+)(?:\.0+)?$/;

function checkAllocation(work: AllocationWork, { node, text }: ReferenceResult): readonly string[] {
  const items = new Map(work.items.map((item) => [item.id, item]));
  const selected = listOf(memberOf(node, 'selected', ''), 'selected').map((id, i) => textOf(id, `selected[${i}]`));
  need(new Set(selected).size === selected.length, 'selected holds an item twice');
  const chosen = selected.map((id, i) => {
    const item = items.get(id);
    need(item !== undefined, `selected[${i}] names no item of the mission`);
    return item;
  });
  const total = { cost: 0n, value: 0n, risk: 0n };
  for (const item of chosen) for (const name of sums) total[name] += whole(item[name], `${name} of item ${item.id}`);
  for (const name of sums) {
    const stated = memberOf(node, name, '');
    numberOf(stated, name);
    const token = numberToken.exec(text.slice(stated.start, stated.end))?.[1];
    need(token !== undefined && BigInt(token) === total[name], `${name} is not the sum over the selected items, ${total[name]}`);
  }
  need(total.cost <= whole(work.budget, 'budget'), 'cost is above the budget');
  need(work.max_risk === undefined || total.risk <= whole(work.max_risk, 'max_risk'), 'risk is above max_risk');
  return ['known items, each once', 'exact sums of cost, value and risk', 'budget and risk limit'];
}

/** Returns an integer value: the reference agent's items hold integers only. */
function whole(value: number, what: string): bigint {
  need(Number.isSafeInteger(value), `${what} is not an integer`);
  return BigInt(value);
}

export const allocationReference: ReferenceRules<AllocationWork> = {
  check: checkAllocation,
  solution: (_, { node }) => ({ selected: node.members?.get('selected')?.value ?? null }),
};
