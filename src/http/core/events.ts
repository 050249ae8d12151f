/**
 * Server-sent events (WHATWG HTML, section 9.2): every entry has its sequence as id, so that a client can resume after the last
 * one that it received. The next item is requested only when the client has taken the previous ones. The number of open streams is
 * bounded, in all and for each actor, and all of them end when the server stops.
 */
import { Readable } from 'node:stream';
import type { Context, RequestState } from './context.js';
import { Denied } from './problem.js';
import { event_stream_type, type EventsReply, type FeedItem } from './reply.js';
import type { Settings } from './settings.js';

const retry_ms = 2_000;
const heartbeat = ':\n\n';

export class EventStreams {
  /** The open streams, and the actor of each. */
  private readonly open = new Map<AbortController, string>();
  private isStopped = false;

  constructor(
    private readonly settings: Settings,
    /** Whether the client of a stream may still read it: checked before each item and at each heartbeat. */
    private readonly mayRead: (state: RequestState) => boolean,
  ) {}

  stop(): void {
    this.isStopped = true;
    for (const controller of this.open.keys()) controller.abort();
  }

  /** Sets the response to a stream of events. @throws Denied 503 */
  send(context: Context, reply: EventsReply): void {
    const actor = context.state.actor?.name ?? '';
    this.requirePlace(actor);
    const controller = new AbortController();
    const items = reply.open(controller.signal);
    context.set('Content-Type', event_stream_type);
    const texts = this.texts(items, controller.signal, () => this.mayRead(context.state));
    context.body = Readable.from(texts, { objectMode: false });
    this.open.set(controller, actor);
    const { req, res } = context;
    const end = (): void => controller.abort();
    const leave = (): void => {
      end();
      this.open.delete(controller);
      req.socket.off('end', end);
    };
    req.socket.once('end', end);
    if (req.socket.readableEnded) end();
    if (res.closed) leave();
    else res.once('close', leave);
  }

  private requirePlace(actor: string): void {
    const { event_streams_max, event_streams_per_actor_max } = this.settings;
    const isOwn = [...this.open.values()].filter((other) => other === actor).length >= event_streams_per_actor_max;
    if (!isOwn && !this.isStopped && this.open.size < event_streams_max) return;
    const detail = isOwn
      ? `${event_streams_per_actor_max} event streams with this token are open, and no more are allowed`
      : 'too many event streams are open';
    throw new Denied({ code: 'unavailable', detail, headers: { 'Retry-After': '10' } });
  }

  /** Yields the text of each item, and of heartbeats, until the source ends, the signal aborts, or the client may no longer read. */
  private async *texts(source: AsyncIterable<FeedItem>, signal: AbortSignal, mayRead: () => boolean): AsyncGenerator<string> {
    const items = source[Symbol.asyncIterator]();
    try {
      yield `retry: ${retry_ms}\n\n`;
      for (let next = items.next(); ; ) {
        const item = await untilAborted(next, signal, this.settings.event_heartbeat_ms);
        if (signal.aborted || !mayRead()) return;
        if (item === null) yield heartbeat;
        else if (item.done === true) return;
        else {
          yield textOf(item.value);
          next = items.next();
        }
      }
    } finally {
      // A source that still waits for its next item returns only later, or never.
      void items.return?.().catch(() => undefined);
    }
  }
}

/** Returns the text of an event. JSON text has no line breaks, so one data line holds it. */
const textOf = ({ id, event, data }: FeedItem): string =>
  `${id === null ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

/**
 * Returns the value, or null when the signal aborts first or the time is over. Not `Promise.race`, which would keep every item on one
 * long-lived promise.
 */
export function untilAborted<A>(value: Promise<A>, signal: AbortSignal, ms?: number): Promise<A | null> {
  return new Promise((resolve, reject) => {
    const forget = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    };
    const stop = (): void => {
      forget();
      resolve(null);
    };
    const timer = ms === undefined ? undefined : setTimeout(stop, ms);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    value.then(resolve, reject).finally(forget);
  });
}
