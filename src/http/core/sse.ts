/**
 * Server-sent events (WHATWG HTML, section 9.2): every entry has its sequence as id, so that a client can resume after the last
 * one that it received. The next item is requested only when the client has taken the previous ones; a client that takes nothing
 * for too long is disconnected.
 */
import type { ServerResponse } from 'node:http';
import { drained } from './drain.js';
import type { FeedItem } from './reply.js';

interface StreamOptions {
  /** Aborts when the client is gone or the server stops. */
  readonly signal: AbortSignal;
  readonly heartbeat_ms: number;
  readonly drain_ms_max: number;
  /** Whether the client may still read: checked before each item and at each heartbeat; the stream ends when it may not. */
  readonly mayRead: () => boolean;
}

export const event_stream_type = 'text/event-stream';
const retry_ms = 2_000;

/**
 * Writes the items until the source ends or the signal aborts, and ends the response; errors of the source are thrown. Returns
 * how it ended: `slow` is a client that did not take what was sent, whose connection is destroyed.
 */
export async function writeEvents(
  response: ServerResponse,
  source: AsyncIterable<FeedItem>,
  { signal: left, heartbeat_ms, drain_ms_max, mayRead }: StreamOptions,
): Promise<'ended' | 'slow'> {
  const items = source[Symbol.asyncIterator]();
  const barred = new AbortController();
  const signal = AbortSignal.any([left, barred.signal]);
  const heartbeat = setInterval(() => {
    if (!mayRead()) return barred.abort();
    // A client that has not taken the last item gets no more; the wait for it has its own limit.
    if (!response.writableNeedDrain) response.write(':\n\n');
  }, heartbeat_ms);
  try {
    response.write(`retry: ${retry_ms}\n\n`);
    for (;;) {
      if (!(await drained(response, signal, drain_ms_max))) return 'slow';
      const next = await untilAborted(items.next(), signal);
      if (next === null || next.done === true || !mayRead()) return 'ended';
      response.write(textOf(next.value));
    }
  } finally {
    clearInterval(heartbeat);
    // A source that still waits for its next item returns only later, or never.
    void items.return?.().catch(() => undefined);
  }
}

/** Returns the text of an event. JSON text has no line breaks, so one data line holds it. */
const textOf = ({ id, event, data }: FeedItem): string =>
  `${id === null ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

/**
 * Returns the value, or null when the signal aborts first. Not `Promise.race`, which would keep every item on one long-lived
 * promise.
 */
export function untilAborted<A>(value: Promise<A>, signal: AbortSignal): Promise<A | null> {
  return new Promise((resolve, reject) => {
    const stop = (): void => resolve(null);
    const forget = (): void => signal.removeEventListener('abort', stop);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    value.then(resolve, reject).finally(forget);
  });
}
