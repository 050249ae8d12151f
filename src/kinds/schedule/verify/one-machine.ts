/**
 * The verifier's own deductions on one machine. Tasks have heads (the time before which they cannot start) and tails (the time that
 * must remain after them); a schedule fits when no chain head + work + tail exceeds the horizon. Everything is said about heads; tails
 * follow from the same functions with heads and tails exchanged, because a schedule read backwards is a schedule.
 */
export interface Tasks {
  readonly head: Float64Array;
  readonly tail: Float64Array;
  readonly work: Float64Array;
  /** `first` holds 1 at i · tasks + j when task i precedes task j; `second` is its transpose. */
  readonly first: Uint8Array;
  readonly second: Uint8Array;
  /** All tasks, put in the order of heads and of tails where a deduction needs it. */
  readonly byHead: Int32Array;
  readonly byTail: Int32Array;
}

/** Returns the tasks as they are when time runs backwards. */
export const reversed = ({ head, tail, work, first, second, byHead, byTail }: Tasks): Tasks => ({
  head: tail,
  tail: head,
  work,
  first: second,
  second: first,
  byHead: byTail,
  byTail: byHead,
});

/** Orders every pair that fits in one order only; false when some pair fits in none. */
export function orderPairs({ head, tail, work, first, second }: Tasks, horizon: number): boolean {
  const size = head.length;
  for (let i = 0; i < size; i++) {
    const done = (head[i] ?? 0) + (work[i] ?? 0);
    for (let j = 0; j < size; j++) {
      if (j === i || done + (work[j] ?? 0) + (tail[j] ?? 0) <= horizon) continue;
      if (first[i * size + j] === 1) return false;
      second[i * size + j] = 1;
      first[j * size + i] = 1;
    }
  }
  return true;
}

/** Puts the tasks in ascending order of their keys, by insertion: they are nearly in order from the last time. */
function arrange(tasks: Int32Array, keys: Float64Array): void {
  for (let s = 1; s < tasks.length; s++) {
    const task = tasks[s] ?? 0;
    const key = keys[task] ?? 0;
    let t = s;
    for (; t > 0 && (keys[tasks[t - 1] ?? 0] ?? 0) > key; t--) tasks[t] = tasks[t - 1] ?? 0;
    tasks[t] = task;
  }
}

/** Returns heads raised by what must precede each task on the machine: its known predecessors, one after another. */
export function headsAfterPredecessors({ head, work, second, byHead }: Tasks): Float64Array {
  arrange(byHead, head);
  const size = head.length;
  const heads = head.slice();
  for (let j = 0; j < size; j++) {
    let free = -1;
    for (const i of byHead) if (second[j * size + i] === 1) free = Math.max(free, head[i] ?? 0) + (work[i] ?? 0);
    if (free > (heads[j] ?? 0)) heads[j] = free;
  }
  return heads;
}

/** Returns heads raised by the sets that leave no room for a task before or between them (Carlier and Pinson 1989); null when a set does not fit. */
export function headsAfterSets(tasks: Tasks, horizon: number): Float64Array | null {
  const { head, tail, byHead, byTail } = tasks;
  arrange(byHead, head);
  arrange(byTail, tail);
  const heads = head.slice();
  const places = heads.length + 1;
  const scratch = { heads, workFrom: new Float64Array(places), freeFrom: new Float64Array(places).fill(-1) };
  let last = -1;
  for (const task of byTail) {
    const least = tail[task] ?? 0;
    if (least !== last && !afterSets(tasks, least, horizon, scratch)) return null;
    last = least;
  }
  return heads;
}

interface Scratch {
  readonly heads: Float64Array;
  /** For each place of the order: the work of the members there and later, and when a machine that does nothing else is done with them. */
  readonly workFrom: Float64Array;
  readonly freeFrom: Float64Array;
}

/**
 * Looks at the sets of tasks with tails of at least `tail`, a set for each least head. A task with a shorter tail that leaves no room
 * between such a set's least head and the horizon follows the set and every part of it. False when a set does not fit by itself.
 */
function afterSets({ head, tail: tails, work, byHead }: Tasks, tail: number, horizon: number, scratch: Scratch): boolean {
  const { workFrom, freeFrom, heads } = scratch;
  for (let s = byHead.length - 1; s >= 0; s--) {
    const i = byHead[s] ?? 0;
    const isMember = (tails[i] ?? 0) >= tail;
    const rest = (workFrom[s + 1] ?? 0) + (isMember ? (work[i] ?? 0) : 0);
    workFrom[s] = rest;
    freeFrom[s] = isMember ? Math.max(freeFrom[s + 1] ?? 0, (head[i] ?? 0) + rest) : (freeFrom[s + 1] ?? 0);
  }
  const free = freeFrom[0] ?? 0;
  if (free + tail > horizon) return false;
  let opened = -1;
  for (let s = 0; s < byHead.length; s++) {
    const i = byHead[s] ?? 0;
    const rest = workFrom[s] ?? 0;
    if ((tails[i] ?? 0) >= tail) {
      opened = Math.max(opened, (head[i] ?? 0) + rest);
      continue;
    }
    const more = (work[i] ?? 0) + tail;
    if (opened >= 0 && opened + more > horizon) heads[i] = Math.max(heads[i] ?? 0, free);
    else if (rest > 0 && (head[i] ?? 0) + rest + more > horizon) heads[i] = Math.max(heads[i] ?? 0, freeFrom[s] ?? 0);
  }
  return true;
}
