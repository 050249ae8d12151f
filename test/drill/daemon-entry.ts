/**
 * The program, as users have it, in a process whose clock its parent can set while it runs, which reports the delay of its event loop, and
 * whose engine threads die of missions with one goal. Started by real-daemon.ts.
 */
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { packageRoot } from '../support/package-root.js';
import { deadly_goal } from './deadly.js';

/** Moves the clock to this offset from the machine's, or asks for the delays since the last time that they were asked for. */
export type Order = { readonly offset_ms: number } | { readonly delays: true };

/** How late timers were, in ms. */
export interface Delays {
  readonly p99_ms: number;
  readonly max_ms: number;
}

const resolution_ms = 10;
const delays = monitorEventLoopDelay({ resolution: resolution_ms });
let offset_ms = 0;

function obey(order: Order): Delays | null {
  if ('offset_ms' in order) {
    ({ offset_ms } = order);
    return null;
  }
  const late = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e6 - resolution_ms);
  const found = { p99_ms: late(delays.percentile(99)), max_ms: late(delays.max) };
  delays.reset();
  return found;
}

const post = Worker.prototype.postMessage;
Worker.prototype.postMessage = function postOrDie(this: Worker, ...args: Parameters<typeof post>): void {
  const [message] = args as [{ readonly task?: { readonly input?: { readonly goal?: string } } } | undefined];
  // A thread that got the task might answer before its end.
  if (message?.task?.input?.goal === deadly_goal) void this.terminate();
  else Reflect.apply(post, this, args);
};

const machineNow = Date.now;
Date.now = () => machineNow() + offset_ms;
delays.enable();
process.on('message', (order: Order) => void process.send?.({ reply: obey(order) }));
// The command ends as it would without a parent, and with its parent.
process.channel?.unref();
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
await import(pathToFileURL(join(packageRoot(import.meta.url), 'bin', 'agent-cli.js')).href);
