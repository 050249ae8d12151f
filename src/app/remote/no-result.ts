/** Why the workers of a queue gave no result of a mission that counts. */
import type { NatsAddress } from '../../codec/nats-url.js';
import type { WhyHere } from '../jobs/job.js';
import { ignoredText } from '../jobs/notices.js';

/** No worker gave a result. */
export class NoResult extends Error {}

/** A worker gave a result that does not count. */
export class NotCounted extends NoResult {
  constructor(
    readonly key: string,
    why: string,
  ) {
    super(ignoredText(key, why));
  }
}

/** @param ignored the last result that does not count, or null */
export function noResult(why: WhyHere, { url }: Pick<NatsAddress, 'url'>, ignored: NotCounted | null): NoResult {
  if (ignored === null) return new NoResult(textOf(why, url));
  return why === 'not_counted' ? ignored : new NoResult(`${textOf(why, url)}; ${ignored.message}`);
}

function textOf(why: WhyHere, url: string): string {
  switch (why) {
    case 'unreachable':
      return `the queue ${url} cannot be reached; nothing was computed`;
    case 'nobody':
      return `no worker of ${url} whose results count responds; start one (agent-cli worker --nats ${url}), then recover the mission`;
    case 'overdue':
      return `no worker of ${url} finished the search in time; check that workers run (agent-cli doctor), then recover the mission`;
    case 'not_counted':
      return `no result of a worker of ${url} counts; see agent-cli worker-key list, then recover the mission`;
    case 'unreadable':
      return `the result of a worker could not be read from ${url}; recover the mission to search again`;
  }
}
