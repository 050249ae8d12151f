/** A max-heap of tasks by priority with the work left of each: the ready queue of a preemptive one-machine schedule. */
export class TaskHeap {
  size = 0;
  private readonly priorities: Float64Array;
  private readonly left: Float64Array;

  constructor(capacity: number) {
    this.priorities = new Float64Array(capacity);
    this.left = new Float64Array(capacity);
  }

  push(priority: number, work: number): void {
    let i = this.size++;
    while (i > 0) {
      const parent = (i - 1) >> 1;
      if ((this.priorities[parent] ?? 0) >= priority) break;
      this.copy(parent, i);
      i = parent;
    }
    this.priorities[i] = priority;
    this.left[i] = work;
  }

  topWork(): number {
    return this.left[0] ?? 0;
  }

  /** Does `run` units of the top task's work and raises its priority by `raise` ≥ 0, so it stays on top; true when finished. */
  work(run: number, raise: number): boolean {
    this.left[0] = this.topWork() - run;
    this.priorities[0] = (this.priorities[0] ?? 0) + raise;
    return this.left[0] === 0;
  }

  /** Removes the top task and returns its priority. */
  pop(): number {
    const top = this.priorities[0] ?? 0;
    const last = --this.size;
    const priority = this.priorities[last] ?? 0;
    const work = this.left[last] ?? 0;
    let i = 0;
    for (;;) {
      let child = 2 * i + 1;
      if (child >= last) break;
      if (child + 1 < last && (this.priorities[child + 1] ?? 0) > (this.priorities[child] ?? 0)) child++;
      if ((this.priorities[child] ?? 0) <= priority) break;
      this.copy(child, i);
      i = child;
    }
    this.priorities[i] = priority;
    this.left[i] = work;
    return top;
  }

  private copy(source: number, target: number): void {
    this.priorities[target] = this.priorities[source] ?? 0;
    this.left[target] = this.left[source] ?? 0;
  }
}
