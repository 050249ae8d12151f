/**
 * Server-sent events (WHATWG HTML, section 9.2): every entry has its sequence as id, so that a client can resume after the last
 * one that it received. The next item is requested only when the client has taken the previous ones. The number of open streams is
 * bounded, in all and for each actor, and all of them end when the server stops.
 */
import { RefusalError } from '../../base/refusal.js';
import { untilAborted, type Actor } from '../core/context.js';
import { bytes, type BytesReply, type Client } from '../core/endpoint.js';
import { defaultSettings, type Settings } from '../core/limits.js';
import { Denied, wrong_token } from '../core/problem.js';
import type { Tokens } from './policy.js';

export const event_stream_type = 'text/event-stream';

export interface FeedItem {
  /** The sequence of an entry; the client sends the last one back to resume. Null for an item that is not sent again. */
  readonly id: number | null;
  readonly event: string;
  readonly data: unknown;
}

/** Who reads a stream. */
interface Reader {
  readonly actor: Actor | null;
  readonly client: Pick<Client, 'bearer'>;
}

const retry_ms = 2_000;
const heartbeat = ':\n\n';

export class EventStreams {
  /** The open streams, and the actor of each. */
  private readonly open = new Map<AbortController, string>();
  private readonly settings: Settings;
  private isStopped = false;

  constructor(
    private readonly tokens: Tokens,
    limits: Partial<Settings> = {},
  ) {
    this.settings = { ...defaultSettings, ...limits };
  }

  stop(): void {
    this.isStopped = true;
    for (const controller of this.open.keys()) controller.abort();
  }

  /** Returns a stream of items, which end, or stop waiting, when the signal aborts. @throws Denied 503 when it is opened */
  reply(reader: Reader, items: (signal: AbortSignal) => AsyncIterable<FeedItem>): BytesReply<200> {
    return bytes(200, event_stream_type, (gone) => {
      const actor = reader.actor?.name ?? '';
      this.requirePlace(actor);
      const controller = new AbortController();
      const { signal } = controller;
      const source = items(signal);
      this.open.set(controller, actor);
      const leave = (): void => {
        controller.abort();
        this.open.delete(controller);
      };
      if (gone.aborted) leave();
      gone.addEventListener('abort', leave);
      return this.texts(source, signal, () => this.mayRead(reader));
    });
  }

  /** Returns whether a token still belongs to the same actor in the same role. Tokens that cannot be read belong to nobody. */
  mayRead({ actor, client: { bearer } }: Reader): boolean {
    try {
      const now = this.tokens(bearer ?? '');
      return actor !== null && now?.name === actor.name && now.role === actor.role;
    } catch {
      return false;
    }
  }

  /** @throws RefusalError `unauthorized` when the token of a request stopped working while the request waited */
  requireReader(reader: Reader): void {
    if (!this.mayRead(reader)) throw new RefusalError('unauthorized', wrong_token);
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
