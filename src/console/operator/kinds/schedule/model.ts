/** A schedule by machine. */
import { namesOf } from '../../../../kinds/view-fields.js';
import type { ScheduleInput, ScheduleView } from '../../../../kinds/schedule/view.js';

export type Operation = ScheduleView['operations'][number];

export interface Machine {
  readonly id: string;
  readonly name: string;
  readonly operations: readonly Operation[];
  /** Share of the whole time that it works. */
  readonly busy: number;
}

/** Returns the machines in the order of their first operation in the result. */
export function machinesOf({ operations, makespan }: ScheduleView, input: ScheduleInput | null): Machine[] {
  const machines = new Map<string, Operation[]>();
  for (const operation of operations) {
    const own = machines.get(operation.machine);
    if (own === undefined) machines.set(operation.machine, [operation]);
    else own.push(operation);
  }
  const nameOf = namesOf(input?.machines);
  return [...machines].map(([id, own]) => {
    const worked = own.reduce((sum, { start, end }) => sum + Math.max(0, end - start), 0);
    return {
      id,
      name: nameOf(id),
      operations: own.toSorted((a, b) => a.start - b.start),
      busy: makespan > 0 ? worked / makespan : 0,
    };
  });
}

/**
 * Returns the place of an operation on the machine above or below, the one nearest in time; the place it came from at the first and the last
 * machine. Places count the operations machine by machine.
 */
export function acrossLanes(machines: readonly Pick<Machine, 'operations'>[], from: number, way: -1 | 1): number {
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
