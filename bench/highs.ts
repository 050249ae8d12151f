/** HiGHS (WebAssembly, one thread) as the peer of the allocation engine: its integer search with a limit on time. */
import type { Highs } from 'highs';
import type { AllocationWork } from '../src/kinds/allocation/work.js';

export interface PeerOutcome {
  /** The value of its best feasible choice. */
  readonly value: number;
  readonly bound: number;
  readonly ms: number;
}

// The package declares its types for CommonJS alone, in which a default import is one level deeper.
const { default: loadHighs } = (await import('highs')) as unknown as { readonly default: () => Promise<Highs> };
const highs = await loadHighs();

export const solveByHighs = (work: AllocationWork, seconds_max: number): PeerOutcome =>
  highs.withModel({ format: 'lp', data: program(work) }, (model) => {
    model.options.set({ output_flag: false, time_limit: seconds_max, mip_rel_gap: 0, mip_abs_gap: 0.999 });
    const start = performance.now();
    model.run();
    const ms = performance.now() - start;
    const columns = model.getSolution().colValue;
    const taken = work.items.filter((_, i) => (columns[model.getColByName(`x${i}`)] ?? 0) > 0.5);
    return { value: taken.reduce((sum, { value }) => sum + value, 0), bound: Number(model.info.get('mip_dual_bound')), ms };
  });

/** Returns the mission in CPLEX LP format. */
function program({ items, budget, max_risk }: AllocationWork): string {
  const index = new Map(items.map(({ id }, i) => [id, i]));
  const sum = (member: 'value' | 'cost' | 'risk'): string => items.map((item, i) => `${item[member]} x${i}`).join(' + ');
  const rows = [`${sum('cost')} <= ${budget}`];
  if (max_risk !== undefined) rows.push(`${sum('risk')} <= ${max_risk}`);
  const groups = new Map<string, number[]>();
  for (const [i, { group, requires = [], excludes = [] }] of items.entries()) {
    if (group !== undefined) groups.set(group, [...(groups.get(group) ?? []), i]);
    for (const id of requires) rows.push(`x${i} - x${index.get(id)} <= 0`);
    for (const id of excludes) rows.push(`x${i} + x${index.get(id)} <= 1`);
  }
  for (const members of groups.values()) rows.push(`${members.map((i) => `x${i}`).join(' + ')} <= 1`);
  const lines = rows.map((row, k) => ` r${k}: ${row}`);
  return ['Maximize', ` value: ${sum('value')}`, 'Subject To', ...lines, 'Binary', ...items.map((_, i) => ` x${i}`), 'End'].join(
    '\n',
  );
}
