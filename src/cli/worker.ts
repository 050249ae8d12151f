/** What a worker prints. */
import type { WorkerReport } from '../app/worker/start.js';

export function workerLine(event: WorkerReport): string {
  switch (event.type) {
    case 'connecting':
      return `connecting to ${event.url}; the worker's key is ${event.key}`;
    case 'retrying':
      return `cannot connect (${event.why}); trying again`;
    case 'working':
      return `waiting for jobs of ${event.url}, ${event.threads} at once`;
    case 'taken':
      return `took ${event.kind} ${event.job}${event.delivery > 1 ? `, delivery ${event.delivery}` : ''}`;
    case 'done':
      return `done ${event.job} in ${Math.round(event.ms)} ms`;
    case 'abandoned':
      return `abandoned ${event.job}: ${event.why}`;
  }
}
