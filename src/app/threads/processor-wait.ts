/** How long a thread has waited for a processor: work that is not let run is not hung. */
import * as fs from 'node:fs';

/** The calling thread's number, by which the process's other threads find it; 0 where the system does not tell. */
export function ownThread(): number {
  try {
    return Number(/\/task\/([0-9]+)$/.exec(fs.readlinkSync('/proc/thread-self'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** Milliseconds that a thread of this process was ready and not let run, so far; 0 where the system does not tell (proc(5), sched-stats). */
export function waitedMs(thread: number): number {
  if (thread === 0) return 0;
  try {
    const [, waited_ns] = fs.readFileSync(`/proc/self/task/${thread}/schedstat`, 'latin1').split(' ');
    return Number(waited_ns) / 1e6 || 0;
  } catch {
    return 0;
  }
}
