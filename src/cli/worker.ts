/** What a worker prints, and the keys of workers. */
import type { WorkerKeyRecord } from '../app/workers/register.js';
import type { WorkerReport } from '../app/workers/worker.js';
import { count } from '../pictures/screen.js';
import { minute } from './table.js';
import { paint } from './text.js';

/** Jobs that one worker process computes at once. */
export const worker_threads_max = 64;

export function workerLine(event: WorkerReport): string {
  switch (event.type) {
    case 'connecting':
      return `connecting to ${event.url}; the worker's key is ${event.key}`;
    case 'retrying':
      return `cannot connect (${event.reason}); trying again`;
    case 'working':
      return `waiting for jobs of ${event.url}, ${event.threads} at once`;
    case 'failing':
      return `cannot take jobs (${event.reason}); trying again`;
    case 'taken':
      return `took ${event.kind} ${event.job}${event.delivery > 1 ? `, delivery ${event.delivery}` : ''}`;
    case 'done':
      return `done ${event.job} in ${Math.round(event.ms)} ms`;
    case 'abandoned':
      return `abandoned ${event.job}: ${event.reason}`;
  }
}

export const stoppedLine = (done: number): string => `stopped after ${count(done, 'job')}`;

export const workerKeyLines = (items: readonly WorkerKeyRecord[]): string[] =>
  items.length === 0
    ? ['no key was added: all workers of a queue on this machine count, others do not']
    : items.flatMap(({ key, name, state, changed_at }) => [
        `${paint.out('bold', name ?? '-')}  ${state}  ${minute(changed_at)}`,
        `  ${key}`,
      ]);
