/** The lanes of a schedule's chart. */
import type { MachineView, Operation } from '../../../../kinds/schedule/view.js';

/**
 * Returns the place of an operation on the machine above or below, the one nearest in time; the place it came from at the first and the last
 * machine. Places count the operations machine by machine.
 */
export function acrossLanes(machines: readonly Pick<MachineView, 'operations'>[], from: number, way: -1 | 1): number {
  const firsts: number[] = [];
  let count = 0;
  for (const { operations } of machines) {
    firsts.push(count);
    count += operations.length;
  }
  const lane = firsts.findLastIndex((first) => first <= from);
  const here = machines[lane]?.operations[from - (firsts[lane] ?? 0)];
  const others = machines[lane + way]?.operations ?? [];
  if (here === undefined || others.length === 0) return from;
  const middle = ({ start, end }: Operation): number => start + end;
  let nearest = 0;
  for (const [i, other] of others.entries()) {
    const best = others[nearest];
    if (best !== undefined && Math.abs(middle(other) - middle(here)) < Math.abs(middle(best) - middle(here))) nearest = i;
  }
  return (firsts[lane + way] ?? 0) + nearest;
}
