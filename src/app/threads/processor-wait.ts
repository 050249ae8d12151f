/** Measures how long a thread has waited for a processor, because work that gets no processor time is not hung. */
import * as fs from 'node:fs';

/** Returns the ID of the calling thread, which the process's other threads use to find it; 0 if the system does not report it. */
export function ownThread(): number {
  try {
    return Number(/\/task\/([0-9]+)$/.exec(fs.readlinkSync('/proc/thread-self'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** Returns the total ms that a thread of this process was ready but not running; 0 if not reported (proc(5), sched-stats). */
export function waitedMs(thread: number): number {
  if (thread === 0) return 0;
  try {
    const [, waited_ns] = fs.readFileSync(`/proc/self/task/${thread}/schedstat`, 'latin1').split(' ');
    return Number(waited_ns) / 1e6 || 0;
  } catch {
    return 0;
  }
}
